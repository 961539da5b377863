"""A gateway with everything real but the model and the channel."""

from contextlib import asynccontextmanager
from datetime import UTC
from typing import Any

import pytest

from apx.agent.commands import Commands
from apx.agent.delivery import Delivery
from apx.agent.explain import Explainer
from apx.agent.gateway import Gateway
from apx.agent.loop import Agent
from apx.agent.policy import Policy
from apx.agent.prompt import Setting
from apx.agent.recovery import Recovery
from apx.agent.toolbox import Bench
from apx.agent.tools.notes import ForgetNote, ListNotes, Remember
from apx.memory.broker import Broker
from apx.memory.notes import NoteBook
from apx.store.notes import Notes
from apx.testing import FixedSource, MemoryChannel


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
        self.book = NoteBook(
            path / "memory.md", Notes(database), clock, UTC, "private:owner"
        )
        self.tools: list[Any] = [
            Remember(self.book),
            ListNotes(self.book, UTC),
            ForgetNote(self.book, UTC),
        ]
        self.policy = Policy(Setting("", UTC))

    def recovery(self):
        return Recovery(self.ledger, self.history, self.outbox, self.clock)

    def gateway(self, model):
        channels = {"terminal": self.channel, "telegram": self.channel}
        explainer = Explainer(self.history, UTC)

        async def chosen(_name=""):
            return model

        async def told():
            return "well"

        agent = Agent(
            ledger=self.ledger,
            history=self.history,
            broker=Broker(self.sources),
            bench=Bench({tool.spec.name: tool for tool in self.tools}),
            models=chosen,
            policy=self.policy,
            clock=self.clock,
        )
        commands = Commands(
            ledger=self.ledger,
            history=self.history,
            book=self.book,
            recalled=FixedSource("recall", ()),
            explainer=explainer,
            status=told,
            model=told,
            zone=UTC,
            clock=self.clock,
        )
        return Gateway(
            ledger=self.ledger,
            agent=agent,
            recovery=self.recovery(),
            delivery=Delivery(self.outbox, channels, self.clock),
            commands=commands,
            channels=channels,
            clock=self.clock,
            again=0.01,
        )

    @asynccontextmanager
    async def open(self, model, drain=10.0):
        gateway = self.gateway(model)
        async with gateway.open(lambda: drain):
            yield gateway

    async def ask(self, gateway, heard):
        """Say something and wait for its turn."""
        await gateway.hear(heard)
        return await gateway.settled(heard.thread, heard.key)


@pytest.fixture
def world(database, ledger, history, outbox, clock, tmp_path):
    return World(database, ledger, history, outbox, clock, tmp_path)
