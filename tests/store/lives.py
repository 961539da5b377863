"""Random lives of a ledger, in which a passage is said in many ways."""
# ruff: noqa: ARG002 -- the steps of a life all take the same

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from apx.domain.attachment import Attachment, Gathered, Medium
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.heard import Caller, Heard, What
from apx.domain.message import NO_USAGE
from apx.domain.note import NewNote
from apx.domain.person import Account, Audience, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, PartState, TurnState
from apx.store.candidates import Candidates, CandidateState, NewCandidate
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox
from apx.store.people import People

if TYPE_CHECKING:
    from apx.store.database import Database

PASSAGE = "canción Zürich-7741"
WORD = "7741"
MINE = "private:owner"
ROOM = "room:telegram:1:-5"
PLACES = {
    "terminal:main": MINE,
    "terminal:work": MINE,
    "telegram:1:9": "private:ana",
    "telegram:1:-5": ROOM,
}
SAID = st.sampled_from(
    [
        "hello there",
        "the canci",
        "canción",
        "Zürich-7741",
        "ón Zürich-7741",
        f"my {PASSAGE} is new",
        PASSAGE.upper(),
        "la cancion  zurich-7741!",
        unicodedata.normalize("NFD", f"x {PASSAGE}"),
        "canción\n**Zürich**-7741",
        f"{PASSAGE} {PASSAGE}",
        json.dumps({"text": f"a {PASSAGE}", "n": 4}),
        "[forgotten]",
        "",
        "canción Zürich-77411",
    ]
)
OPS = st.sampled_from(
    [
        *("hear", "hear", "begin", "begin", "join", "output", "output", "end", "end"),
        *("step", "deliver", "note", "forget", "move", "fact", "drop", "compact"),
        *(
            "attach",
            "gather",
            "edit",
            "edit",
            "overhear",
            "undo",
            "rewind",
            "fresh",
            "retry",
            "recall",
            "withdraw",
            "account",
            "part",
        ),
    ]
)
LIVES = st.lists(
    st.tuples(OPS, st.sampled_from(list(PLACES)), SAID, SAID), min_size=4, max_size=40
)


