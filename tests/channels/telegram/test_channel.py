"""Several bots are one channel, and the trouble of one is no other's."""

import ssl
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from apx.domain.attachment import Attachment, Medium
from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.domain.heard import Notice
from apx.domain.person import TERMINAL, Account
from apx.domain.thread import Thread
from apx.domain.turn import Part
from apx.testing import MemoryDrawer, until
from channels.registry import load
from channels.telegram.channel import TelegramChannel
from channels.telegram.settings import BotSettings
from tests.channels.telegram.hearers import RecordingDoor, clock, running
from tests.servers.telegram import TOKEN, TelegramServer

OTHER = "4343002:BBloopbackLoopbackLoopbackLoopback2"
HERE, THERE = Thread("telegram", "main:7"), Thread("telegram", "other:7")
GROUP = -1001234567890
ROOM = Thread("telegram", f"main:{GROUP}:4")
ANA = Account("telegram", "main", "7")


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


def part(thread, text="hello"):
    return Part(
        id=1, turn=1, number=1, thread=thread, text=text, created_at=datetime.now(UTC)
    )


async def noted(ids):
    raise AssertionError(ids)


async def test_each_bot_speaks_in_its_own_threads(telegram):
    """The name in a thread says which one."""
    telegram.new_bot(OTHER)
    telegram.say("hello", to=OTHER)
    other = BotSettings(name="other", token=OTHER, base_url=telegram.origin)
    door = RecordingDoor()

    async with running(telegram, door, more=[other]) as channel:
        await until(lambda: channel.reaches(HERE) and channel.reaches(THERE))
        await until(lambda: door.texts == ["hello"])
        await channel.deliver(part(HERE, "one"), noted)
        await channel.tell(THERE, Notice("two"))
        live = channel.live(HERE, 1, "")
        live.close()

    assert door.heard[0].caller.thread == THERE
    assert telegram.texts(7, to=TOKEN) == ["one"]
    assert telegram.texts(7, to=OTHER) == ["two"]


@pytest.mark.parametrize(
    "token", ["nonsense", "4444003:CCunknownUnknownUnknownUnknown"]
)
async def test_a_wrong_token_is_named_and_ends_no_other(telegram, token):
    """Whether it can be a token at all or not; the token itself is never shown."""
    other = BotSettings(name="other", token=token, base_url=telegram.origin)
    door = RecordingDoor()
    telegram.say("hello")

    async with running(telegram, door, more=[other]) as channel:
        await until(lambda: door.texts == ["hello"] and channel.problems)
        assert channel.problems == {
            "other": "the token in channels.telegram.bots[1].token is refused"
        }
        assert not channel.reaches(THERE)
        with pytest.raises(ChannelError):
            await channel.tell(THERE, Notice("x"))


async def test_a_fault_of_ours_stops_a_bot_for_a_moment(telegram):
    """It is named, the bot runs again, and the message is not lost."""
    door = RecordingDoor()
    door.failures = [RuntimeError("a fault")]
    telegram.say("hello")

    async with running(telegram, door):
        await until(lambda: door.texts == ["hello"])
        await telegram.until(lambda: not telegram.pending())


async def test_no_room_for_new_connections_ends_no_other(telegram, monkeypatch):
    """Such as when no more files can be opened: it is tried again."""
    telegram.new_bot(OTHER)
    other = BotSettings(name="other", token=OTHER, base_url=telegram.origin)
    door = RecordingDoor()
    door.failures = [RuntimeError("a fault")]

    async with running(telegram, door, more=[other]) as channel:
        await until(lambda: channel.reaches(HERE) and channel.reaches(THERE))
        full = [OSError(24, "Too many open files")]
        context = ssl.create_default_context

        def opened(*args, **more):
            if full:
                raise full.pop()
            return context(*args, **more)

        monkeypatch.setattr("ssl.create_default_context", opened)
        telegram.say("hello", to=OTHER)
        await until(lambda: not full and door.texts == ["hello"])
        assert not channel.ended.done()


