"""The owner's socket: what is asked is done, what is broken harms nobody else."""

import asyncio
import json
import stat

import pytest

from apx.desk import errors
from apx.desk.client import RemoteDesk, answers
from apx.desk.errors import OwnerLeft
from apx.desk.server import listening
from apx.domain.errors import (
    ApxError,
    ConfigError,
    Conflict,
    HomeError,
    InputError,
    ProviderUnavailable,
    StoreError,
)
from apx.testing import until
from channels.terminal.signs import Arrived, Shown
from tests.desk.conftest import MAIN, owner


async def hear(desk, text, name="1", **more):
    return await desk.call(
        "hear", **{"thread": "terminal:main", "text": text, "id": name, **more}
    )


async def settled(desk, key):
    return await desk.call("settled", thread="terminal:main", key=key)


async def connected(home):
    return await asyncio.open_unix_connection(home / "apx.sock")


def line(call, **args):
    return json.dumps({"id": 1, "call": call, "args": args}).encode() + b"\n"


NEVER = line("settled", thread="terminal:main", key="terminal:main/never said")


async def test_a_message_is_answered_through_the_socket(desk):
    """Heard, settled, and its parts are named."""
    heard = await hear(desk, "hello")

    turn = await settled(desk, heard["key"])

    assert (turn["state"], turn["final"]) == ("completed", "answer to hello")
    assert len(turn["parts"]) == 1


async def test_calls_of_one_connection_run_side_by_side(tmp_path, house):
    """One that waits keeps no other waiting."""
    del house
    reader, writer = await connected(tmp_path)
    writer.write(NEVER + line("notes", limit=10))

    reply = json.loads(await reader.readline())

    assert reply["result"] == []
    writer.close()


@pytest.mark.parametrize(
    ("text", "more", "kind"),
    [
        ("", {}, InputError),
        ("other", {}, Conflict),
        ("new", {"name": "2", "model": "nowhere:x"}, ConfigError),
        ("new", {"name": "2", "thread": "a\x00"}, InputError),
    ],
)
async def test_an_error_arrives_as_what_it_was(desk, text, more, kind):
    """So a command has the same exit code beside an owner and without one."""
    await hear(desk, "hello")
    with pytest.raises(kind) as caught:
        await hear(desk, text, **more)
    assert type(caught.value) is kind


@pytest.mark.parametrize("kind", [ConfigError, HomeError, StoreError, Conflict])
def test_a_plain_error_survives_the_way(kind):
    """Class and words."""
    back = errors.from_json(errors.to_json(kind("why")))
    assert (type(back), str(back)) == (kind, "why")


@pytest.mark.parametrize("kind", ["ProviderUnavailable", "NoSuchError", "__doc__"])
def test_any_other_error_keeps_its_words(kind):
    """Its class wants more than a text, or is one that this version does not know."""
    back = errors.from_json({"kind": kind, "text": "why"})
    assert (type(back), str(back)) == (ApxError, "why")
    assert errors.to_json(ProviderUnavailable("why", provider="x"))["text"] == "why"


async def test_a_call_that_is_not_known_is_explained(desk):
    """After an update the old owner may still run."""
    with pytest.raises(InputError, match="another version"):
        await desk.call("fly")


async def test_a_fault_of_one_call_ends_nothing_else(desk):
    """The caller is sent to the log, the owner lives."""
    with pytest.raises(ApxError, match=r"apx\.log"):
        await desk.call("hear", thread="terminal:main")
    assert await desk.call("notes", limit=10) == []


@pytest.mark.parametrize("broken", [b"{", b"\xff\xfe", b"no json", b"\x00"])
async def test_a_broken_line_is_hung_up_on(tmp_path, desk, broken):
    """Only the one who sent it, and nothing is raised for nobody to catch."""
    raised: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: raised.append(context))
    reader, writer = await connected(tmp_path)
    writer.write(broken + b"\n")

    assert await reader.read() == b""
    writer.close()
    assert await desk.call("notes", limit=10) == []
    assert raised == []


async def test_who_leaves_while_something_is_awaited_is_forgotten(tmp_path, house):
    """The wait ends with its client, or the owner could not end either."""
    del house
    reader, writer = await connected(tmp_path)
    writer.write(NEVER)
    writer.write_eof()

    assert await reader.read() == b""
    writer.close()


async def test_what_was_asked_for_is_done_although_the_client_left(tmp_path, house):
    """A message that was sent whole is not lost with its sender."""
    del house
    reader, writer = await connected(tmp_path)
    writer.write(line("remember", id="1", text="tea at five"))
    writer.write_eof()

    assert json.loads(await reader.read())["result"]["text"] == "tea at five"
    writer.close()


async def test_an_owner_that_ends_gives_the_answers_that_are_due(
    tmp_path, config, server, gate
):
    """The turn ends in the time that it is given, and its client hears of it."""
    desk = RemoteDesk(tmp_path)
    async with owner(tmp_path, config), asyncio.TaskGroup() as group:
        heard = await hear(desk, "slow one")
        waiting = group.create_task(settled(desk, heard["key"]))
        await server.until_busy()
        # Its line has come when that of a later connection was answered.
        await desk.call("status")
        asyncio.get_running_loop().call_soon(gate.opened.set)

    assert waiting.result()["final"] == "answer to slow one"


async def test_an_owner_that_ends_waits_for_no_one_who_waits_for_ever(tmp_path, config):
    """Its client learns that the owner left, and may ask the next one."""
    async with owner(tmp_path, config):
        reader, writer = await connected(tmp_path)
        writer.write(NEVER)
        await RemoteDesk(tmp_path).call("status")

    assert await reader.read() == b""
    writer.close()
    with pytest.raises(OwnerLeft):
        await RemoteDesk(tmp_path).call("status")


async def test_a_watch_shows_the_reply_and_its_part(desk, house):
    """While it grows, then as it stays; the part is sent once it was shown."""
    async with desk.watch(MAIN) as watch:
        heard = await hear(desk, "hello")
        grown = ""
        while not isinstance(sign := await watch.next(), Arrived):
            assert isinstance(sign, Shown)
            grown += sign.text
        await watch.has_shown(sign.part)
        turn = await settled(desk, heard["key"])
        while (await house.memory.outbox.counts()) != {"sent": 1}:
            pass

    assert grown == sign.text == "answer to hello"
    assert (turn["parts"], sign.is_repeat) == ([sign.part], False)


async def test_a_watch_is_given_what_waited(desk):
    """A reply that nobody could be shown is delivered to whoever comes."""
    heard = await hear(desk, "hello")
    await settled(desk, heard["key"])

    async with desk.watch(MAIN) as watch:
        sign = await watch.next()

    assert isinstance(sign, Arrived)
    assert sign.text == "answer to hello"


async def test_a_watcher_that_leaves_is_reached_no_more(desk, house):
    """As soon as its connection ends."""
    async with desk.watch(MAIN):
        assert house.terminal.reaches(MAIN)
    await until(lambda: not house.terminal.reaches(MAIN))


async def test_the_socket_is_private_and_goes_with_its_owner(tmp_path, config):
    """Also where a killed owner left one in its place."""
    path = tmp_path / "apx.sock"
    path.touch()
    assert not await answers(tmp_path)
    async with owner(tmp_path, config):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert await answers(tmp_path)
        await RemoteDesk(tmp_path).call("status")
    assert not path.exists()


async def test_a_home_too_deep_for_a_socket_is_named(tmp_path, house):
    """With the likely reason; the system's message is no help."""
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    with pytest.raises(HomeError, match="too long"):
        async with listening(deep, house):
            pass