class Life:
    """Does what is said; what cannot be done now is passed over."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.ledger = Ledger(database)
        self.heard: list[Inbound] = []
        self._ids = count(1)
        self._at = datetime(2026, 11, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self._at += timedelta(seconds=7)
        return self._at

    async def live(self, steps: Any) -> None:
        for name, place, one, other in steps:
            await getattr(self, f"_{name}")(place, one, other)

    async def row(self, sql: str, *values: Any) -> Any:
        found = await self._database.fetch(sql, *values)
        return found[0] if found else None

    async def running(self, place: str) -> Any:
        row = await self.row(
            "select id from turn where thread = ? and state = 'running'", place
        )
        return await self.ledger.turn(row[0]) if row else None

    async def _event(
        self, kind: EventKind, place: str, turn: int = 0, **body: Any
    ) -> None:
        op = f"{kind}/{next(self._ids)}"
        person = "ana" if PLACES[place] == "private:ana" else "owner"
        await self.ledger.record(
            Event(kind, op, self.now(), body, place, turn, person, PLACES[place])
        )

    async def _attach(self, place: str, one: str, other: str) -> None:
        file = Attachment(Medium.DOCUMENT, "ref", title=other)
        heard = self._said(place, one)
        self.heard.append(replace(heard, files=(file,)))
        await self.ledger.accept(self.heard[-1])

    async def _gather(self, place: str, one: str, other: str) -> None:
        for held in await self.ledger.held():
            files = tuple(replace(file, sha="0" * 64) for file in held.files)
            quoted = (Quoted(Provenance.ATTACHED, one, other),)
            found = Gathered(held.key, files, one, quoted)
            await self.ledger.gather([found], self.now())
            return

    async def _edit(self, place: str, one: str, other: str) -> None:
        mine = [heard for heard in self.heard if str(heard.thread) == place]
        if mine and one:
            heard = replace(mine[len(other) % len(mine)], text=one, at=self.now())
            await self.ledger.edit(heard, str(next(self._ids)))

    async def _overhear(self, place: str, one: str, other: str) -> None:
        account = Account("telegram", "1", "77")
        caller = Caller(account, Thread.parse(ROOM.partition(":")[2]), other, "-5")
        name = f"o{next(self._ids)}"
        await self.ledger.overhear(Heard(caller, one, self.now(), name, What.CONTEXT))

    def _said(self, place: str, one: str, other: str = "") -> Inbound:
        person = "ana" if PLACES[place] != MINE and one < "m" else "owner"
        person = "ana" if PLACES[place] == "private:ana" else person
        return Inbound(
            Thread.parse(place),
            one or "x",
            self.now(),
            f"m{next(self._ids)}",
            person=person,
            audience=Audience(PLACES[place]),
            role=Role.MEMBER if person == "ana" else Role.OWNER,
            speaker="Ana" if person == "ana" else "",
            quoted=(Quoted(Provenance.FORWARDED, one[:9], other),) if other else (),
        )

    async def _hear(self, place: str, one: str, other: str) -> None:
        self.heard.append(self._said(place, one, other))
        await self.ledger.accept(self.heard[-1])

    async def _begin(self, place: str, one: str, other: str) -> None:
        await self.ledger.begin(Thread.parse(place), self.now())

    async def _join(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            await self._hear(place, one, other)
            await self.ledger.join(turn, self.heard[-1])

    async def _output(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            await self._event(EventKind.OUTPUT, place, turn.id, text=one)
            await self._event(EventKind.OUTPUT, place, turn.id, text=other)

    async def _end(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            state = TurnState.COMPLETED if one else TurnState.FAILED
            ending = Ending(
                state, one or None, other, "m:m", NO_USAGE, (one, other) if one else ()
            )
            await self.ledger.end(turn, ending, self.now())

    async def _step(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            call = {"id": "s1c1-a", "name": "t", "arguments": one, "signature": "s"}
            await self._event(
                EventKind.STEP, place, turn.id, text=other, calls=[call], bounded=False
            )
            await self._event(
                EventKind.TOOL_RESULT,
                place,
                turn.id,
                call="s1c1-a",
                name="t",
                ok=True,
                text=other,
                bounded=False,
                is_news=True,
            )

    async def _recall(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            memory = {
                "kind": "note",
                "text": one,
                "shown": other,
                "ref": "note 3",
                "thread": "terminal:work",
                "person": "ana",
                "why": "x",
            }
            await self._event(EventKind.RECALL, place, turn.id, memories=[memory])

    async def _deliver(self, place: str, one: str, other: str) -> None:
        parts = await Outbox(self._database).due(Thread.parse(place))
        for part in parts:
            state = PartState.SENT if one else PartState.UNKNOWN
            await Outbox(self._database).mark(part, PartState.SENDING, self.now())
            await Outbox(self._database).mark(part, state, self.now(), error=other)

    async def _note(self, place: str, one: str, other: str) -> None:
        new = NewNote(
            f"note/{next(self._ids)}",
            one or "x",
            self.now(),
            "c",
            place,
            person="ana" if PLACES[place] == "private:ana" else "owner",
            audience=PLACES[place],
        )
        await Notes(self._database).add_note(new)

    async def _forget(self, place: str, one: str, other: str) -> None:
        if row := await self.row(
            "select id from note where state = 'live' and text > ?", one
        ):
            await Notes(self._database).forget_note(row[0], f"f/{row[0]}", self.now())

    async def _move(self, place: str, one: str, other: str) -> None:
        if row := await self.row("select id from note where text > ?", one):
            op = f"v/{next(self._ids)}"
            await Notes(self._database).move_note(row[0], PLACES[place], op, self.now())

    async def _fact(self, place: str, one: str, other: str) -> None:
        if turn := await self.running(place):
            fact = NewCandidate(
                one,
                self.now(),
                turn.thread,
                turn.id,
                person=turn.person,
                audience=turn.audience,
            )
            await Candidates(self._database).propose([fact], self.now())

    async def _drop(self, place: str, one: str, other: str) -> None:
        if row := await self.row("select id from candidate where text > ?", one):
            await Candidates(self._database).end(
                row[0], CandidateState.DROPPED, self.now()
            )

    async def _compact(self, place: str, one: str, other: str) -> None:
        row = await self.row("select turns from thread where name = ?", place)
        if row and row[0]:
            await self._event(
                EventKind.COMPACT,
                place,
                first=1,
                last=max(1, row[0] - len(one) % 3),
                degraded=False,
                model="m:m",
                until=self.now().isoformat(),
                sections={"PENDING": one},
                opening=[{"role": "user", "text": other}],
                standing=[],
                condenser="v2",
            )

    async def _undo(self, place: str, one: str, other: str) -> None:
        row = await self.row(
            "select id from condensation where thread = ? and state = 'valid'", place
        )
        if row:
            await self._event(EventKind.COMPACT_UNDO, place, compact=row[0])

    async def _rewind(self, place: str, one: str, other: str) -> None:
        row = await self.row(
            "select id from turn where thread = ? and state <> 'running' and hidden = 0"
            " order by id",
            place,
        )
        if row and not await self.running(place):
            await self._event(EventKind.REWIND, place, to=row[0])

    async def _fresh(self, place: str, one: str, other: str) -> None:
        await self._event(EventKind.FRESH, place)

    async def _retry(self, place: str, one: str, other: str) -> None:
        row = await self.row(
            "select id from turn where thread = ? and state = 'failed'", place
        )
        if row and (turn := await self.ledger.turn(row[0])):
            await self.ledger.retry(turn, f"r/{next(self._ids)}", self.now())

    async def _withdraw(self, place: str, one: str, other: str) -> None:
        for heard in self.heard[-1:]:
            await self.ledger.withdraw(heard.thread, heard.key, self.now())

    async def _account(self, place: str, one: str, other: str) -> None:
        account = Account("telegram", "1", str(len(one) % 4))
        people = People(self._database)
        await people.add(account, Role.MEMBER, one, self.now(), paired=False)

    async def _part(self, place: str, one: str, other: str) -> None:
        account = Account("telegram", "1", str(len(one) % 4))
        op = f"part/{next(self._ids)}"
        await People(self._database).part(account, self.now(), op)
