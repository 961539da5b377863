"""Memories that are taken in many at once: all of them or none, in one commit."""

from __future__ import annotations

from apx.mem import cache, check, ids, wanted
from apx.mem.actions_rules import free, refuse, twin
from apx.mem.deeds import ADDED, NO_OP, Done, Draft
from apx.mem.faults import MemFault, wrong
from apx.mem.guessing import guessed
from apx.mem.incoming import read
from apx.mem.memory import FLOOR, PROPOSED, TITLE, Memory

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.mem.cache import Cache
    from apx.mem.memory import Value
    from apx.mem.store import Store
    from apx.mem.writing import Writing

__all__ = ["guessed", "imported", "note_source", "proposals"]

_SHOWN: Final = 20
_DIGITS: Final = 12
# Room for what tells two titles apart.
_COUNT: Final = 8
# A procedure that nobody is known to have tried.
_UNTRIED: Final = 0.3


def imported(
    store: Store,
    given: Sequence[str] | bytes,
    *,
    today: str,
    force: bool = False,
    dry: bool = False,
) -> list[Done]:
    """Take in files or directories of the store's format, or JSON lines.

    What is there already is a no-op. MemFault with each place that is wrong, and
    nothing done, if one of them is.
    """
    faults: list[str] = []
    found = list(read(given, faults))
    for place, memory in found:
        try:
            refuse(_whole(memory, today), force=force)
        except MemFault as fault:
            faults.append(f"{place}: {fault}")
    if faults:
        raise _wrong(faults)
    if not found:
        raise wrong("import: no memories there", "apx mem help import")
    with store.writing() as writing, cache.opened(store.root) as known:
        intake = _Intake(writing, known, today)
        told = [intake.take(place, one) for place, one in found]
        done = [one for one in told if one is not None]
        if intake.faults:
            raise _wrong(intake.faults)
        many = sum(one.outcome == ADDED for one in done)
        if many and not dry:
            writing.commit(
                f"mem: import {many} {'memory' if many == 1 else 'memories'}"
            )
    return done


def proposals(
    store: Store, notes: Sequence[tuple[str, str]], *, scope: str, today: str
) -> list[Done]:
    """Propose notes, given with their days, that are not in the store yet.

    A note that was proposed once is not again, whatever became of it. One that holds a
    credential is left out.
    """
    with store.writing() as writing, cache.opened(store.root) as known:
        every = known.rows(wanted.parsed(status=wanted.ALL))
        sources = {row["source"] for row in every}
        titles = {ids.same(row["title"]) for row in every if row["scope"] == scope}
        # A note that says nothing is none.
        titles.add("")
        intake = _Intake(writing, known, today)
        done: list[Done] = []
        for text, day in notes:
            source = note_source(text)
            title = _titled(text, titles)
            if source in sources or ids.same(title) in titles:
                continue
            draft = _proposed(text, title, day or today)
            memory = draft.memory(today).changed(scope=scope or None, source=source)
            if not _is_refused(memory):
                sources.add(source)
                titles.add(ids.same(title))
                done.append(intake.put(memory))
        if done:
            word = "note" if len(done) == 1 else "notes"
            writing.commit(f"mem: propose {len(done)} {word}")
    return done


def note_source(text: str) -> str:
    """Say in a memory's `source` which note it came from, without its words."""
    from hashlib import sha256  # noqa: PLC0415 -- it takes long to load

    return f"note:{sha256(ids.same(text).encode()).hexdigest()[:_DIGITS]}"


def _whole(found: Memory | Draft, today: str) -> Memory:
    return found if isinstance(found, Memory) else found.memory(today)


def _titled(text: str, titles: set[str]) -> str:
    """Give a note's text as a title; of long ones that begin alike, each its own."""
    title = check.flat(text)
    if len(title) <= TITLE:
        return title
    beginning, count = title[: TITLE - _COUNT].rstrip(), 1
    title = f"{beginning}…"
    while ids.same(title) in titles:
        count += 1
        title = f"{beginning}… ({count})"
    return title


def _proposed(text: str, title: str, day: str) -> Draft:
    kind = guessed(text)
    fields: dict[str, Value] = {
        "type": kind,
        "title": title,
        "status": PROPOSED,
        "confidence": _UNTRIED if kind == "howto" else FLOOR,
        "created": day,
    }
    return Draft(fields, b"" if title == text.strip() else check.body(text))


def _is_refused(memory: Memory) -> bool:
    try:
        refuse(memory)
    except MemFault:
        return True
    return False


class _Intake:
    """What one commit takes in, so that no two of it are in each other's way."""

    def __init__(self, writing: Writing, known: Cache, today: str) -> None:
        self.faults: list[str] = []
        self._writing = writing
        self._known = known
        self._today = today
        self._ids = known.ids()
        self._new: dict[tuple[str, str, str], Memory] = {}

    def take(self, place: str, found: Memory | Draft) -> Done | None:
        """Take one in; nothing if it is in the way of another, which is a fault."""
        memory = _whole(found, self._today)
        key = (memory.type.name, memory.text("scope"), ids.same(memory.title))
        try:
            other = self._new.get(key) or twin(self._writing, self._known, memory)
        except MemFault as fault:
            self.faults.append(f"{place}: {fault}")
            return None
        if other is None:
            self._new[key] = memory
            return self.put(memory)
        if other.body.strip() != memory.body.strip():
            self.faults.append(f"{place}: another one here has its title")
            return None
        return Done(other, NO_OP, f"{other.id} says that already")

    def put(self, memory: Memory) -> Done:
        """Put a memory; one from a file keeps its id if nobody has that."""
        if memory.id in self._ids or not memory.raw:
            day = memory.text("created") or self._today
            memory = memory.changed(id=free(memory, day, self._ids.__contains__))
        self._ids.add(memory.id)
        self._writing.put(memory)
        return Done(memory, ADDED, f"added {memory.id}")


def _wrong(faults: list[str]) -> MemFault:
    more = len(faults) - _SHOWN
    shown = faults[:_SHOWN] + ([f"and {more} more"] if more > 0 else [])
    return wrong("import: nothing was taken in", *shown, code="import")
