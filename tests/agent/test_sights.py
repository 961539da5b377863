"""What a turn may see."""

from __future__ import annotations

import asyncio

import pytest

from apx.agent.sights import FRESH, Sights
from apx.domain.errors import Unreachable
from apx.domain.event import Event, EventKind
from apx.domain.person import OWNER, Account, Role
from apx.domain.thread import Thread
from apx.store.codes import Codes, Wanted
from apx.store.people import People
from apx.store.threads import Threads
from apx.testing import MemoryChannel

PHONE = Account("telegram", "7", "55")
CLUB = Thread("telegram", "7:-100")
OTHER_BOT = Thread("telegram", "70:-100")


class Clock:
    """Seconds that stand still until somebody moves them."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def seconds():
    return Clock()


@pytest.fixture
def telegram():
    return MemoryChannel("telegram")


@pytest.fixture
def people(database):
    return People(database)


@pytest.fixture
def sights(database, people, telegram, seconds):
    channels = {"telegram": telegram, "terminal": MemoryChannel()}
    return Sights(people, Threads(database), channels, seconds)


@pytest.fixture
async def anna(people, clock):
    return await people.add(PHONE, Role.MEMBER, "Anna", clock(), paired=True)


@pytest.fixture
async def club(ledger, clock):
    """Two rooms that somebody spoke in."""
    for thread in (CLUB, OTHER_BOT):
        body = {"key": f"{thread}/1", "text": "hi"}
        audience = f"room:{thread}"
        event = Event(
            EventKind.ACCEPT,
            f"a/{thread}",
            clock(),
            body,
            str(thread),
            0,
            "x",
            audience,
        )
        await ledger.record(event)


async def test_the_owner_at_first(sights):
    """Their own, and what is shared."""
    sight = await sights.of(OWNER, "private:owner")

    assert sight.audiences == ("private:owner", "shared")
    assert sight.withheld == ()


async def test_in_a_room_the_own_is_withheld(sights, anna):
    """Everybody there reads the reply; what is kept back is counted."""
    sight = await sights.of(anna.key, f"room:{CLUB}")

    assert sight.audiences == (f"room:{CLUB}", "shared")
    assert sight.withheld == (f"private:{anna.key}",)


@pytest.mark.usefixtures("club")
async def test_in_private_the_rooms_of_the_member_list(sights, anna, telegram):
    """Not those of another bot, which knows other people."""
    telegram.members = {CLUB: {PHONE}, OTHER_BOT: {PHONE}}

    sight = await sights.of(anna.key, f"private:{anna.key}")

    assert f"room:{CLUB}" in sight.audiences
    assert f"room:{OTHER_BOT}" not in sight.audiences


@pytest.mark.usefixtures("club")
async def test_who_has_left_sees_nothing_more(sights, anna, telegram, seconds):
    """As soon as what the platform said is old."""
    telegram.members = {CLUB: {PHONE}}
    before = await sights.of(anna.key, f"private:{anna.key}")
    telegram.members = {}
    cached = await sights.of(anna.key, f"private:{anna.key}")
    seconds.now += FRESH + 1
    after = await sights.of(anna.key, f"private:{anna.key}")

    assert f"room:{CLUB}" in before.audiences
    assert before == cached
    assert f"room:{CLUB}" not in after.audiences


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    "failure", [Unreachable("gone"), TimeoutError(), RuntimeError("a fault")]
)
async def test_what_fails_is_no(sights, anna, telegram, failure):
    """Fail closed: a platform that cannot be asked lets nobody see."""
    telegram.members = {CLUB: {PHONE}}
    telegram.failures = [failure]

    sight = await sights.of(anna.key, f"private:{anna.key}")

    assert f"room:{CLUB}" not in sight.audiences


@pytest.mark.usefixtures("club")
async def test_a_platform_that_hangs_costs_a_moment(sights, anna, telegram):
    """The turn goes on without the room; the answer serves the next one."""
    go_on = asyncio.Event()

    async def has_member(*_):
        await go_on.wait()
        return True

    telegram.has_member = has_member
    first = await sights.of(anna.key, f"private:{anna.key}")
    go_on.set()
    second = await sights.of(anna.key, f"private:{anna.key}")

    assert f"room:{CLUB}" not in first.audiences
    assert f"room:{CLUB}" in second.audiences


async def test_linked_accounts_keep_their_audience(
    sights, anna, people, clock, database
):
    """What the other account said is seen while it is linked, and not after."""
    desk = Account("discord", "9", "800")
    guest = await people.add(desk, Role.GUEST, "", clock(), paired=False)
    codes = Codes(database)
    await codes.redeem(desk, await codes.issue(clock(), Wanted(anna.key)), "", clock())

    linked = await sights.of(anna.key, f"private:{anna.key}")
    room = await sights.of(anna.key, f"room:{CLUB}")
    await people.part(desk, clock(), "x")
    parted = await sights.of(anna.key, f"private:{anna.key}")

    assert f"private:{guest.key}" in linked.audiences
    assert f"private:{guest.key}" in room.withheld
    assert f"private:{guest.key}" not in parted.audiences
