"""The loopback Telegram, and one bot's sending side at it."""

import pytest

from tests.channels.telegram.parts import outfit
from tests.servers.telegram.furnished import furnished


@pytest.fixture
async def telegram():
    """Fails whatever the real one would frown on."""
    async with furnished() as telegram:
        yield telegram
        assert telegram.complaints == []


@pytest.fixture
async def bot(telegram):
    async with outfit(telegram.origin) as bot:
        yield bot
