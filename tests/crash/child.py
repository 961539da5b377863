"""One life of an assistant that may end by SIGKILL at a named point.

    python -m tests.crash.child HOME POINT [MESSAGE ID]

Says what it acknowledged on stdout and appends what it delivered to HOME/delivered,
each as a line of JSON that is on the disk before it goes on.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apx.agent.commands import Commands
from apx.agent.condensing import Condensing
from apx.agent.delivery import Delivery
from apx.agent.explain import Explainer
from apx.agent.gateway import Gateway
from apx.agent.gathering import Gathering
from apx.agent.loop import Agent
from apx.agent.policy import Policy
from apx.agent.prompt import Setting
from apx.agent.reading import Reading
from apx.agent.recovery import Recovery
from apx.agent.shortening import Shortening
from apx.agent.sights import Sights
from apx.agent.talk_commands import TalkCommands
from apx.agent.toolbox import Bench
from apx.agent.tools.notes import Remember
from apx.domain.compaction import Compaction
from apx.domain.message import Role, ToolCall
from apx.domain.thread import Thread
from apx.domain.tool import Effect
from apx.domain.turn import Inbound
from apx.memory.books import NoteBooks
from apx.memory.broker import Broker
from apx.memory.candidates import Proposals
from apx.memory.condenser import Condenser
from apx.memory.drafting import Drafting
from apx.memory.windows import Windows
from apx.providers.documents import extracted
from apx.store.candidates import Candidates
from apx.store.condensations import Condensations
from apx.store.database import Database
from apx.store.files import Files
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox
from apx.store.people import People
from apx.store.schema import LEDGER
from apx.store.threads import Threads
from apx.testing import FixedSource, FunctionTool, MemoryChannel, ScriptedModel

MAIN = Thread("terminal", "main")

POINTS = (
    "before accept",
    "after accept",
    "before begin",
    "after begin",
    "in recall",
    "mid stream",
    "in note",
    "before end",
    "after end",
    "before send",
    "after send",
)
OUTSIDE_POINTS = ("in outside", "after outside")
DIE = "(here)"


def now():
    return datetime.now(UTC)


class Fate:
    """Kills this very process when the point is reached."""

    def __init__(self, point):
        self._point = point

    async def mid_stream(self, ledger):
        """Die once what was shown is in the log, which takes a moment."""
        if self._point == "mid stream":
            while not (await ledger.newest(MAIN)).partial:  # noqa: ASYNC110 -- this is the child, not the test
                await asyncio.sleep(0.01)
            self.at("mid stream")

    def at(self, point):
        if point == self._point:
            os.kill(os.getpid(), signal.SIGKILL)


class MortalLedger(Ledger):
    def __init__(self, database, fate):
        super().__init__(database)
        self._fate = fate

    async def accept(self, heard):
        self._fate.at("before accept")
        accepted = await super().accept(heard)
        self._fate.at("after accept")
        return accepted

    async def begin(self, thread, at):
        self._fate.at("before begin")
        turn = await super().begin(thread, at)
        if turn is not None:
            self._fate.at("after begin")
        return turn

    async def end(self, turn, ending, at):
        self._fate.at("before end")
        await super().end(turn, ending, at)
        self._fate.at("after end")


class MortalNotes(Notes):
    def __init__(self, database, fate):
        super().__init__(database)
        self._fate = fate

    async def add_note(self, note):
        added = await super().add_note(note)
        self._fate.at("in note")
        return added


class MortalChannel(MemoryChannel):
    def __init__(self, path, fate):
        super().__init__()
        self._path = path
        self._fate = fate

    async def deliver(self, part, note):
        del note
        self._fate.at("before send")
        write_line(self._path, {"text": part.text, "repeat": part.is_repeat})
        self._fate.at("after send")
        return "m"


class MortalSource(FixedSource):
    def __init__(self, fate):
        super().__init__("notes", ())
        self._fate = fate

    async def fetch(self, query):
        self._fate.at("in recall")
        return await super().fetch(query)


def write_line(path, value):
    with path.open("a") as file:
        file.write(json.dumps(value) + "\n")
        file.flush()
        os.fsync(file.fileno())


def script(fate):
    """Note something, act outside if asked to, then answer."""

    def answer(messages):
        request = next(m for m in reversed(messages) if m.role is Role.USER).text
        results = [m for m in messages if m.role is Role.TOOL]
        if messages[-1].role is not Role.TOOL:
            name = "send" if "send" in request else "remember"
            return [ToolCall("c", name, json.dumps({"text": request}))]
        if results:
            fate.at("after outside")
        return ["half of ", DIE, f"the answer to {request}"]

    return answer


class MortalModel(ScriptedModel):
    def __init__(self, fate, ledger):
        super().__init__(script(fate), name="mortal:one")
        self._fate = fate
        self._ledger = ledger

    async def stream(self, messages, tools, options):
        async for delta in super().stream(messages, tools, options):
            if getattr(delta, "text", "") == DIE:
                await self._fate.mid_stream(self._ledger)
            else:
                yield delta


def condenses(database, models, bench, setting, windows):
    async def nobody():
        return []

    async def flush(_thread, _turns):
        return 0

    history = History(database)
    condenser = Condenser(
        history=history,
        condensations=Condensations(database),
        drafting=Drafting(nobody, windows, ""),
        flush=flush,
        rules=Compaction(),
        clock=now,
    )
    return Condensing(
        condenser=condenser,
        history=history,
        models=models,
        windows=windows,
        bench=bench,
        setting=setting,
    )


@asynccontextmanager
async def alive(home, point):
    fate = Fate(point)

    async def send(_):
        fate.at("in outside")
        write_line(home / "sent", {})
        return "sent"

    async with Database.open(home / "ledger.db", LEDGER) as database:
        ledger, history = MortalLedger(database, fate), History(database)
        outbox = Outbox(database)
        books = NoteBooks(home, MortalNotes(database, fate), now, UTC)
        proposals = Proposals(Candidates(database), books, False, now)
        sights = Sights(People(database), Threads(database), {})
        channel = MortalChannel(home / "delivered", fate)
        model = MortalModel(fate, ledger)
        tools: dict[str, Any] = {
            "remember": Remember(books, proposals),
            "send": FunctionTool("send", send, Effect.OUTSIDE),
        }

        async def models(*_):
            return model

        windows, setting = Windows(), Setting("", UTC)
        condensing = condenses(database, models, Bench(tools), setting, windows)
        shortening = Shortening(condensing, history)
        talk = TalkCommands(
            ledger=ledger,
            history=history,
            condensing=condensing,
            explainer=Explainer(history, UTC),
            status=models,
            model=models,
            usage=models,
        )
        gateway = Gateway(
            ledger=ledger,
            agent=Agent(
                ledger=ledger,
                history=history,
                broker=Broker([MortalSource(fate)]),
                bench=Bench(tools),
                models=models,
                condensing=condensing,
                windows=windows,
                policy=Policy(setting),
                clock=now,
            ),
            shortening=shortening,
            recovery=Recovery(ledger, history, outbox, now),
            delivery=Delivery(outbox, {"terminal": channel}, now),
            commands=Commands(talk.known(), sights, condensing.stop),
            gathering=Gathering(
                ledger=ledger,
                files=Files(home / "files"),
                reading=Reading(extracted),
                channels={"terminal": channel},
                clock=now,
            ),
            channels={"terminal": channel},
            clock=now,
        )
        async with shortening.open(), gateway.open():
            await gateway.resume()
            gateway.wake(MAIN)
            yield gateway
            # A life that was given nothing to do still takes up what waits.
            while await ledger.waiting() or await ledger.running():  # noqa: ASYNC110 -- this is the child, not the test
                await asyncio.sleep(0.01)


async def main(home, point, *messages):
    async with alive(home, point) as gateway:
        heard = [
            Inbound(MAIN, text, now(), name)
            for text, name in zip(messages[::2], messages[1::2], strict=True)
        ]
        for message in heard:
            await gateway.hear(message)
            sys.stdout.write(f"acknowledged {message.external_id}\n")
            sys.stdout.flush()
        for message in heard:
            await gateway.settled(MAIN, message.key)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
