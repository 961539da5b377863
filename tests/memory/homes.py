"""A home that says one passage in every place where a home can say anything."""

from __future__ import annotations

import json
import unicodedata
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any

from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.message import NO_USAGE
from apx.domain.note import NewNote
from apx.domain.person import Account, Audience, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, TurnState
from apx.memory.books import NoteBooks
from apx.memory.daily_log import DailyLog
from apx.memory.forgetting import Forgetting, Rooms
from apx.store.candidates import Candidates, NewCandidate
from apx.store.database import Database
from apx.store.erase import Eraser
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.people import People
from apx.store.schema import LEDGER
from apx.testing import TickingClock, WordEmbedder
from tests.memory.rooms import Embedders, rooms

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

MINE = "private:owner"
PLACES = {
    "terminal:main": MINE,
    "telegram:1:9": MINE,
    "telegram:1:-5": "room:telegram:1:-5",
}
ALL = tuple(dict.fromkeys(PLACES.values()))


def forms(passage: str) -> list[str]:
    """Write a passage as people, models and tools do."""
    words = passage.split(" ")
    return [
        passage,
        passage.upper(),
        unicodedata.normalize("NFD", passage),
        "\n".join(words),
        f"**{words[0]}** {' '.join(words[1:])}".strip(),
        json.dumps({"q": passage}),
        "".join(
            c
            for c in unicodedata.normalize("NFD", passage)
            if not unicodedata.combining(c)
        ),
    ]


@dataclass
class Home:
    """The rooms of a home, and what they are made of."""

    path: Path
    database: Database
    memory: Any
    ledger: Ledger
    history: History
    books: NoteBooks
    daily: DailyLog
    eraser: Eraser
    forgetting: Forgetting
    clock: Any
    count: int = 0

    async def turn(self, place: str, text: str, answer: str, **more: Any) -> int:
        """Have a turn said, with a tool that says it, too."""
        self.count += 1
        heard = Inbound(
            Thread.parse(place),
            text,
            self.clock(),
            f"m{self.count}",
            person=more.get("person", "owner"),
            audience=Audience(PLACES[place]),
            quoted=(Quoted(Provenance.FORWARDED, "somebody", more.get("quoted", "x")),),
        )
        await self.ledger.accept(heard)
        turn = await self.ledger.begin(heard.thread, self.clock())
        assert turn is not None
        tool = more.get("tool", "")
        memory = {
            "kind": "message",
            "text": tool,
            "shown": tool,
            "ref": f"turn {turn.id}",
            "thread": place,
            "person": "owner",
            "why": tool,
            "score": 1.0,
            "at": self.clock().isoformat(),
            "channel": "terminal",
        }
        await self.event(
            EventKind.RECALL, turn, memories=[memory], missed=[], withheld=0, spent_ms=1
        )
        call = {
            "id": "c1",
            "name": "look",
            "arguments": json.dumps({"q": tool}),
            "signature": "",
        }
        await self.event(EventKind.STEP, turn, text=tool, calls=[call], bounded=False)
        await self.event(
            EventKind.TOOL_START,
            turn,
            call="c1",
            name="look",
            arguments=json.dumps({"q": tool}),
            effect="none",
        )
        await self.event(
            EventKind.TOOL_RESULT,
            turn,
            call="c1",
            name="look",
            ok=True,
            text=tool,
            bounded=False,
            is_news=True,
        )
        half = len(answer) // 2
        await self.event(EventKind.OUTPUT, turn, text=answer[:half])
        await self.event(EventKind.OUTPUT, turn, text=answer[half:])
        ending = Ending(TurnState.COMPLETED, answer, "", "m:m", NO_USAGE, (answer,))
        await self.ledger.end(turn, ending, self.clock())
        return turn.id

    async def event(self, kind: EventKind, turn: Any, **body: Any) -> None:
        """Write an event of a turn."""
        self.count += 1
        op = f"{kind}/{self.count}"
        await self.ledger.record(
            Event(
                kind,
                op,
                self.clock(),
                body,
                str(turn.thread),
                turn.id,
                turn.person,
                turn.audience,
            )
        )

    async def row(self, sql: str) -> Any:
        """Read one value of the ledger."""
        return (await self.database.fetch(sql))[0][0]

    async def late(self, turn: int, text: str) -> None:
        """Have a turn that is over say something still, as a slow tool does."""
        found = await self.ledger.turn(turn)
        await self.event(EventKind.STEP, found, text=text, calls=[], bounded=False)

    async def person(self, name: str) -> str:
        """Let somebody in."""
        account = Account("telegram", "1", "77")
        found = await People(self.database).add(
            account, Role.MEMBER, name, self.clock(), paired=True
        )
        return found.key

    async def say_everywhere(self, passage: str) -> None:
        """Say a passage in each of its forms, in each of its places."""
        for place, audience in PLACES.items():
            said = forms(passage)
            for number, form in enumerate(said):
                other = said[number - 1]
                await self.turn(
                    place,
                    f"say {form} ok",
                    f"it is {other}, yes",
                    quoted=form,
                    tool=f"found {other}.",
                )
            for number in range(20):
                await self.turn(
                    place, f"what of boat {number}?", f"boat {number} sails"
                )
            await self.ledger.accept(
                Inbound(
                    Thread.parse(place),
                    f"waiting {passage}",
                    self.clock(),
                    f"w{place}",
                    audience=Audience(audience),
                )
            )
            body = {
                "first": 1,
                "last": 4,
                "degraded": False,
                "model": "m:m",
                "until": self.clock().isoformat(),
                "sections": {"PENDING": f"- {passage}"},
                "opening": [{"role": "user", "text": passage}],
                "standing": [
                    {"kind": "goal", "text": passage, "at": "", "is_exact": True}
                ],
            }
            await self.ledger.record(
                Event(
                    EventKind.COMPACT,
                    f"compact/{place}",
                    self.clock(),
                    body,
                    place,
                    0,
                    "owner",
                    audience,
                )
            )
            await self.books.add(
                NewNote(
                    f"n/{place}",
                    f"note {passage}",
                    self.clock(),
                    "terminal",
                    place,
                    audience=audience,
                )
            )
            await self.books.add(
                NewNote(
                    f"o/{place}",
                    passage,
                    self.clock(),
                    "terminal",
                    place,
                    audience=audience,
                )
            )
            await self.books.add(
                NewNote(
                    f"k/{place}",
                    "the boat is blue",
                    self.clock(),
                    "terminal",
                    place,
                    audience=audience,
                )
            )
            fact = NewCandidate(
                f"fact {passage}",
                self.clock(),
                Thread.parse(place),
                self.count,
                audience=audience,
            )
            await Candidates(self.database).propose([fact], self.clock())
        text = (self.path / "memory.md").read_text()
        words = passage.replace(" ", "\n")
        (self.path / "memory.md").write_text(
            f"{text}\nA line of mine.\nof {words} too\nand more\n"
        )
        typed = "".join(
            f"\n# 2026-11-30 10:00:0{n}\n+{line}\n"
            for n, line in enumerate(["hello", f"say {passage}", f"/forget {passage}"])
        )
        (self.path / "history").write_text(typed + f"\n# 2026\n+first\n+{passage}\n")
        (self.path / "ledger.db.schema-2").write_bytes(f"old {passage}".encode())
        await self.books.sync()

    async def settle(self) -> None:
        """Have everything follow that is made of the ledger."""
        await self.daily.catch_up()
        await self.memory.indexer.catch_up()
        await self.memory.engine.save()


