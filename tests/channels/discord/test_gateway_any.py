"""A thousand gateways that do what they want: in the end the bot hears again."""

import asyncio
import json
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from unittest import mock

from discord.http import HTTPClient
from hypothesis import given, settings
from hypothesis import strategies as st

import apx.logs  # noqa: F401 -- so that nothing is printed
from apx.testing import MemoryDrawer
from channels.discord.client import Client
from channels.discord.connection import Connection, Place, Time
from channels.discord.waits import Waits
from channels.shared.troubles import Troubles
from tests.channels.discord.connected import KEY, RecordingEars, beating
from tests.channels.discord.scripted import (
    CLOSINGS,
    CUT,
    NO_REST,
    ONWARD,
    PLAIN,
    REFUSE,
    SAY,
    World,
)
from tests.servers.discord import TOKEN

_KINDS = (
    "READY",
    "RESUMED",
    "MESSAGE_CREATE",
    "MESSAGE_DELETE",
    "MESSAGE_DELETE_BULK",
    "GUILD_CREATE",
    "GUILD_DELETE",
    "THREAD_CREATE",
    "CHANNEL_UPDATE",
    "INTERACTION_CREATE",
    "WHATEVER",
)
_DATA: tuple[Any, ...] = (
    *(None, [], {}, 5, "x"),
    *({"id": "x"}, {"id": None, "ids": 3}, {"guild_id": "7"}),
)
_MALFORMED = st.builds(
    lambda kind, data, seq: json.dumps({"op": 0, "t": kind, "d": data, "s": seq}),
    st.sampled_from(_KINDS),
    st.sampled_from(_DATA),
    st.sampled_from([None, "x", 1, 999, -1]),
)
_GARBAGE = st.sampled_from(
    [
        "",
        "{",
        "null",
        "[]",
        '{"op": 0}',
        '{"op": 99, "t": []}',
        '{"op": 0, "t": {}}',
        '{"op": 10, "d": {"heartbeat_interval": 0}}',
        '{"op": 10, "d": {"heartbeat_interval": "x"}}',
        '{"op": 10, "d": null}',
        "[" * 2_000,
        b"garbage\x00\x00\xff\xff",
        b"\xff",
    ]
)
_STEPS = st.one_of(
    st.sampled_from(PLAIN),
    st.just(SAY),
    st.sampled_from(CLOSINGS),
    _MALFORMED,
    _GARBAGE,
)


class CatchingUp(RecordingEars):
    """Ears that read what was said before a fresh session, as a bot does."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.known: set[str] = set()
        self._world = world

    def ready(self, raw):
        super().ready(raw)
        self.known |= set(self._world.said)

    def message(self, raw):
        super().message(raw)
        self.known.add(raw["id"])


@contextmanager
def _plugged(world: World):
    """Have discord.py speak to this world instead of a network."""

    async def request(http: HTTPClient, route: Any, **more: Any) -> Any:
        return await world.request(http, route, **more)

    async def ws_connect(http: HTTPClient, url: str, **more: Any) -> Any:
        return await world.ws_connect(http, url, **more)

    with (
        mock.patch.object(HTTPClient, "request", request),
        mock.patch.object(HTTPClient, "ws_connect", ws_connect),
    ):
        yield


async def played(script: list[Any]):
    """Play a script to its end, and give what was heard and how long was waited."""
    world, naps = World(script), []
    ears, loop, failures = CatchingUp(world), asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, told: failures.append(told["message"]))

    async def sleep(seconds: float) -> None:
        naps.append(seconds)
        await world.time.sleep(seconds)

    with _plugged(world):
        place = Place(Client(TOKEN), Troubles(world.clock), Waits(), KEY)
        time = Time(world.time, sleep)
        connection = Connection(place, ears, MemoryDrawer(), world.clock, time)
        running = asyncio.create_task(connection.run())
        ended = asyncio.create_task(world.over.wait())
        await asyncio.wait({running, ended}, return_when=asyncio.FIRST_COMPLETED)
        assert not running.done(), running
        assert connection.is_settled
        running.cancel()
        await asyncio.wait({running})
    assert failures == []
    assert beating() == 0
    return world, ears, naps


async def test_the_network_s_fault_costs_no_session():
    """While nobody can be reached at all, the session is kept; then it goes on."""
    stands = [ONWARD] * 4
    world, ears, _ = await played([*stands, CUT, *[REFUSE] * 3, NO_REST, REFUSE])

    assert len(world.identifies) == 1
    assert ears.kinds[-1] == "resumed"


async def test_a_gateway_that_hangs_up_at_once_is_asked_more_and_more_slowly():
    """Although each session stood, for a moment."""
    script = [[ONWARD] * 4 + [CUT]] * 9
    world, _, naps = await played([step for steps in script for step in steps])

    assert len(world.identifies) == 1
    assert naps[:6] == sorted(naps[:6])
    assert 40 < min(naps[6:]) <= max(naps) <= 60


def test_whatever_the_gateway_does_the_bot_hears_again():
    """Nothing is lost, nothing ends, nobody waits long, no session comes too soon."""
    waits = Waits()
    with asyncio.Runner() as runner:

        @settings(max_examples=1_000, deadline=None)
        @given(st.lists(_STEPS, max_size=12))
        def play(script):
            world, ears, naps = runner.run(played(script))

            assert set(world.said) <= ears.known
            assert max(naps, default=0.0) <= waits.longest
            gaps = [after - before for before, after in pairwise(world.identifies)]
            assert min(gaps, default=60.0) > waits.spaced - 0.001

        play()
