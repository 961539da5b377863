"""The smallest bot that aiogram makes: it says what it hears. `ORIGIN` is its API."""

from __future__ import annotations

import asyncio
import sys

from aiogram import Bot, Dispatcher
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Message  # noqa: TC002 -- aiogram reads it

from tests.servers.telegram.world import TOKEN


async def main() -> None:
    """Poll until killed."""
    session = AiohttpSession(api=TelegramAPIServer.from_base(sys.argv[1]))
    bot, dispatcher = Bot(TOKEN, session=session), Dispatcher()

    @dispatcher.message()
    async def said(message: Message) -> None:
        await message.answer(message.text or "")

    await dispatcher.start_polling(bot)


if __name__ == "__main__":
    asyncio.run(main())
