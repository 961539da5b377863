"""Lives of a real house on Telegram: `python -m tests.crash.telegram_child`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

# What a life would import in its first second is here before it is born.
from aiogram.methods import GetMe

import channels.telegram.bot
from channels.telegram.channel import TelegramChannel
from channels.telegram.client import Client
from channels.telegram.waits import Waits
from tests.crash.living import FATE, MortalChannel, MortalDrawer, run, watched

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.wiring import House

_LOADED: Final = (GetMe, channels.telegram.bot)
POINTS: Final = (
    "updates are here, nothing is written",
    "writing takes its time",
    "accepted, not confirmed",
    "begun",
    "a draft shows the beginning",
    "a placeholder was sent, not noted",
    "a placeholder shows the beginning",
    "before the end is written",
    "the end is written, nothing sent",
    "before it is sent",
    "one of three pieces was sent",
    "one of three pieces was noted",
    "all is sent, that is not written",
    "a file is on its way",
    "one photo of two is accepted",
    "before what came is written",
    "a command is done, not answered",
    "a command is answered, not marked",
    "a press is done, not answered",
    "an edit is written",
)


class MortalClient(Client):
    async def updates(self, offset, timeout, allowed):  # noqa: ASYNC109 -- as above it
        found = await super().updates(offset, timeout, allowed)
        for update in found:
            if f'"id": {FATE.chat},' in json.dumps(update):
                FATE.meets(update["update_id"])
        FATE.at("updates are here, nothing is written", json.dumps(found))
        return found

    async def call(self, method, *patience):
        name, chat = method.__api_method__, getattr(method, "chat_id", "")
        if name == "answerCallbackQuery":
            FATE.at("a press is done, not answered", FATE.chat)
        done = await super().call(method, *patience)
        if name == "sendMessageDraft" and method.text:
            FATE.at("a draft shows the beginning", chat)
        if name == "sendMessage":
            FATE.at("a placeholder was sent, not noted", chat)
            FATE.at("one of three pieces was sent", chat)
        return done

    async def download(self, file_id: str, most: int) -> AsyncGenerator[bytes, None]:
        async for chunk in super().download(file_id, most):
            FATE.at("a file is on its way", FATE.chat)
            yield chunk


class MortalTelegram(MortalChannel, TelegramChannel):
    def made(self):
        made = super().made()
        for bot in made.values():
            bot.client.__class__ = MortalClient
        return made


def _watch(house: House, waits: dict[str, float]) -> None:
    """Have what was built die where it is told to; nothing else of it changes."""
    channel: Any = house.channels["telegram"]
    channel.__class__ = MortalTelegram
    channel._drawer.__class__ = MortalDrawer
    watched(house)
    if waits:
        channel._waits = Waits(**waits)  # type: ignore[arg-type]  # of JSON


if __name__ == "__main__":
    run(_watch)
