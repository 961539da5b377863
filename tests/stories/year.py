"""One long conversation in a ledger file, and all that must hold of it at any time."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from apx.agent.condensing import Condensing
from apx.agent.prompt import Setting, room_for
from apx.agent.shortening import Shortening
from apx.agent.toolbox import Bench
from apx.domain.budget import cost
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.fitting import fit, messages, share
from apx.domain.message import Message, Role
from apx.domain.person import OWNERS_OWN
from apx.domain.text import estimate_tokens
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, Turn, TurnState
from apx.memory.condenser import Condenser
from apx.memory.drafting import Drafting
from apx.memory.windows import Windows
from apx.store import jobs
from apx.store.condensations import Condensations
from apx.store.database import Database
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.log import append
from apx.store.schema import LEDGER
from apx.store.search import MessageSearch
from apx.store.verify import verify
from apx.testing import ScriptedModel, TickingClock, until

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from apx.domain.compaction import Compaction
    from apx.domain.condensation import Condensation
    from apx.domain.history import View

MAIN: Final = Thread("terminal", "main")
WIDE: Final = ScriptedModel(["fine"], name="scripted:wide", window=32_000)
SMALL: Final = ScriptedModel(["fine"], name="scripted:small", window=8_192)
SETTING: Final = Setting("", UTC)
# Everything that is said has this word in it, and a number that nothing else has.
WORD: Final = "crate"
# What a record's heading, its opening and its marks may take of its room, in tokens.
_HEADING: Final = 300
_FIRST: Final = 6  # rules that set up the conversation
_AIMS: Final = 3  # of them in the very first message, which is not of the kind RULE
_RULES: Final = 1_500  # tokens that a person's rules may take in all
_MARKS: Final = 12
_BEGINNING: Final = 60  # characters of a message that stand however long it is


class Kind(StrEnum):
    """What a turn is like."""

    PLAIN = "plain"
    LONG = "long"
    RULE = "rule"
    TASK = "task"
    STOPPED = "stopped"
    FAILED = "failed"
    RETRIED = "retried"
    TOOL = "tool"
    HEAVY = "heavy"
    ORPHAN = "orphan"


_ASKED: Final = {
    Kind.LONG: "{name} holds" + " cups and plates," * 150,
    Kind.RULE: "Never open {name} without me.",
    Kind.TASK: "Next task: paint {name}",
}
_STATES: Final = {
    Kind.STOPPED: TurnState.STOPPED,
    Kind.FAILED: TurnState.FAILED,
    Kind.RETRIED: TurnState.INTERRUPTED,
}
_RESULTS: Final = {Kind.TOOL: "it is empty", Kind.HEAVY: "a saucer, " * 700}
_UNANSWERED: Final = frozenset({TurnState.FAILED, TurnState.INTERRUPTED})


@dataclass(slots=True)
class Said:
    """A turn as the test remembers it; `name` is in its request and in no other's."""

    turn: Turn
    kind: Kind
    name: str
    state: TurnState
    is_hidden: bool = False
    is_repeated: bool = False

    @property
    def is_stopped(self) -> bool:
        return self.state is TurnState.STOPPED


