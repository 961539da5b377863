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
_DIGITS: Final = 9
_NO_OP: Final = "no-op"
_HOW: Final = (
    f"/mem keep N, /mem drop N; {EVERY} is all that is proposed. /mem show N shows it"
)
_THEIRS: Final = "The owner decides about these."
_EXPIRED: Final = "This button has expired."
_CHANGED: Final = "It was changed since it was listed; /mem review shows it now:"
_SINCE: Final = "It was changed since, or taken back already."


class Deciding:
    """Lists what waits, and does what its person decides."""

    def __init__(self, curated: Curated, recent: Recent) -> None:
        self._curated = curated
        self._recent = recent

    async def review(self, asked: Asked) -> str:
        """List what waits; to a member what they proposed themselves."""
        rows = await self._waiting(asked)
        shown = rows[:_SHOWN]
        self._recent.review(asked, shown)
        if not rows:
            return NOTHING
        how = _HOW if is_owner(asked) else _THEIRS
        return f"{waiting(shown, len(rows))}\n{how}"

    async def buttons(self, asked: Asked) -> tuple[Button, ...]:
        """Give two buttons for each that `review` lists."""
        if not is_owner(asked):
            return ()
        # Those of the very list: what came since has another number there.
        seen = self._recent.reviewed(asked).items()
        return tuple(
            Button(f"{label} {number}", f"{word}:{sign(name)}.{version}")
            for number, (name, version) in enumerate(seen, start=1)
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
        parts = [_parted(self._recent.meant(asked, name)) for name in names]
        meant = [name for name, _ in parts]
        seen = asked.sight.audiences
        found = [await self._found(asked, name) for name in meant]
        if word == KEEP:
            self._must_be_seen(asked, found, [version for _, version in parts])
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

    def _must_be_seen(
        self, asked: Asked, found: Sequence[Memory], versions: Sequence[int]
    ) -> None:
        """Refuse to keep what its writer has changed since it was listed."""
        known = self._recent.reviewed(asked)
        for memory, version in zip(found, versions, strict=True):
            before = version or known.get(memory.id, memory.version)
            if memory.status == PROPOSED and before != memory.version:
                raise InputError(f"{_CHANGED} {memory.title}")

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
        if not name:
            # Only now: what fails can be tried again.
            self._recent.took_back(asked)
        return self._recent.answered(asked, "\n".join(said))

    async def _named(self, asked: Asked, name: str, version: str) -> tuple[str, int]:
        name = self._recent.meant(asked, name)
        name, _, at = name.partition(".")
        memory = await self._found(asked, name)
        number = (at or version)[:_DIGITS]
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
        """Decide about what is proposed; `all` keeps nothing of others' words.

        Nor what somebody else proposed, or changed, since it was listed.
        """
        proposed = [r for r in await self._waiting(asked) if r["status"] == PROPOSED]
        known, speaker = self._recent.reviewed(asked), Speaker.asking(asked)

        def is_seen(row: Row) -> bool:
            if known.get(row["id"]) == row["version"] or speaker.wrote(row["source"]):
                return True
            return not row["source"].startswith("person:")

        chosen = [
            r
            for r in proposed
            if word != KEEP or (not is_foreign(r["source"]) and is_seen(r))
        ]
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


def _parted(name: str) -> tuple[str, int]:
    """Part a button's sign from the version that it was made for; 0 if none."""
    if not name.startswith("~"):
        return name, 0
    name, _, version = name.partition(".")
    return name, int(version) if version.isdecimal() else 0


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
