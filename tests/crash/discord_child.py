"""Lives of a real house on Discord: `python -m tests.crash.discord_child`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import channels.discord.bot
from channels.discord.bot import Bot, Ears
from channels.discord.channel import DiscordChannel
from channels.discord.client import Client
from channels.discord.client_interactions import Interactions
from channels.discord.mark import Mark
from channels.discord.waits import Waits
from tests.crash.living import FATE, MortalChannel, MortalDrawer, run, says, watched

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.wiring import House

_LOADED: Final = (channels.discord.bot,)
# A life is short, and its network fails often.
_WAITS: Final = Waits(first=0.05, longest=0.5, spaced=0.0)
_PLACED: Final = "a placeholder was sent, not noted"
HEARD: Final = "all that was missed is heard"
POINTS: Final = (
    "events are here, nothing is written",
    "accepted, not confirmed",
    "begun",
    "a thread of ours was made, not noted",
    _PLACED,
    "a placeholder shows the beginning",
    "before the end is written",
    "the end is written, nothing sent",
    "before it is sent",
    "one of three pieces was sent",
    "one of three pieces was noted",
    "all is sent, that is not written",
    "a file of ours is on its way",
    "a file of ours was sent",
    "a file is on its way",
    "before what came is written",
    "a command is done, not answered",
    "a command is answered, not marked",
    "a press is done, not answered",
    "an edit is written",
    "a deletion is taken",
    "one of three that were missed is accepted",
)
# The words of a slash command are in no ledger: nobody can repeat it but its person.
SLASH: Final = (
    "a slash command is acknowledged, nothing is written",
    "a slash command is taken, not done",
    "a slash command is done, not answered",
    "a slash command is answered, not marked",
)
_MESSAGES: Final = "/channels/{channel_id}/messages"
_THREADS: Final = "/channels/{channel_id}/messages/{message_id}/threads"


class MortalInteractions(Interactions):
    async def edit_original(self, token, payload):
        FATE.at("a slash command is done, not answered", FATE.chat)
        FATE.at("a press is done, not answered", FATE.chat)
        return await super().edit_original(token, payload)

    async def followup(self, token, payload):
        FATE.at("a press is done, not answered", FATE.chat)
        return await super().followup(token, payload)


class MortalClient(Client):
    @property
    def interactions(self):
        return MortalInteractions(self._direct(), self.app_id)

    async def call(self, method, path, **more):
        where = more.get("channel_id", "")
        is_file = more.get("parts") is not None
        if is_file:
            FATE.at("a file of ours is on its way", where)
        done = await super().call(method, path, **more)
        if (method, path) == ("GET", _MESSAGES):
            for one in done:
                _met(one)
        if (method, path) == ("POST", _THREADS):
            FATE.at("a thread of ours was made, not noted", where)
        if (method, path) == ("POST", _MESSAGES):
            grows = '"stop:' in json.dumps(more.get("json"))
            FATE.at(_PLACED if grows else "one of three pieces was sent", where)
            if is_file:
                FATE.at("a file of ours was sent", where)
        return done

    async def download(self, url: str, most: int) -> AsyncGenerator[bytes, None]:
        async for chunk in super().download(url, most):
            FATE.at("a file is on its way", FATE.chat)
            yield chunk


class MortalMark(Mark):
    """Says when nothing is under way."""

    def end(self, number):
        super().end(number)
        if not self._under_way:
            says(HEARD)

    async def begin_now(self):
        await super().begin_now()
        says(HEARD)


class MortalEars(Ears):
    def message(self, raw):
        _met(raw)
        FATE.at("events are here, nothing is written", raw["channel_id"])
        super().message(raw)

    def deleted(self, channel_id, message_ids):
        FATE.meets("", channel_id)
        super().deleted(channel_id, message_ids)

    def interaction(self, raw):
        _met(raw)
        super().interaction(raw)


class MortalSlashDrawer(MortalDrawer):
    async def put(self, key, value):
        if key.startswith("answered/"):
            is_done = value == "done"
            if not is_done:
                point = "acknowledged, nothing is written"
            else:
                point = "answered, not marked"
            FATE.at_number(f"a slash command is {point}", key)
        await super().put(key, value)


class MortalBot(Bot):
    def _ears(self, *door):
        ears = super()._ears(*door)
        ears.__class__ = MortalEars
        ears.mark.__class__ = MortalMark
        return ears


class MortalDiscord(MortalChannel, DiscordChannel):
    def made(self):
        made = super().made()
        for bot in made.values():
            bot.__class__ = MortalBot
            bot.client.__class__ = MortalClient
        return made


def _met(raw: dict[str, Any]) -> None:
    if raw["channel_id"] == FATE.chat:
        # A thread of our own has the number of the message that it begins with.
        FATE.meets(raw["id"], raw["id"])


def _watch(house: House, waits: dict[str, float]) -> None:
    """Have what was built die where it is told to; nothing else of it changes."""
    channel: Any = house.channels["discord"]
    channel.__class__ = MortalDiscord
    channel._drawer.__class__ = MortalSlashDrawer
    channel._waits = replace(_WAITS, **waits)  # type: ignore[arg-type]  # of JSON
    watched(house)


if __name__ == "__main__":
    run(_watch)
