"""A real ledger in a temporary directory, and what condenses its threads."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.agent.prompt import Material, Setting, assemble, room_for
from apx.domain.budget import budget
from apx.domain.compaction import Compaction
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.recall import Recall
from apx.domain.saying import Saying
from apx.domain.turn import Inbound, TurnState
from apx.memory.condenser import Condenser, Rule, Wish
from apx.memory.drafting import Drafting
from apx.memory.windows import Windows
from apx.store import jobs
from apx.store.condensations import Condensations
from apx.store.database import Database
from apx.store.history import History
from apx.store.log import append
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Sequence

    from apx.domain.history import PastTurn, View
    from apx.domain.message import Message
    from apx.domain.thread import Thread
    from apx.domain.turn import Turn
    from apx.ports import ChatModel
    from scripts.benchmarks.condense_truth import Told

SETTING: Final = Setting("You are apx, a helpful assistant.", UTC)
RULES: Final = Compaction()
_BEGAN: Final = datetime(2026, 1, 5, 8, tzinfo=UTC)
_BETWEEN: Final = timedelta(minutes=7)
_ASKED: Final = "…"


@dataclass(frozen=True, slots=True)
class Rig:
    """A ledger with threads, and the size of the window that they are shown in."""

    database: Database
    history: History
    window: int

    @property
    def limit(self) -> int:
        """How long a prompt may be."""
        return budget(self.window)

    @property
    def room(self) -> int:
        """How much of a prompt a thread may take."""
        return room_for(self.limit, SETTING, ())

    @property
    def wish(self) -> Wish:
        """Condense whatever happens; by rule where no model can."""
        return Wish(self.room, rule=Rule.ALWAYS)

    def condenser(self, model: ChatModel) -> Condenser:
        """Make what condenses with this model alone."""

        async def models() -> Sequence[ChatModel]:
            return [model]

        async def flush(thread: Thread, turns: Sequence[PastTurn]) -> int:
            del thread, turns
            return 0

        return Condenser(
            history=self.history,
            condensations=Condensations(self.database),
            drafting=Drafting(models, Windows(), SETTING.instructions),
            flush=flush,
            rules=RULES,
            clock=lambda: _BEGAN,
        )

    async def say(self, thread: Thread, turns: Sequence[Told], first: int) -> None:
        """Write turns in one transaction, as if they had been said and answered."""

        def job(tx: sqlite3.Connection) -> None:
            for number, told in enumerate(turns, start=first):
                _say(tx, thread, told, number)

        await self.database.write(job)

    def prompt(self, view: View, thread: Thread) -> list[Message]:
        """Give what a model is sent of a thread."""
        asked = Material(SETTING, (), view, Recall(), thread, _BEGAN, Saying(_ASKED))
        return assemble(asked, self.limit).messages


@asynccontextmanager
async def rig(window: int) -> AsyncIterator[Rig]:
    """Open an empty ledger; it is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="apx-bench-") as place:
        async with Database.open(Path(place) / "ledger.db", LEDGER) as database:
            yield Rig(database, History(database), window)


def _say(tx: sqlite3.Connection, thread: Thread, told: Told, number: int) -> None:
    at = _BEGAN + number * _BETWEEN
    jobs.accept(tx, Inbound(thread, told.request, at, f"m{number}"))
    turn = jobs.begin(tx, str(thread), at)
    if turn is None:
        raise RuntimeError(f"turn {number} of {thread} does not begin")
    if told.tool:
        _use(tx, turn, told.tool, at)
    ending = Ending(TurnState.COMPLETED, final=told.answer, model="bench:one")
    append(tx, jobs.end_event(turn, ending, at))


def _use(
    tx: sqlite3.Connection, turn: Turn, tool: tuple[str, str, str], at: datetime
) -> None:
    name, arguments, result = tool
    call = {"id": f"c{turn.id}", "name": name, "arguments": arguments}
    step = {"text": "", "calls": [call], "bounded": False}
    got = {"call": call["id"], "name": name, "ok": True, "text": result}
    for kind, body in (
        (EventKind.STEP, step),
        (EventKind.TOOL_RESULT, {**got, "bounded": False, "is_news": False}),
    ):
        append(
            tx,
            Event(
                kind=kind,
                op=f"turn/{turn.id}/{kind}",
                at=at,
                body=body,
                thread=str(turn.thread),
                turn=turn.id,
                person=turn.person,
                audience=turn.audience,
            ),
        )
