"""Slash commands and buttons: what people do with them, and what they then see."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.servers.discord.drafts import EPHEMERAL, LOADING
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.rooms import Rooms
from tests.servers.discord.shown import brief_guild, full_member, message_json
from tests.servers.discord.watching import Seen, buttons, seen

if TYPE_CHECKING:
    from tests.servers.discord.things import Bot, Channel, Json

COMMAND, COMPONENT = 2, 3
PATIENCE: Final = 3.0
VALID: Final = 900.0
_OPTIONS: Final = {4: int, 10: float, 5: bool}


@dataclass(eq=False)
class Interaction:
    """Somebody used a command or a button; `said` is what the bot answered.

    `source` is the message of the button. Messages that only one person sees are in no
    channel. `callback` is how the bot took it: 4 and 7 at once, 5 and 6 later.
    """

    id: int
    token: str
    bot: Bot
    kind: int
    channel: Channel
    user: int
    made: float
    source: Json | None = None
    at: float = field(default_factory=time.monotonic)
    acked: float | None = None
    callback: int = 0
    said: list[Json] = field(default_factory=list)
    original: Json | None = None

    @property
    def is_loading(self) -> bool:
        """Whether the person is shown that the bot thinks."""
        return bool(self.original and self.original["flags"] & LOADING)


@dataclass(frozen=True)
class Outcome:
    """What a person sees of what they did; `acked_ms` None is not yet, or too late.

    `messages` are the answers but those that were deleted, the first one first; while
    `thinking`, it is empty. `failed` is that the client said so.
    """

    acked_ms: float | None
    deferred: bool
    thinking: bool
    ephemeral: bool
    failed: bool
    messages: tuple[Seen, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The words of what was answered."""
        return [one.text for one in self.messages if one.text]


@dataclass(repr=False, eq=False)
class Interactions(Rooms, Gateway):
    """Acts of people that bots have to answer within three seconds."""

    interactions: dict[str, Interaction] = field(default_factory=dict)

    def slash(
        self, name: str, words: str = "", *, user: int, channel: int, bot: int = 0
    ) -> int:
        """Use a slash command, and give the number under which it is answered."""
        of = self.bot(bot)
        known = [one for one in of.commands if one["name"] == name]
        if not known:
            raise LookupError(f"there is no command /{name}")
        options = _options(known[0].get("options", []), words)
        data = {"id": known[0]["id"], "name": name, "type": 1, "options": options}
        return self._begin(of, COMMAND, channel, user, data)

    def press(self, message: int, label: str, user: int) -> int:
        """Press a button, and give the number under which it is answered."""
        channel, told = self.find(message)
        found = [one for one in buttons(told) if one.get("label") == label]
        if not found:
            raise LookupError(f"there is no button {label!r}")
        if found[0].get("disabled"):
            raise ValueError(f"the button {label!r} is grey")
        data = {"custom_id": found[0]["custom_id"], "component_type": 2}
        bot = self.bot(int(told["author"]["id"]))
        return self._begin(bot, COMPONENT, channel.id, user, data, told)

    def answer(self, number: int) -> Outcome:
        """Give what came of a command or a button."""
        one = next(one for one in self.interactions.values() if one.id == number)
        late = one.acked is None and time.monotonic() - one.at > PATIENCE
        shown = [told for told in one.said if not told["flags"] & LOADING]
        first = one.original or {"flags": 0}
        return Outcome(
            acked_ms=None if one.acked is None else (one.acked - one.at) * 1e3,
            deferred=one.callback in {5, 6},
            thinking=one.is_loading,
            ephemeral=bool(first["flags"] & EPHEMERAL),
            failed=late,
            messages=tuple(seen(message_json(self, one.channel, it)) for it in shown),
        )

    def find(self, message: int) -> tuple[Channel, Json]:
        """Find a message by its number, also one that only one person sees."""
        for channel in self.channels.values():
            if message in channel.messages:
                return channel, channel.messages[message]
        for one in self.interactions.values():
            for told in one.said:
                if told["id"] == str(message):
                    return one.channel, told
        raise LookupError(f"there is no message {message}")

    def _begin(
        self,
        bot: Bot,
        kind: int,
        channel: int,
        user: int,
        data: Json,
        source: Json | None = None,
    ) -> int:
        number, where = self.snowflake(), self.channels[channel]
        one = Interaction(
            number, f"i{number}", bot, kind, where, user, self.now(), source
        )
        self.interactions[one.token] = one
        told = self._shown(one) | {"data": data}
        if source is not None:
            told["message"] = message_json(self, where, source)
        self.emit_to(bot, "INTERACTION_CREATE", told)
        return number

    def _shown(self, one: Interaction) -> Json:
        guild = one.channel.guild
        told: Json = {
            "id": str(one.id),
            "application_id": str(one.bot.id),
            "type": one.kind,
            "token": one.token,
            "version": 1,
            "channel_id": str(one.channel.id),
            "channel": one.channel.json(self.users),
            "locale": "en-US",
            "app_permissions": str(one.channel.rights(one.bot.id)),
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": 0 if guild else 1,
            "attachment_size_limit": 10 << 20,
        }
        if guild is None:
            return told | {"user": self.users[one.user]}
        member = full_member(self, guild, one.user)
        member["permissions"] = str(one.channel.rights(one.user))
        return told | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "features": [], "locale": "en-US"},
            "guild_locale": brief_guild(guild)["preferred_locale"],
            "member": member,
        }


def _options(known: list[Json], words: str) -> list[Json]:
    """Fill in the first option of a command."""
    if not words:
        return []
    if not known:
        raise ValueError("this command takes no words")
    kind = known[0]["type"]
    value: Any = _OPTIONS.get(kind, str)(words)
    return [{"name": known[0]["name"], "type": kind, "value": value}]
