"""The parts that many tests stand on: a real database and a clock of our own."""

import os

import pytest
from hypothesis import HealthCheck, settings

from apx.domain.thread import Thread
from apx.domain.turn import Inbound
from apx.store.database import Database
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.outbox import Outbox
from apx.store.schema import LEDGER
from apx.testing import TickingClock

# The same examples each time, however slow the machine; the long profile looks for
# others.
settings.register_profile(
    "apx",
    deadline=None,
    derandomize=not os.environ.get("APX_LONG"),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("apx")


@pytest.fixture
async def database(tmp_path):
    async with Database.open(tmp_path / "ledger.db", LEDGER) as database:
        yield database


@pytest.fixture
def ledger(database):
    return Ledger(database)


@pytest.fixture
def history(database):
    return History(database)


@pytest.fixture
def outbox(database):
    return Outbox(database)


@pytest.fixture
def clock():
    return TickingClock()


@pytest.fixture
def hear(clock):
    """Make a message of a thread, each with an id of its own unless one is given."""
    count = iter(range(1, 1_000_000))

    def heard(text, thread="terminal:main", external_id=None):
        name = external_id or f"m{next(count)}"
        return Inbound(Thread.parse(thread), text, clock(), name)

    return heard
