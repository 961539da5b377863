"""What the tests of the loopback server share: aiogram's own bot, and what it sends."""

import pytest
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity

from tests.servers.telegram.furnished import client, furnished


@pytest.fixture
async def telegram():
    async with furnished() as telegram:
        yield telegram


@pytest.fixture
async def bot(telegram):
    async with client(telegram.origin) as bot:
        yield bot


def buttons(*data):
    rows = [[InlineKeyboardButton(text=f"b{d[:9]}", callback_data=d)] for d in data]
    return InlineKeyboardMarkup(inline_keyboard=rows)


def mark(kind, offset, length, **more):
    return [MessageEntity(type=kind, offset=offset, length=length, **more)]


async def kinds(bot, **more):
    """Poll once, and say what came."""
    return [update.event_type for update in await bot.get_updates(**more)]
