"""Curated memories for a process that stays: one audience apart from the others."""

from __future__ import annotations

from apx.mem.faults import MemFault
from apx.mem.memory import FLOOR, PROPOSED
from apx.mem.scopes import audience, named, scope, sign, unknown, wanted_by

# Not typing's: a short command that asks what a scope means is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from sqlite3 import Row
    from types import ModuleType as Deeds
    from typing import Final, TypeVar, Unpack

    from apx.mem.cache import Cache
    from apx.mem.deeds import Done
    from apx.mem.memory import Memory, Value
    from apx.mem.store import Store
    from apx.mem.wanted import Filters

    T = TypeVar("T")

__all__ = ["Curated", "Page", "audience", "scope", "sign"]

# What the source of a memory begins with that may be the words of nobody here.
UNTRUSTED: Final = "untrusted"
# A command of another process may hold the store for so many seconds.
_WAIT: Final = 10.0
_PAUSE: Final = 0.05


def is_unsure(row: Row) -> bool:
    """Whether somebody had better look at a memory: nobody has, or it is doubtful."""
    return not row["verified"] or row["confidence"] < FLOOR


def is_foreign(source: str) -> bool:
    """Whether a memory of this source may be the words of nobody here."""
    return source.startswith(UNTRUSTED)


class Page:
    """What was found, best first; `total` counts what was left out, too."""

    __slots__ = ("rows", "total")

    def __init__(self, rows: list[Row], total: int) -> None:
        self.rows = rows
        self.total = total


class Curated:
    """Reads and writes the store in threads of their own.

    `audiences` are those that whoever reads the answer belongs to: what has another one
    is not found, not counted, and cannot be told from what is not there. `today` gives
    the local date, `off` the key of config.json that keeps them from the assistant.
    """

    def __init__(self, root: str, *, today: Callable[[], str], off: str = "") -> None:
        self.root = root
        self.today = today
        self.off = off

    def is_there(self) -> bool:
        """Whether there is a store."""
        return self._store().is_there()

    async def begin(self) -> bool:
        """Make the store; false if it was there."""
        return await _insisting(lambda: self._store().init())

    async def search(
        self,
        query: str,
        audiences: Sequence[str],
        **how: Unpack[Filters],
    ) -> Page:
        """Find active memories, best first; `how` are filters of `wanted.parsed`."""

        def found(cache: Cache) -> Page:
            wish = wanted_by(audiences, query, **how)
            return Page(cache.rows(wish), cache.count(wish))

        return await self._read(found, Page([], 0))

    async def waiting(self, audiences: Sequence[str]) -> list[Row]:
        """Give what somebody is to look at: proposals, then what is unsure."""

        def found(cache: Cache) -> list[Row]:
            proposed = cache.rows(wanted_by(audiences, status=PROPOSED))
            return [*proposed, *filter(is_unsure, cache.rows(wanted_by(audiences)))]

        return await self._read(found, [])

    async def shown(self, word: str, audiences: Sequence[str]) -> Memory:
        """Give the one memory that an id, a part of one or a sign means."""

        def found(cache: Cache) -> str:
            return named(cache, word, audiences)

        name = await self._read(found, "")
        if not name:
            raise unknown(word)
        return await _aside(lambda: self._store().read(name))

    async def guess(self, text: str) -> tuple[str, bool]:
        """Guess of which type a fact is, and whether it sounds like a rule."""

        def guessed() -> tuple[str, bool]:
            from apx.mem import guessing  # noqa: PLC0415 -- in the thread

            return guessing.guessed(text), guessing.is_rule(text)

        return await _aside(guessed)

    async def add(self, kind: str, fields: Mapping[str, str], body: str) -> Done:
        """Add one of a type; the same title and body again is a no-op."""

        def added(store: Store, deeds: Deeds) -> Done:
            from apx.mem import check  # noqa: PLC0415 -- in the thread

            every = _checked({**fields, "type": kind})
            draft = deeds.Draft(every, check.body(body))
            done: Done = deeds.add(store, draft, today=self.today())
            return done

        return await self._write(added)

    async def update(
        self,
        name: str,
        audiences: Sequence[str],
        fields: Mapping[str, str],
        body: str | None = None,
    ) -> Done:
        """Change fields, or the body; equal values change nothing."""

        def updated(store: Store, deeds: Deeds) -> Done:
            from apx.mem import check  # noqa: PLC0415 -- in the thread

            new, text = _checked(fields), None if body is None else check.body(body)
            done: Done = deeds.update(store, name, new, text, today=self.today())
            return done

        return await self._change(name, audiences, updated)

    async def archive(self, name: str, audiences: Sequence[str]) -> Done:
        """Put one away: it holds no more."""
        return await self._change(
            name, audiences, lambda s, d: d.archive(s, [name], today=self.today())[0]
        )

    async def accept(self, name: str, audiences: Sequence[str]) -> Done:
        """Make one active, looked at today."""
        return await self._change(
            name, audiences, lambda s, d: d.accept(s, name, today=self.today())
        )

    async def reject(self, name: str, audiences: Sequence[str]) -> Done:
        """Put away what waited."""
        return await self._change(
            name, audiences, lambda s, d: d.reject(s, name, today=self.today())
        )

    async def undo(self, name: str, version: int, audiences: Sequence[str]) -> Done:
        """Take a memory's last write back, while its version is still that one."""
        return await self._change(
            name, audiences, lambda s, d: d.undo(s, name, version, today=self.today())
        )

    def _store(self) -> Store:
        from apx.mem.store import Store  # noqa: PLC0415 -- few processes that open a home

        return Store(self.root, wait=0)

    async def _read(self, look: Callable[[Cache], T], nothing: T) -> T:
        def looked() -> T:
            from apx.mem import cache  # noqa: PLC0415 -- in the thread

            if not self.is_there():
                return nothing
            with cache.opened(self.root) as opened:
                return look(opened)

        return await _aside(looked)

    async def _change(
        self, name: str, audiences: Sequence[str], act: Callable[[Store, Deeds], Done]
    ) -> Done:
        def changed(store: Store, deeds: Deeds) -> Done:
            if audience(store.read(name).text("scope")) not in audiences:
                raise unknown(name)
            return act(store, deeds)

        return await self._write(changed)

    async def _write(self, act: Callable[[Store, Deeds], T]) -> T:
        def acted() -> T:
            from apx.mem import actions  # noqa: PLC0415 -- in the thread

            store = self._store()
            store.check()
            return act(store, actions)

        return await _insisting(acted)


async def _aside(work: Callable[[], T]) -> T:
    import asyncio  # noqa: PLC0415 -- as above: whoever asks for a scope needs none

    return await asyncio.to_thread(work)


async def _insisting(work: Callable[[], T]) -> T:
    """Do it once nobody else writes; who waits holds no thread, as those are few."""
    import asyncio  # noqa: PLC0415 -- as above

    loop = asyncio.get_running_loop()
    until = loop.time() + _WAIT
    while True:
        try:
            return await _aside(work)
        except MemFault as fault:
            if fault.code != "busy" or loop.time() >= until:
                raise
        await asyncio.sleep(_PAUSE)


def _checked(fields: Mapping[str, str]) -> dict[str, Value]:
    from apx.mem import check  # noqa: PLC0415 -- in the thread

    return {name: check.field(name, text) for name, text in fields.items()}
