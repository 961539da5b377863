"""A gateway with everything real but the model and the channel."""

from contextlib import asynccontextmanager
from datetime import UTC
from typing import Any

import pytest

from apx.agent.commands import Commands
from apx.agent.condensing import Condensing
from apx.agent.delivery import Delivery
from apx.agent.explain import Explainer
from apx.agent.gateway import Gateway
from apx.agent.gathering import Gathering, Patience
from apx.agent.listening import Listening
from apx.agent.loop import Agent
from apx.agent.mem_commands import MemCommands
from apx.agent.memory_commands import MemoryCommands
from apx.agent.model_commands import ModelCommands
from apx.agent.people_commands import PeopleCommands
from apx.agent.policy import Policy
from apx.agent.prompt import Setting
from apx.agent.reading import Reading
from apx.agent.recovery import Recovery
from apx.agent.seeing import Seeing
from apx.agent.shortening import Shortening
from apx.agent.talk_commands import TalkCommands
from apx.agent.toolbox import Bench
from apx.agent.tools.notes import ForgetNote, ListNotes, Remember
from apx.domain.compaction import Compaction
from apx.domain.errors import InputError
from apx.mem.curated import Curated
from apx.memory.books import NoteBooks
from apx.memory.broker import Broker
from apx.memory.candidates import Proposals
from apx.memory.condenser import Condenser
from apx.memory.drafting import Drafting
from apx.memory.windows import Windows
from apx.providers.documents import extracted
from apx.store.candidates import Candidates
from apx.store.condensations import Condensations
from apx.store.files import Files
from apx.store.notes import Notes
from apx.store.threads import Threads
from apx.testing import FixedSource, MemoryChannel
from apx.wiring.persons import persons


class World:
    """The parts that a test may look at or replace before it opens the gateway."""

    def __init__(self, database, ledger, history, outbox, clock, path):
        self.database = database
        self.ledger = ledger
        self.history = history
        self.outbox = outbox
        self.clock = clock
        self.channel = MemoryChannel()
        self.sources: list[Any] = []
        self.recalled: Any = FixedSource("recall", ())
        self.forgetting: Any = None
        self.who: Any = None
        self.curated = Curated(str(path / "mem"), today=lambda: "2030-01-01")
        self.books = NoteBooks(path, Notes(database), clock, UTC)
        self.book = self.books.of("private:owner")
        self.proposals = Proposals(Candidates(database), self.books, False, clock)
        self.tools: list[Any] = [
            Remember(self.books, self.proposals),
            ListNotes(self.books, UTC),
            ForgetNote(self.books, UTC),
        ]
        self.policy = Policy(Setting("", UTC))
        self.rules = Compaction()
        self.flushed: list[Any] = []
        self.summarisers: list[Any] = []
        self.windows = Windows()
        self.files = Files(path / "files")
        self.extract: Any = extracted
        self.transcriber: Any = None
        self.poor: set[str] = set()
        self.heard: list[Any] = []
        self.patience = Patience(quiet=0.05, longest=0.2)
        self.commands: Any = None
        self.gathering: Any = None
        self.condensing: Any = None
        self.shortening: Any = None

    def listening(self):
        async def may(person):
            return person not in self.poor

        if self.transcriber is None:
            return None
        return Listening(self.transcriber, "", 1800, may, self.heard.append)

    def recovery(self):
        return Recovery(self.ledger, self.history, self.outbox, self.clock)

    def gateway(self, model):
        channels = {"terminal": self.channel, "telegram": self.channel}
        explainer = Explainer(self.history, UTC)

        async def chosen(_name=""):
            return model

        async def told():
            return "well"

        async def spent(_person, _role):
            return "nothing"

        bench = Bench({tool.spec.name: tool for tool in self.tools})
        self.condensing = self.condenses(chosen, bench)
        self.shortening = Shortening(self.condensing, self.history, pauses=())
        agent = Agent(
            ledger=self.ledger,
            history=self.history,
            broker=Broker(self.sources),
            bench=bench,
            models=chosen,
            condensing=self.condensing,
            windows=self.windows,
            policy=self.policy,
            clock=self.clock,
            pictures=Seeing(self.files).pictures,
        )
        self.who = persons(self.database, Threads(self.database), channels, self.clock)
        talk = TalkCommands(
            ledger=self.ledger,
            history=self.history,
            condensing=self.condensing,
            explainer=explainer,
            status=told,
            model=told,
            usage=spent,
        )
        remembered = MemoryCommands(
            self.books, self.proposals, self.recalled, self.forgetting, UTC
        )
        who = self.who
        people = PeopleCommands(
            who.people,
            who.codes,
            who.newcomers,
            who.confirmations,
            who.parting,
            self.clock,
        )

        async def offered(_person):
            return ["a:one", "a:two"]

        async def check(_person, _role, wanted):
            if wanted.startswith("bad:"):
                raise InputError(f"{wanted} is not for you")

        models = ModelCommands(self.ledger, told, offered, check)
        curated = MemCommands(self.curated)
        rooms = (talk, remembered, curated, people)
        groups = {name: do for room in rooms for name, do in room.known().items()}
        choices = {**remembered.choices(), **curated.choices(), **models.choices()}
        self.commands = Commands(
            {**groups, **models.known()}, who.sights, self.condensing.stop, choices
        )
        self.gathering = Gathering(
            ledger=self.ledger,
            files=self.files,
            reading=Reading(self.extract, self.listening()),
            channels=channels,
            clock=self.clock,
            patience=self.patience,
        )
        return Gateway(
            ledger=self.ledger,
            agent=agent,
            recovery=self.recovery(),
            delivery=Delivery(self.outbox, channels, self.clock),
            commands=self.commands,
            shortening=self.shortening,
            gathering=self.gathering,
            channels=channels,
            clock=self.clock,
            again=0.01,
        )

    def condenses(self, chosen, bench):
        """What condenses, with the models that `summarisers` has."""

        async def asked():
            return self.summarisers

        async def flush(thread, turns):
            self.flushed.append((thread, [past.turn.id for past in turns]))
            return 0

        condenser = Condenser(
            history=self.history,
            condensations=Condensations(self.database),
            drafting=Drafting(asked, self.windows, ""),
            flush=flush,
            rules=self.rules,
            clock=self.clock,
        )
        return Condensing(
            condenser=condenser,
            history=self.history,
            models=chosen,
            windows=self.windows,
            bench=bench,
            setting=self.policy.setting,
        )

    @asynccontextmanager
    async def open(self, model, drain=10.0):
        gateway = self.gateway(model)
        async with (
            self.shortening.open(),
            gateway.open(lambda: drain),
            self.gathering.open(),
        ):
            yield gateway

    async def ask(self, gateway, heard):
        """Say something and wait for its turn."""
        await gateway.hear(heard)
        return await gateway.settled(heard.thread, heard.key)


@pytest.fixture
def world(database, ledger, history, outbox, clock, tmp_path):
    return World(database, ledger, history, outbox, clock, tmp_path)
