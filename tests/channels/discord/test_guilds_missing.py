"""Servers that config.json names and the bot is not in, and the other way round."""

from apx.testing import MemoryDrawer, until
from tests.channels.discord.hearers import GoneDoor, hearers
from tests.servers.discord.furnished import HOME, WORK

ELSEWHERE = 300_000_000_000_000_300
BOTH = frozenset({str(HOME), str(ELSEWHERE)})


async def test_a_server_that_the_bot_is_not_in_is_told_until_it_is(discord):
    """At the start, and when somebody shows the bot out; an outage is neither."""
    async with hearers(discord, GoneDoor(), guilds=BOTH) as bot:
        await bot.settled(discord)
        assert f"not in the server {ELSEWHERE}" in bot.told
        discord.guild(ELSEWHERE, "Elsewhere")
        await until(lambda: not bot.told)
        discord.outage(HOME)
        await bot.told_all(discord)
        assert not bot.told
        discord.available(HOME)
        discord.kick(HOME)
        await until(lambda: f"not in the server {HOME}" in bot.told)


async def test_a_server_that_showed_the_bot_out_meanwhile_is_told_no_more(discord):
    """Nobody waits to be heard there."""
    drawer = MemoryDrawer()
    drawer.values = {f"guilds/main/{number}": "Some" for number in (WORK, ELSEWHERE)}
    async with hearers(discord, GoneDoor(), drawer) as bot:
        await bot.settled(discord)
        await until(lambda: str(ELSEWHERE) not in bot.told)

        assert str(WORK) in bot.told
        assert f"guilds/main/{ELSEWHERE}" not in drawer.values