@asynccontextmanager
async def home(
    path: Path, embedder: Any = None, *, is_new: bool = True
) -> AsyncIterator[Home]:
    """Open a home as wiring does; one that is not new may have to resume first."""
    clock = TickingClock()
    async with Database.open(path / "ledger.db", LEDGER) as database:
        history = History(database)
        who = Embedders(words=embedder or WordEmbedder())
        async with rooms(path, history, who) as memory:
            books = NoteBooks(path, Notes(database), clock, UTC)
            if is_new:
                await books.sync()
            daily = DailyLog(path / "log", history, UTC)
            eraser = Eraser(database)
            forgetting = Forgetting(
                eraser, Rooms(path, books, memory.chunks, memory.indexer, daily), clock
            )
            first = await history.last_seq()
            yield Home(
                path,
                database,
                memory,
                Ledger(database),
                history,
                books,
                daily,
                eraser,
                forgetting,
                clock,
                first,
            )
            await daily.aclose()


def holding(path: Path, *needles: str) -> list[str]:
    """Name the files whose bytes hold one of some texts, in any normal form."""
    found = []
    wanted = {
        unicodedata.normalize(form, changed).encode()
        for text in needles
        for form in ("NFC", "NFD")
        for changed in (text, text.lower(), text.upper(), json.dumps(text)[1:-1])
    }
    for file in sorted(path.rglob("*")):
        if file.is_file():
            data = file.read_bytes()
            found += [
                f"{file.relative_to(path)}@{data.find(w)}" for w in wanted if w in data
            ]
    return found