async def test_before_it_runs_it_reaches_nobody():
    """Nothing is lost by that: a part waits in the outbox."""
    settings = [BotSettings(name="main", token=TOKEN)]
    channel = TelegramChannel(settings, MemoryDrawer(), clock)

    assert not channel.reaches(HERE)
    assert channel.problems == {}
    with pytest.raises(Unreachable):
        await channel.deliver(part(HERE), noted)
    with pytest.raises(Undeliverable, match="no bot 'gone'"):
        await channel.deliver(part(Thread("telegram", "gone:7")), noted)
    live = channel.live(HERE, 1, "")
    live.show("x")
    live.close()


async def test_members_are_who_telegram_says(telegram):
    """In a private chat it is whose it is; elsewhere Telegram is asked each time."""
    telegram.user(8, "Bo")
    telegram.forum(GROUP, "Home")
    telegram.become(7, GROUP, "member")
    telegram.become(8, GROUP, "left")
    stranger = Account("telegram", "main", "8")

    async with running(telegram, RecordingDoor()) as channel:
        await until(lambda: channel.reaches(HERE))
        assert await channel.has_member(ROOM, ANA)
        assert not await channel.has_member(ROOM, stranger)
        assert not await channel.has_member(ROOM, Account("telegram", "main", "x"))
        assert not await channel.has_member(ROOM, Account("telegram", "main", "99"))
        assert await channel.has_member(HERE, ANA)
        assert not await channel.has_member(HERE, stranger)
        assert not await channel.has_member(HERE, TERMINAL)
        telegram.become(7, GROUP, "kicked")
        assert not await channel.has_member(ROOM, ANA)
        telegram.become(7, GROUP, "restricted")
        assert await channel.has_member(ROOM, ANA)


async def test_files_are_fetched_by_the_bot_that_was_sent_them(telegram):
    """Their names mean something to that bot alone."""
    door = RecordingDoor()
    telegram.document(b"some bytes", "a.txt")

    async with running(telegram, door) as channel:
        await until(lambda: door.heard)
        [file] = door.heard[0].files
        got = b"".join([chunk async for chunk in channel.fetch(HERE, file)])
        gone = Attachment(Medium.DOCUMENT, "nonsense")
        with pytest.raises(ChannelError):
            [chunk async for chunk in channel.fetch(HERE, gone)]

    assert (file.title, got) == ("a.txt", b"some bytes")


async def test_whoever_leaves_hangs_up(telegram):
    """And may run again."""
    door = RecordingDoor()
    for text in ("one", "two"):
        telegram.say(text)
        async with running(telegram, door) as channel:
            await until(lambda: not telegram.pending())
            assert door.texts[-1] == text
        assert not channel.reaches(HERE)
    await telegram.until(lambda: not telegram.polling)


def test_nothing_of_aiogram_is_imported_before_it_runs():
    """A command that only asks what is wrong must not pay for it."""
    code = (
        "import sys; from channels.registry import load;"
        "load('telegram')([], None, None); print('aiogram' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False"]
    assert load("telegram") is TelegramChannel


_IMPORTING = """
import asyncio, sys, threading
from channels.registry import load

where = {}

class Watch:
    def find_spec(self, name, path=None, target=None):
        where.setdefault(name, threading.current_thread())

async def main():
    task = asyncio.create_task(load("telegram")([], None, None).run(None))
    while not {"aiogram", "channels.telegram.webhook"} <= set(where):
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

sys.meta_path.insert(0, Watch())
asyncio.run(main())
main_thread = threading.main_thread()
print([name for name, one in where.items()
       if one is main_thread and name.startswith(("aiogram", "aiohttp"))])
"""


def test_importing_aiogram_keeps_nobody_waiting():
    """A second of work is too long for whoever else is served."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTING], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]"]