class Conversation:
    """A thread that is written to, condensed, rewound, and looked at from all sides."""

    def __init__(self, path: Path, rules: Compaction) -> None:
        self.said: list[Said] = []
        self.summarisers: list[ScriptedModel] = []
        self.model = WIDE
        self._path = path
        self._rules = rules
        self._clock = TickingClock()
        self._number = 0
        self._began = 0  # the place in `said` of the first turn since /new
        self._open = AsyncExitStack()

    async def open(self) -> None:
        """Open the ledger with all that stands on it, as a process does."""
        opened = Database.open(self._path, LEDGER)
        self._database = await self._open.enter_async_context(opened)
        self.ledger = Ledger(self._database)
        self.history = History(self._database)
        self.condensations = Condensations(self._database)
        condenser = Condenser(
            history=self.history,
            condensations=self.condensations,
            drafting=Drafting(self._asked, Windows(), "You are apx."),
            flush=self._flush,
            rules=self._rules,
            clock=self._clock,
        )
        self.condensing = Condensing(
            condenser=condenser,
            history=self.history,
            models=self._chosen,
            windows=Windows(),
            bench=Bench({}),
            setting=SETTING,
        )
        self._shortening = Shortening(self.condensing, self.history, pauses=())
        await self._open.enter_async_context(self._shortening.open())

    async def close(self) -> None:
        """Leave nothing behind but the file."""
        await self._open.aclose()

    async def restart(self) -> None:
        """Begin a new process; it sees what the one before saw."""
        before = await self.history.view(MAIN)
        await self.close()
        await self.open()
        assert await self.history.view(MAIN) == before

    async def _asked(self) -> Sequence[ScriptedModel]:
        return self.summarisers

    async def _chosen(self, _: str) -> ScriptedModel:
        return self.model

    async def _flush(self, _: Thread, turns: Sequence[object]) -> int:
        return len(turns)

    # What a person does.

    async def say(self, kinds: Sequence[Kind], first: str = "") -> None:
        """Have so many turns, all in one transaction; `first` is what is said first."""

        def job(tx: sqlite3.Connection) -> None:
            for place, kind in enumerate(kinds):
                self._say(tx, kind, "" if place else first)

        await self._database.write(job)

    async def begin(self) -> Said:
        """Have a turn that goes on running."""

        def job(tx: sqlite3.Connection) -> Said:
            return self._asked_for(tx, Kind.PLAIN, "")

        return await self._database.write(job)

    async def finish(self, one: Said) -> None:
        """End a turn that runs."""
        await self._database.write(lambda tx: self._end(tx, one, TurnState.COMPLETED))

    async def retry(self) -> None:
        """Have the newest turn's request run again, if it was not answered."""
        newest = self.shown()[-1] if self.shown() else None
        if newest is not None and newest.state is not TurnState.COMPLETED:
            await self._database.write(lambda tx: self._again(tx, newest))

    async def fresh(self) -> None:
        """Begin afresh, as `/new` does."""
        await self.event(EventKind.FRESH)
        self._began = len(self.said)

    async def rewind(self, to: Said) -> None:
        """Hide all that came after a turn."""
        await self.event(EventKind.REWIND, to=to.turn.id)
        for one in self.said:
            is_later = one.turn.id > to.turn.id
            one.is_hidden |= is_later

    async def by_hand(self) -> Condensation | None:
        """Condense because a person says so; gives what came of it."""
        outcome = await self.condensing.now(MAIN)
        assert outcome is not None
        return outcome.made

    async def undo(self) -> bool:
        """Take the newest condensation back; false if there is none."""
        undone = await self.condensing.undo(MAIN, f"undo/{self._clock()}")
        return undone.number > 0

    async def event(self, kind: EventKind, **body: object) -> None:
        """Write an event of the thread."""
        at = self._clock()
        await self.ledger.record(Event(kind, f"{kind}/{at}", at, body, str(MAIN)))

    async def settle(self) -> None:
        """Condense behind the conversation, if it is due."""
        with self._shortening.beside(MAIN):
            pass
        await until(lambda: not self._shortening._tasks)
        trouble = self.condensing.trouble.get(str(MAIN), "")
        assert "apx.log" not in trouble

    async def seen(self) -> list[Message]:
        """Give what the model of now is shown before the next message."""
        return await self.condensing.seen(MAIN)

    def shown(self) -> list[Said]:
        """Give the turns since `/new` that a model may see, the stopped among them."""
        return [
            one
            for one in self.said[self._began :]
            if not one.is_hidden and not one.is_repeated
        ]

    # How a turn is written.

    def _say(self, tx: sqlite3.Connection, kind: Kind, first: str) -> None:
        one = self._asked_for(tx, kind, first)
        self._work(tx, one)
        self._end(tx, one, _STATES.get(kind, TurnState.COMPLETED))
        if kind is Kind.RETRIED:
            self._again(tx, one)

    def _asked_for(self, tx: sqlite3.Connection, kind: Kind, first: str) -> Said:
        self._number += 1
        name = f"{WORD} {self._number:05d}"
        text = first or _ASKED.get(kind, "what is in {name}?")
        key, at = f"m{self._number}", self._clock()
        jobs.accept(tx, Inbound(MAIN, text.format(name=name), at, key))
        return self._begun(tx, kind, name)

    def _begun(self, tx: sqlite3.Connection, kind: Kind, name: str) -> Said:
        turn = jobs.begin(tx, str(MAIN), self._clock())
        assert turn is not None
        self.said.append(Said(turn, kind, name, TurnState.RUNNING))
        return self.said[-1]

    def _again(self, tx: sqlite3.Connection, one: Said) -> None:
        append(tx, jobs.retry_event(one.turn, f"retry/{one.turn.id}", self._clock()))
        one.is_repeated = True
        self._end(tx, self._begun(tx, Kind.PLAIN, one.name), TurnState.COMPLETED)

    def _end(self, tx: sqlite3.Connection, one: Said, state: TurnState) -> None:
        final = f"about {one.name}: fine" if state is TurnState.COMPLETED else None
        one.state = state
        append(tx, jobs.end_event(one.turn, Ending(state, final=final), self._clock()))

    def _work(self, tx: sqlite3.Connection, one: Said) -> None:
        """Write what the model did on the way: two calls at once, late or lost."""
        if one.kind not in {Kind.TOOL, Kind.HEAVY, Kind.ORPHAN}:
            return
        calls = [
            {"id": f"s1c{n}", "name": "look", "arguments": "{}", "signature": ""}
            for n in (1, 2)
        ]
        self._of(tx, one, EventKind.STEP, text="", calls=calls, bounded=False)
        for call in ("s1c2", "s1c1") if one.kind in _RESULTS else ("s1c2", "s9c9"):
            text = _RESULTS.get(one.kind, "of nothing that was asked")
            body = {"call": call, "name": "look", "ok": True, "text": text}
            self._of(tx, one, EventKind.TOOL_RESULT, **body, bounded=False)

    def _of(
        self, tx: sqlite3.Connection, one: Said, kind: EventKind, **body: Any
    ) -> None:
        op = f"{kind}/{one.turn.id}/{body.get('call', '')}"
        append(tx, Event(kind, op, self._clock(), body, str(MAIN), one.turn.id))

    # What must hold.

    async def check(self) -> None:
        """Look at the thread from all sides."""
        view = await self.history.view(MAIN)
        self._check_ranges(view)
        for model in (WIDE, SMALL):
            room = room_for(Windows().limit(model), SETTING, [])
            fitted = fit(view, room)
            self._check_ranges(fitted)
            self._check_words(fitted, room)
        await self._check_found()

    async def verify(self) -> None:
        """Replay the log: the tables say what it says."""
        assert await verify(self._path) == []

    def _check_ranges(self, view: View) -> None:
        """No turn is missing, none is twice, and a record reaches over no other."""
        shown = self.shown()
        record = view.condensation
        last = record.last if record else 0
        condensed = [one for one in shown if one.turn.ordinal <= last]
        rest = [one.turn.id for one in shown[len(condensed) :]]
        assert [past.turn.id for past in view.past] == rest
        assert view.unread == 0
        if record is None:
            return
        assert condensed
        assert record.first == condensed[0].turn.ordinal
        wanted = next(one for one in condensed if not one.is_stopped)
        assert record.opening[0].text[:_BEGINNING] == wanted.turn.request[:_BEGINNING]
        before = [one.turn.id for one in self.said[: self._began]]
        ids = {one.turn.id for one in self.said if not one.is_hidden} - {*before}
        ordinals = {one.turn.ordinal for one in self.said if one.turn.id in ids}
        assert {*range(record.first, record.last + 1)} <= ordinals

    def _check_words(self, view: View, room: int) -> None:
        """What counts is there word for word, what was hidden is not, and all fits."""
        written = messages(view, room, UTC)
        assert cost(written) <= room
        wanted = [one for one in self.shown() if not one.is_stopped]
        asked = [m.text for m in written if m.role is Role.USER]
        kept = wanted[len(wanted) - len(asked) :]
        assert all(one.name in text for one, text in zip(kept, asked, strict=True))
        text = "\n".join(m.text for m in written)
        gone = [one for one in self.said if one.is_hidden]
        living = {one.name for one in self.said if not one.is_hidden}
        before = [one for one in self.said[: self._began] if not one.is_hidden]
        for one in [*gone, *before]:
            # A retry has its request from a turn that may be there still.
            assert one.name not in text or (one.is_hidden and one.name in living)
        if view.condensation and wanted:
            assert wanted[0].turn.request[:_BEGINNING] in text
            self._check_rules(wanted, text, room)

    def _check_rules(self, wanted: Sequence[Said], text: str, room: int) -> None:
        """The first rules and the newest, as room allows; then the newest task."""
        spare = min(_RULES, (share(room) - _HEADING) // 2)
        rules = [one.turn.request for one in wanted if one.kind is Kind.RULE]
        tasks = [one.turn.request for one in wanted if one.kind is Kind.TASK]
        first = _FIRST
        if wanted[0].turn.id == self.said[0].turn.id:
            first -= _AIMS
            spare -= estimate_tokens(wanted[0].turn.request) + _AIMS * _MARKS
        ranked = [*rules[:first], *reversed(rules[first:])]
        for said in [*ranked, *tasks[-1:]]:
            spare -= estimate_tokens(said) + _MARKS
            if spare < 0:
                return
            assert said in text

    async def _check_found(self) -> None:
        """All but what was rewound is found by its words, and in the transcript."""
        there = [one.turn.id for one in self.said if not one.is_hidden]
        read = await self.history.transcript(MAIN, len(self.said) + 1)
        assert [turn.id for turn in read] == there
        search = MessageSearch(self._path)
        audience = str(OWNERS_OWN)
        found = await search.search(WORD, [audience], MAIN, len(self.said) + 1)
        assert [hit.turn for hit in reversed(found)] == there
        if there:
            one = next(said for said in self.said if said.turn.id == there[0])
            hits = await search.search(one.name, [audience], None, 9)
            assert there[0] in {hit.turn for hit in hits}
