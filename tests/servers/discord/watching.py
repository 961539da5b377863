"""What tests ask: what people see by now, and what the bot did for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.servers.discord.placing import VOICE
from tests.servers.discord.shown import message_json
from tests.servers.discord.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.discord.things import Json
    from tests.servers.discord.world import Call


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it; `json` has the rest of it.

    `buttons` are what is written on them, `files` the names of what came along.
    """

    id: int
    channel: int
    author: int
    text: str
    reply_to: int | None = None
    buttons: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    flags: int = 0
    edited: bool = False
    json: Json = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_voice(self) -> bool:
        """Whether it is a voice message."""
        return bool(self.flags & VOICE)


class Watching(World):
    """Questions; none of them changes anything."""

    def history(self, channel: int) -> Sequence[Seen]:
        """Give all messages of a channel that are there now, the oldest first."""
        where = self.channels.get(channel)
        if where is None:
            return []
        told = [where.messages[number] for number in sorted(where.messages)]
        return [seen(message_json(self, where, one)) for one in told]

    def sent(self, channel: int, bot: int = 0) -> Sequence[Seen]:
        """Give the messages of a bot that are there now."""
        author = self.bot(bot).id
        return [one for one in self.history(channel) if one.author == author]

    def texts(self, channel: int, bot: int = 0) -> Sequence[str]:
        """Give the words of the messages of a bot that are there now."""
        return [one.text for one in self.sent(channel, bot)]

    def file(self, channel: int, message: int, number: int = 0) -> bytes:
        """Give what a file of a message holds."""
        told = self.channels[channel].messages[message]["attachments"][number]
        return self.blobs[told["id"]]

    def threads(self, parent: int) -> list[int]:
        """Give the threads of a channel, the oldest first."""
        return sorted(
            one.id
            for one in self.channels.values()
            if one.is_thread and one.parent and one.parent.id == parent
        )

    def typing(self, channel: int) -> list[float]:
        """Give when the bots were seen typing, by the monotonic clock."""
        return [at for where, _, at in self.typed if where == channel]

    def calls(self, method: str = "", path: str = "") -> list[Call]:
        """Give the requests; `*` in a path is one step of it, `**` any."""
        pattern = matcher(path or "**")
        return [
            one
            for one in self.log
            if method in {"", one.method} and pattern.fullmatch(one.path)
        ]

    def commands(self, bot: int = 0) -> list[Json]:
        """Give the slash commands that people are offered."""
        return self.bot(bot).commands

    def sessions(self, bot: int = 0) -> int:
        """Count the fresh sessions that a bot has asked for."""
        return len(self.bot(bot).identified)


def seen(told: Json) -> Seen:
    """Make of a message what a person sees."""
    answered = told.get("message_reference", {})
    is_reply = answered and told["type"] == 19
    return Seen(
        id=int(told["id"]),
        channel=int(told["channel_id"]),
        author=int(told["author"]["id"]),
        text=told["content"],
        reply_to=int(answered["message_id"]) if is_reply else None,
        buttons=tuple(_label(one) for one in buttons(told)),
        files=tuple(one["filename"] for one in told["attachments"]),
        flags=told["flags"],
        edited=told["edited_timestamp"] is not None,
        json=told,
    )


def buttons(told: Json) -> list[Json]:
    """Give the buttons of a message, row by row."""
    rows = told.get("components", [])
    return [
        one for row in rows for one in row.get("components", []) if one["type"] == 2
    ]


def _label(button: Json) -> str:
    return str(button.get("label") or button.get("emoji", {}).get("name", ""))


def matcher(path: str) -> re.Pattern[str]:
    """Read a path with stars in it."""
    pieces = re.split(r"(\*\*|\*)", path)
    stars: dict[str, Any] = {"*": "[^/]+", "**": ".*"}
    return re.compile("".join(stars.get(piece) or re.escape(piece) for piece in pieces))
