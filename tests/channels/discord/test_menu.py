"""The slash commands reach Discord when they have changed, and never in the way."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from apx.testing import MemoryDrawer
from channels.discord.client import Client
from channels.discord.menu import announce, fit
from channels.discord.settings import Command
from tests.channels.discord.controls import COMMANDS, SWIFT
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.faults import Drop, broken, limited, refusal

PATH = f"/applications/{BOT}/commands"


@asynccontextmanager
async def client():
    known = Client(TOKEN)
    await known.login()
    yield known
    await known.close()


async def test_they_are_told_once(discord):
    """Discord counts how often they are changed, so a restart changes nothing."""
    drawer = MemoryDrawer()

    async with client() as known:
        for _ in range(2):
            await announce(known, drawer, COMMANDS, SWIFT)
        assert len(discord.calls("PUT", PATH)) == 1
        await announce(known, drawer, COMMANDS[:1], SWIFT)
        await announce(known, drawer, (), SWIFT)

    assert len(discord.calls("PUT", PATH)) == 3
    assert discord.commands() == []


async def test_they_are_there_in_guilds_and_private_chats(discord):
    """What follows a command is one text, which nobody has to give."""
    async with client() as known:
        await announce(known, MemoryDrawer(), COMMANDS, SWIFT)

    told = {one["name"]: one for one in discord.commands()}
    assert list(told) == ["new", "status", "memory", "compact", "remember"]
    assert told["new"]["options"] == []
    [words] = told["memory"]["options"]
    assert (words["name"], words["type"], words["required"]) == ("words", 3, False)
    assert all(one["contexts"] == [0, 1] for one in told.values())
    assert all(one["integration_types"] == [0] for one in told.values())


async def test_nothing_is_told_where_there_is_nothing(discord):
    """A bot without commands may have some by hand."""
    async with client() as known:
        await announce(known, MemoryDrawer(), (), SWIFT)

    assert discord.calls("PUT", PATH) == []


@pytest.mark.parametrize("fault", [broken(), Drop(), limited(0.05)])
async def test_a_fault_that_passes_is_waited_out(discord, fault):
    """They are told in the end."""
    drawer = MemoryDrawer()
    discord.fail("PUT", PATH, fault)

    async with client() as known:
        await announce(known, drawer, COMMANDS, SWIFT)

    assert len(discord.commands()) == len(COMMANDS)
    assert drawer.values[f"menu/{BOT}"]


async def test_a_refusal_is_final_until_the_next_start(discord):
    """Asking again would not help, and nobody waits for it."""
    drawer = MemoryDrawer()
    discord.fail("PUT", PATH, refusal(400, 50035, "Invalid Form Body"))

    async with client() as known:
        await asyncio.wait_for(announce(known, drawer, COMMANDS, SWIFT), 5)

    assert len(discord.calls("PUT", PATH)) == 1
    assert drawer.values == {}


def test_what_discord_would_refuse_is_left_out():
    """One wrong name would spoil the whole list."""
    given = [
        Command("new", "start\nafresh"),
        Command("Bad", "x"),
        Command("with space", "x"),
        Command("x" * 33, "x"),
        Command("año-1_b", "fine"),
        Command("empty", " \n"),
        Command("long", "y" * 300),
        Command("new", "said twice"),
    ]

    listed = {one["name"]: one["description"] for one in fit(given)}

    assert list(listed) == ["new", "año-1_b", "long"]
    assert listed["new"] == "start afresh"
    assert len(listed["long"]) == 100
    assert len(fit([Command(f"c{number}", "x") for number in range(150)])) == 100
