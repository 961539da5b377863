"""Every write of memories that the command line shares with the assistant."""

from __future__ import annotations

from apx.mem import cache, tables
from apx.mem.actions_rules import (
    archived,
    changed_since,
    free,
    place,
    refuse,
    subject,
    taken,
    twin,
    unclaimed,
)
from apx.mem.actions_states import accept, archive, promote, reject, restore, undo
from apx.mem.deeds import ADDED, NO_CHANGE, NO_OP, UPDATED, Done, Draft, bare
from apx.mem.faults import wrong
from apx.mem.memory import ARCHIVED, PROPOSED

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from apx.mem.actions_joining import Pair, dedup, merge
    from apx.mem.memory import Memory, Value
    from apx.mem.store import Store
    from apx.mem.writing import Writing

__all__ = [
    "Done",
    "Draft",
    "Pair",
    "accept",
    "add",
    "archive",
    "dedup",
    "merge",
    "promote",
    "reject",
    "restore",
    "undo",
    "update",
]

# Most writes join nothing, and need not load what does.
_JOINING: Final = ("Pair", "dedup", "merge")
# What is so for ever, or counted by us.
_FIXED: Final = ("id", "type", "version", "created", "updated")
# As good as written where a file says nothing.
_IMPLIED: Final = ("status", "priority", "confidence")


def __getattr__(name: str) -> object:
    if name not in _JOINING:
        raise AttributeError(name)
    from apx.mem import actions_joining  # noqa: PLC0415 -- as said above

    found: object = getattr(actions_joining, name)
    return found


def add(store: Store, draft: Draft, *, today: str, force: bool = False) -> Done:
    """Add a memory, unless it is there already."""
    memory = draft.memory(today)
    refuse(memory, force=force)
    with store.writing() as writing, _known(writing) as known:
        other = twin(writing, known, memory)
        if other is not None:
            return _there(other)
        name = free(memory, today, taken(store.root))
        memory = memory.changed(id=name)
        writing.put(memory)
        writing.commit(subject("add", memory))
    return Done(memory, ADDED, f"added {memory.id}")


def update(  # noqa: PLR0913 -- what is to change, and under which conditions
    store: Store,
    id: str,
    changes: Mapping[str, Value | None],
    body: bytes | None = None,
    *,
    today: str,
    force: bool = False,
    expect: int | None = None,
) -> Done:
    """Change fields of a memory, or its body; None takes a field away.

    `expect` is the version that it must still have.
    """
    with store.writing() as writing:
        before = writing.read(id)
        if expect is not None and expect != before.version:
            raise changed_since(before)
        after = _changed(before, changes, body)
        if after == before:
            return Done(before, NO_CHANGE, f"{id} says that already")
        if place(after) != place(before):
            with cache.opened(store.root) as known:
                unclaimed(known, after)
        after = after.changed(version=before.version + 1, updated=today)
        refuse(after, force=force)
        writing.put(after)
        writing.commit(subject("update", after))
    return Done(after, UPDATED, f"updated {id}")


def _known(writing: Writing) -> cache.Cache:
    """Open the cache without another look at all files."""
    return cache.Cache(
        writing.root, tables.connected(writing.root, seen=writing.glances)
    )


def _there(other: Memory) -> Done:
    if other.status == ARCHIVED:
        raise archived(other)
    said = f"{other.id} says that already"
    if other.status == PROPOSED:
        said += f", but is only proposed: apx mem review --accept {other.id}"
    return Done(other, NO_OP, said)


def _changed(
    before: Memory, changes: Mapping[str, Value | None], body: bytes | None
) -> Memory:
    """Give a memory as it is to be; the very same if it is so already."""
    new = {
        key: value
        for key, value in bare(changes).items()
        if value != _value(before, key)
    }
    fixed = [key for key in _FIXED if key in new]
    if fixed:
        raise wrong(f"the {fixed[0]} of a memory does not change")
    if "title" in new and new["title"] is None:
        raise wrong("a memory has a title", "say the fact in one line")
    after = before.changed(**new) if new else before
    return after if body is None else after.saying(body)


def _value(memory: Memory, key: str) -> Value | None:
    if key in _IMPLIED:
        value: Value = getattr(memory, key)
        return value
    return memory.fields.get(key)
