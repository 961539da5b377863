"""The rules that every write of a memory keeps."""

from __future__ import annotations

import os

from apx.mem import ids
from apx.mem.faults import MemFault
from apx.mem.memory import ARCHIVED, LETTERS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from apx.mem.cache import Cache
    from apx.mem.memory import Memory
    from apx.mem.writing import Writing

_TITLE: Final = 72


def subject(deed: str, memory: Memory) -> str:
    """Give the first line of a commit about one memory."""
    title = " ".join(memory.title.split())
    shown = title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"
    return f"mem({memory.type.name}): {deed} {shown}".rstrip()


def keep(writing: Writing, *memories: Memory) -> None:
    """Write memories into the store, unless one of them holds a credential.

    What is put away is nobody's to read, and must not be stopped; unless it would come
    into history by that.
    """
    for memory in memories:
        try:
            if memory.status != ARCHIVED or memory.path in writing.held:
                refuse(memory)
        except MemFault as fault:
            words = f"{memory.id}: {fault}"
            raise MemFault(
                fault.code, words, *fault.hints, status=fault.status
            ) from None
    for memory in memories:
        writing.put(memory)


def put_away(memory: Memory, today: str) -> Memory:
    """Give a memory archived; the very same if it is."""
    if memory.status == ARCHIVED:
        return memory
    return counted(memory.changed(status=ARCHIVED), memory, today)


def counted(after: Memory, before: Memory, today: str) -> Memory:
    """Give what a memory becomes today as its next version."""
    return after.changed(version=before.version + 1, updated=today)


def refuse(memory: Memory, *, force: bool = False) -> None:
    """Raise if a memory holds a credential, unless its owner wants it so."""
    from apx.mem import guard  # noqa: PLC0415 -- its patterns; putting away needs none

    guard.refuse(memory, force=force)


def twin(writing: Writing, known: Cache, memory: Memory) -> Memory | None:
    """Find the memory that is this one already: same type, scope, title and body.

    One with the same title that says something else is in the way.
    """
    for row in known.same(memory.type.name, memory.text("scope"), memory.title):
        other = writing.read(row["id"])
        if other.body.strip() == memory.body.strip():
            return other
        raise claimed(other)
    return None


def place(memory: Memory) -> tuple[str, str]:
    """Say where a memory's title must be the only one of its type."""
    return memory.text("scope"), ids.same(memory.title)


def unclaimed(known: Cache, memory: Memory) -> None:
    """Raise if a memory has its title in the place where it is to be."""
    for row in known.same(memory.type.name, memory.text("scope"), memory.title):
        raise _exists(row["id"], row["status"])


def claimed(other: Memory) -> MemFault:
    """Say that a title is taken by a memory that says something else."""
    return _exists(other.id, other.status)


def archived(memory: Memory) -> MemFault:
    """Say that a memory was put away."""
    return MemFault(
        "archived", f"{memory.id} is archived", f"apx mem restore {memory.id}"
    )


def changed_since(memory: Memory) -> MemFault:
    """Say that somebody else wrote a memory in the meantime."""
    return MemFault(
        "conflict",
        f"{memory.id} is at version {memory.version}",
        f"apx mem show {memory.id}",
    )


def free(memory: Memory, day: str, is_taken: Callable[[str], bool]) -> str:
    """Give a new memory an id that no other has.

    With a number for a clash it would tell one audience of what another has.
    """
    type, title, scope = memory.type, memory.title, memory.text("scope")
    if not scope.startswith(("private:", "room:")):
        return ids.new(type, day, title, is_taken)
    from hashlib import sha256  # noqa: PLC0415 -- few memories are others'

    mark, date = sha256(scope.encode()).hexdigest()[:6], len("d-2026-12-31-")

    def marked(id: str) -> str:
        return f"{id[:date]}{mark}-{id[date:]}"

    return marked(ids.new(type, day, title, lambda id: is_taken(marked(id))))


def taken(root: str) -> Callable[[str], bool]:
    """Give the question whether an id is a memory's, be it one that nobody can read."""

    def is_taken(id: str) -> bool:
        return os.path.lexists(f"{root}/objects/{LETTERS[id[:1]].folder}/{id}.md")

    return is_taken


def _exists(id: str, status: str) -> MemFault:
    hints = [f"apx mem update {id} --body ..."]
    if status == ARCHIVED:
        hints.append(f"apx mem restore {id}")
    return MemFault("exists", f"{id} has this title and says something else", *hints)
