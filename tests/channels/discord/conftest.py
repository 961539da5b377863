"""The loopback Discord, with discord.py pointed at it."""

import pytest

from tests.servers.discord.furnished import furnished, pointed


@pytest.fixture
async def discord():
    """Fails whatever the real one would frown on."""
    async with furnished() as discord:
        with pointed(discord.origin):
            yield discord
        assert discord.complaints == []
