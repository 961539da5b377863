"""Nothing holds the loop so long that a heartbeat could come late."""

import asyncio
import gc
import time
from contextlib import asynccontextmanager, suppress

import pytest

from apx.domain.thread import Thread
from apx.domain.turn import Part
from apx.testing import MemoryDrawer, until
from channels.discord.bot import Bot
from channels.discord.settings import BotSettings, Command
from tests.channels.discord.connected import connected, now, settled
from tests.channels.discord.hearers import KEY, SWIFT, GoneDoor, ago
from tests.channels.discord.speaking import outfit
from tests.channels.held import held
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.furnished import ANA, GENERAL, HOME

# Of the thread's own time: what else the machine does is not counted.
ALLOWED = 0.050
ROOMS = range(300_000_000_000_000_001, 300_000_000_000_000_101)
MISSED = 300
COMMANDS = tuple(Command(f"c{n}", "do what it says", bool(n % 2)) for n in range(100))
TABLE = "| name | what | when |\n|---|---|---|\n" + "| **a** | `b` | <c> |\n" * 40
CODE = "```python\n" + "print('one line of a program')\n" * 40 + "```\n"
WORDS = "A [link](https://example.com/a_b) and *more* words, __init__ and 5 * 7. "
PAGE = f"# One\n\n{WORDS * 20}\n\n> {WORDS * 5}\n\n- {WORDS}\n\n{TABLE}\n{CODE}\n"


class BusyDoor(GoneDoor):
    """A door that works for so many seconds with each message."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    async def hear(self, heard):
        until = time.thread_time() + self.seconds
        while time.thread_time() < until:
            pass
        return await super().hear(heard)


@asynccontextmanager
async def unheld():
    """Let no step of the loop take longer than is allowed."""
    # A collection of all that the other tests have left is none of ours.
    gc.collect()
    gc.disable()
    try:
        async with held() as watching:
            yield watching
    finally:
        gc.enable()
    worst = watching.longest[:1]
    assert all(one.cpu < ALLOWED for one in worst), worst


@asynccontextmanager
async def at_work(drawer, door):
    """Run a bot for the length of the block."""
    guilds = frozenset({str(HOME)})
    settings = BotSettings("main", TOKEN, guilds=guilds, commands=COMMANDS)
    bot = Bot(settings, drawer, now, SWIFT, KEY)
    running = asyncio.create_task(bot.run(door))
    try:
        yield bot
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        await bot.close()


async def note(_ids):
    pass


def missed(discord):
    """Have much happened while the bot was away; gives its drawer."""
    for room in ROOMS:
        discord.channel(HOME, room, f"room-{room}")
    for number in range(MISSED):
        discord.say(GENERAL, ANA, f"<@{BOT}> {number} {WORDS}")
    drawer = MemoryDrawer()
    drawer.values = {"seen/main": ago(discord, minutes=5)}
    return drawer


async def test_a_bot_at_work_never_holds_the_loop(discord):
    """Many channels, much to catch up with, commands to tell, long replies."""
    drawer, door = missed(discord), GoneDoor()

    async with unheld(), at_work(drawer, door) as bot:
        await until(lambda: len(door.heard) == MISSED and discord.commands())
        places = [Thread("discord", f"main:{room}") for room in ROOMS[:4]]
        for turn, thread in enumerate(places):
            live = bot.sender.live(thread, turn)
            for _ in range(40):
                live.show(PAGE)
        await until(lambda: all(discord.texts(room) for room in ROOMS[:4]))
        said = [Part(n, n, 1, one, PAGE) for n, one in enumerate(places)]
        await asyncio.gather(*(bot.sender.deliver(part, note) for part in said))

    assert all(len(discord.texts(room)) > 1 for room in ROOMS[:4])


async def test_the_longest_reply_does_not_hold_the_loop(discord):
    """As long as a model could ever be brought to speak."""
    async with outfit() as bot, unheld():
        await bot.deliver(bot.part(PAGE * 20))

    assert len(discord.texts(GENERAL)) > 30


async def test_who_holds_the_loop_is_found(discord):
    """Otherwise the tests above would say nothing."""
    discord.say(GENERAL, ANA, f"<@{BOT}> hello")
    drawer, door = MemoryDrawer(), BusyDoor(0.06)
    drawer.values = {"seen/main": ago(discord, minutes=5)}

    with pytest.raises(AssertionError, match=r"Answers\._tried"):
        async with unheld(), at_work(drawer, door):
            await until(lambda: door.heard)


async def test_what_comes_in_a_heap_is_heard_in_few_turns_of_the_loop(discord):
    """A busy loop has long turns: with one event in each, commands would wait long."""
    chat, turns = discord.dm(ANA), 0
    async with connected() as bot:
        await settled(bot, discord)
        for number in range(400):
            discord.say(chat, ANA, f"{number}")
        await until(lambda: bot.ears.texts)
        while len(bot.ears.texts) < 400:
            turns += 1
            await asyncio.sleep(0)

    assert turns < 200
