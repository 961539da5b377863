"""A bot's session at the gateway, which outlives its sockets."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio

    from tests.servers.discord.things import Bot, Json

GUILDS: Final = 1 << 0
GUILD_MESSAGES: Final = 1 << 9
DIRECT_MESSAGES: Final = 1 << 12
MESSAGE_CONTENT: Final = 1 << 15

_OF_GUILDS: Final = ("GUILD_", "CHANNEL_", "THREAD_")


@dataclass(eq=False)
class Session:
    """What was and will be sent; `wake` is of the socket that it has now."""

    id: str
    bot: Bot
    intents: int
    sent: list[str] = field(default_factory=list)
    wake: asyncio.Event | None = None

    def push(self, kind: str, data: Any) -> None:
        """Send an event now, or when somebody takes the session up again."""
        number = len(self.sent) + 1
        told = {"op": 0, "t": kind, "s": number, "d": data}
        self.sent.append(json.dumps(told))
        if self.wake is not None:
            self.wake.set()

    def wants(self, kind: str, data: Json) -> bool:
        """Whether such an event was asked for."""
        if kind.startswith("MESSAGE_"):
            need = GUILD_MESSAGES if data.get("guild_id") else DIRECT_MESSAGES
            return bool(self.intents & need)
        if kind.startswith(_OF_GUILDS):
            return bool(self.intents & GUILDS)
        return True

    def tell(self, kind: str, data: Json) -> None:
        """Send an event if it was asked for, as far as its words may be read."""
        if not self.wants(kind, data):
            return
        if kind in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            data = self.readable(data)
        self.push(kind, data)

    def readable(self, message: Json) -> Json:
        """Leave out what somebody said that a bot without the intent may not read."""
        if self.intents & MESSAGE_CONTENT:
            return message
        return censored(message, self.bot.id)


def censored(message: Json, bot: int) -> Json:
    """Take the words out of a guild's message that is not for a bot, nor by it."""
    told = deepcopy(message)
    if told.get("referenced_message"):
        quoted = told["referenced_message"] | {"guild_id": told.get("guild_id")}
        told["referenced_message"] = censored(quoted, bot)
        told["referenced_message"].pop("guild_id")
    mentioned = {user["id"] for user in told["mentions"]} | {told["author"]["id"]}
    if not told.get("guild_id") or str(bot) in mentioned:
        return told
    _silence(told)
    for snapshot in told.get("message_snapshots", ()):
        _silence(snapshot["message"])
    return told


def _silence(message: Json) -> None:
    message |= {"content": "", "embeds": [], "attachments": [], "components": []}
    message.pop("poll", None)
