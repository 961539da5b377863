"""What people do: they talk, edit, delete, forward, and send things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.servers.discord.placing import (
    VOICE,
    announce,
    kept,
    mentioned,
    place,
    reference,
    remove,
)
from tests.servers.discord.shown import message_json
from tests.servers.discord.world import World, person

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.discord.placing import File
    from tests.servers.discord.things import Channel, Json

_FORWARDED: Final = 1 << 14
_SNAPSHOT: Final = (
    "type",
    "content",
    "embeds",
    "attachments",
    "timestamp",
    "edited_timestamp",
    "flags",
    "mentions",
    "mention_roles",
    "components",
)


class People(World):
    """Acts of people; channels, users and messages are named by their numbers."""

    def say(
        self,
        channel: int,
        user: int,
        text: str = "",
        *,
        files: Sequence[File] = (),
        reply_to: int = 0,
        ping: bool = True,
        fields: Json | None = None,
    ) -> int:
        """Say something and give its number; `<@id>` in it is a mention.

        A file is its name, its content and its kind; `fields` overrides what the
        message says of itself.
        """
        where = self.channels[channel]
        content: Json = {
            "content": text,
            "attachments": kept(self, files),
            "mentions": mentioned(self, where, text),
        }
        if reply_to:
            answered = where.messages[reply_to]
            content |= {"type": 19, "message_reference": reference(where, reply_to)}
            if ping and answered["author"] not in content["mentions"]:
                content["mentions"].append(answered["author"])
        return self._put(where, user, content | (fields or {}))

    def forward(self, channel: int, user: int, message: int, source: int) -> int:
        """Forward a message of the channel `source`."""
        there = self.channels[source]
        whole = message_json(self, there, there.messages[message])
        content = {
            "flags": _FORWARDED,
            "message_reference": reference(there, message) | {"type": 1},
            "message_snapshots": [
                {"message": {name: whole[name] for name in _SNAPSHOT if name in whole}}
            ],
        }
        return self._put(self.channels[channel], user, content)

    def voice(self, channel: int, user: int, content: bytes, seconds: float = 2) -> int:
        """Send a voice message."""
        told = kept(self, [("voice-message.ogg", content, "audio/ogg")])
        told[0] |= {"duration_secs": seconds, "waveform": "AAAA"}
        where = self.channels[channel]
        return self._put(where, user, {"flags": VOICE, "attachments": told})

    def sticker(self, channel: int, user: int, name: str) -> int:
        """Send a sticker."""
        told = {"id": str(self.snowflake()), "name": name, "format_type": 1}
        return self._put(self.channels[channel], user, {"sticker_items": [told]})

    def poll(self, channel: int, user: int, question: str, *answers: str) -> int:
        """Ask all for their opinion."""
        told = {
            "question": {"text": question},
            "answers": [
                {"answer_id": number, "poll_media": {"text": answer}}
                for number, answer in enumerate(answers, 1)
            ],
            "expiry": None,
            "allow_multiselect": False,
            "layout_type": 1,
        }
        return self._put(self.channels[channel], user, {"poll": told})

    def system(self, channel: int, user: int, kind: int, text: str = "") -> int:
        """Let Discord itself say something: 7 is a new member, 6 a pin."""
        content = {"type": kind, "content": text}
        return self._put(self.channels[channel], user, content)

    def hook(self, channel: int, name: str, text: str) -> int:
        """Let a webhook say something."""
        number = self.snowflake()
        author = person(number, name, is_bot=True)
        content = {"content": text, "webhook_id": str(number)}
        message = place(self, self.channels[channel], author, content)
        return int(message["id"])

    def edit(self, channel: int, message: int, text: str) -> None:
        """Change what somebody said."""
        where = self.channels[channel]
        kept_now = where.messages[message]
        kept_now |= {
            "content": text,
            "mentions": mentioned(self, where, text),
            "edited_timestamp": self.iso(),
        }
        announce(self, where, kept_now, "MESSAGE_UPDATE")

    def unfurl(self, channel: int, message: int) -> None:
        """Let Discord add a preview: an update that no person made."""
        where = self.channels[channel]
        where.messages[message]["embeds"] = [{"type": "link", "url": "https://a.b"}]
        announce(self, where, where.messages[message], "MESSAGE_UPDATE")

    def delete(self, channel: int, *messages: int) -> None:
        """Delete a message, or several at once as moderators do."""
        where = self.channels[channel]
        if len(messages) == 1:
            remove(self, where, messages[0])
            return
        for message in messages:
            del where.messages[message]
        told: dict[str, Any] = {
            "ids": [str(message) for message in messages],
            "channel_id": str(channel),
        }
        self.emit("MESSAGE_DELETE_BULK", told, where)

    def again(self, channel: int, message: int) -> None:
        """Tell the bots of a message once more."""
        where = self.channels[channel]
        announce(self, where, where.messages[message], "MESSAGE_CREATE")

    def _put(self, where: Channel, user: int, content: Json) -> int:
        if user not in self._audience(where):
            raise ValueError(f"{user} is not in the channel {where.id}")
        if where.is_thread and user not in where.joined:
            where.joined.append(user)
        return int(place(self, where, self.users[user], content)["id"])

    def _audience(self, where: Channel) -> set[int]:
        if where.guild is None:
            return {where.user, where.bot}
        return set(where.guild.members)
