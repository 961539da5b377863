"""What is decided about curated memories in a chat: kept, dropped, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.agent.mem_rights import Speaker
from apx.agent.mem_told import waiting
from apx.domain.errors import Expired, InputError
from apx.domain.heard import Button
from apx.domain.person import Role
from apx.mem.curated import is_foreign, sign
from apx.mem.faults import MemFault
from apx.mem.memory import ACTIVE, ARCHIVED, FLOOR, PROPOSED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Row

    from apx.agent.asked import Asked
    from apx.agent.mem_recent import Recent
    from apx.mem.curated import Curated
    from apx.mem.deeds import Done
    from apx.mem.memory import Memory

EVERY: Final = "all"
NOTHING: Final = "Nothing to review."
KEEP: Final = "keep"
_OWNERS: Final = "Only the owner can do that."
_SHOWN: Final = 10
# One commit each: more than these are not decided with one word.
_AT_ONCE: Final = 100
_NO_OP: Final = "no-op"
_HOW: Final = (
    f"/mem keep N, /mem drop N; {EVERY} is all that is proposed. /mem show N shows it"
)
_THEIRS: Final = "The owner decides about these."
_EXPIRED: Final = "This button has expired."
_SINCE: Final = "It was changed since, or taken back already."


class Deciding:
    """Lists what waits, and does what its person decides."""

    def __init__(self, curated: Curated, recent: Recent) -> None:
        self._curated = curated
        self._recent = recent

    async def review(self, asked: Asked) -> str:
        """List what waits; to a member what they proposed themselves."""
        rows = await self._waiting(asked)
        if not rows:
            return NOTHING
        shown = rows[:_SHOWN]
        self._recent.show(asked, [row["id"] for row in shown])
        how = _HOW if is_owner(asked) else _THEIRS
        return f"{waiting(shown, len(rows))}\n{how}"

    async def buttons(self, asked: Asked) -> tuple[Button, ...]:
        """Give two buttons for each that `review` lists."""
        if not is_owner(asked):
            return ()
        rows = (await self._waiting(asked))[:_SHOWN]
        return tuple(
            Button(f"{label} {number}", f"{word}:{sign(row['id'])}")
            for number, row in enumerate(rows, start=1)
            for label, word in (("Keep", "mkeep"), ("Drop", "mdrop"))
        )

    async def decide(self, asked: Asked, word: str, what: str) -> str:
        """Keep or drop what is named, all of it or nothing."""
        if not is_owner(asked):
            raise InputError(_OWNERS)
        names = what.replace(",", " ").split()
        if not names:
            raise InputError(f"which one? /mem {word} N, or /mem {word} {EVERY}")
        if [name.lower() for name in names] == [EVERY]:
            return await self._decide_all(asked, word)
        if len(names) > _AT_ONCE:
            raise InputError(f"{_AT_ONCE} at once is the most")
        meant = [self._recent.meant(asked, name) for name in names]
        seen = asked.sight.audiences
        found = [await self._found(asked, name) for name in meant]
        said: list[str] = []
        done: list[Done] = []
        for name, memory in zip(meant, found, strict=True):
            told = _over(memory, word, is_button=name.startswith("~"))
            if not told:
                one = await self._write(word, memory.id, seen)
                told, done = _told(one, memory), [*done, *_written(one)]
            said.append(told)
        self._recent.wrote(asked, done)
        return "\n".join(said)

    async def undo(self, asked: Asked, what: str) -> str:
        """Take back the last write there, or that of the memory that is named."""
        if before := self._recent.answer(asked):
            return before
        name, _, version = what.strip().partition(" ")
        if not name:
            writes = self._recent.last(asked)
        else:
            writes = [await self._named(asked, name, version)]
        if not writes:
            return "There is nothing to take back here; /mem undo N, or ID, names it."
        said = [await self._undone(asked, *write) for write in writes]
        return self._recent.answered(asked, "\n".join(said))

    async def _named(self, asked: Asked, name: str, version: str) -> tuple[str, int]:
        name = self._recent.meant(asked, name)
        name, _, at = name.partition(".")
        memory = await self._found(asked, name)
        number = at or version
        return memory.id, int(number) if number.isdecimal() else memory.version

    async def _found(self, asked: Asked, name: str) -> Memory:
        try:
            return await self._curated.shown(name, asked.sight.audiences)
        except MemFault as fault:
            if name.startswith("~") and fault.code == "not_found":
                raise Expired(_EXPIRED) from fault
            raise

    async def _undone(self, asked: Asked, name: str, version: int) -> str:
        seen = asked.sight.audiences
        memory = await self._curated.shown(name, seen)
        if not (is_owner(asked) or Speaker.asking(asked).may_change(memory)):
            raise InputError(_OWNERS)
        if memory.version != version:
            return f"{_SINCE} {memory.title}"
        done = await self._curated.undo(name, version, seen)
        now = await self._curated.shown(name, seen)
        what = (
            "it is dropped" if now.status == ARCHIVED else f"it is {now.status} again"
        )
        return f"Taken back: {now.title} ({what}, version {done.version})"

    async def _decide_all(self, asked: Asked, word: str) -> str:
        """Decide about what is proposed; `all` keeps nothing of others' words."""
        proposed = [r for r in await self._waiting(asked) if r["status"] == PROPOSED]
        chosen = [r for r in proposed if word != KEEP or not is_foreign(r["source"])]
        seen = asked.sight.audiences
        done = [await self._write(word, row["id"], seen) for row in chosen[:_AT_ONCE]]
        done = [one for deed in done for one in _written(deed)]
        self._recent.wrote(asked, done)
        if not proposed:
            return NOTHING
        said = f"{_PAST[word]} {len(done)}."
        left = len(proposed) - len(done)
        return f"{said} {left} more wait: /mem review" if left else said

    async def _write(self, word: str, name: str, seen: Sequence[str]) -> Done:
        if word == KEEP:
            return await self._curated.accept(name, seen)
        return await self._curated.reject(name, seen)

    async def _waiting(self, asked: Asked) -> list[Row]:
        rows = await self._curated.waiting(asked.sight.audiences)
        if is_owner(asked):
            return rows
        speaker = Speaker.asking(asked)
        return [
            row
            for row in rows
            if row["status"] == PROPOSED and speaker.wrote(row["source"])
        ]


def is_owner(asked: Asked) -> bool:
    """Whether the owner asks, wherever that is: nobody else types a command."""
    return asked.heard.role is Role.OWNER


_PAST: Final = {KEEP: "Kept", "drop": "Dropped"}


def _over(memory: Memory, word: str, *, is_button: bool) -> str:
    """Say that it was decided already; a button outlives what it was made for."""
    if memory.status == ARCHIVED:
        return f"Dropped already: {memory.title}"
    is_sure = memory.text("verified") and memory.confidence >= FLOOR
    if memory.status == ACTIVE and is_sure and (is_button or word == KEEP):
        return f"Kept already: {memory.title}"
    return ""


def _told(done: Done, memory: Memory) -> str:
    word = _PAST[KEEP] if done.outcome == "accepted" else _PAST["drop"]
    if done.outcome == _NO_OP:
        return f"Done already: {memory.title}"
    return f"{word}: {memory.title}"


def _written(done: Done) -> list[Done]:
    return [] if done.outcome == _NO_OP else [done]
