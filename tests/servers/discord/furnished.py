"""A Discord with people and channels in it, and discord.py pointed at it."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Final

from discord.http import Route

from tests.servers.discord.server import DiscordServer
from tests.servers.discord.things import FORUM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

ANA: Final = 700_000_000_000_000_007
BEN: Final = 800_000_000_000_000_008
HOME: Final = 100_000_000_000_000_100
GENERAL: Final = 100_000_000_000_000_101
OTHER: Final = 100_000_000_000_000_102
IDEAS: Final = 100_000_000_000_000_103
WORK: Final = 200_000_000_000_000_200
OFFICE: Final = 200_000_000_000_000_201


def furnish(discord: DiscordServer) -> None:
    """Put Ana and Ben into two guilds with channels and a forum."""
    discord.user(ANA, "Ana")
    discord.user(BEN, "Ben")
    discord.guild(HOME, "Home")
    discord.channel(HOME, GENERAL, "general")
    discord.channel(HOME, OTHER, "other")
    discord.channel(HOME, IDEAS, "ideas", FORUM)
    discord.guild(WORK, "Work")
    discord.channel(WORK, OFFICE, "office")


@asynccontextmanager
async def furnished() -> AsyncIterator[DiscordServer]:
    """Open a server that is furnished."""
    async with DiscordServer() as discord:
        furnish(discord)
        yield discord


@contextmanager
def pointed(origin: str) -> Iterator[None]:
    """Let discord.py of this process ask another server than the real one."""
    before = Route.BASE
    Route.BASE = f"{origin}/api/v10"
    try:
        yield
    finally:
        Route.BASE = before
