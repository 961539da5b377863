"""Groups, channels and topics, and who is in them."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.servers.telegram.chats import INSIDE, Chat, Json, member, moment
from tests.servers.telegram.people import People


class Rooms(People):
    """Make rooms, and let people and bots come and go."""

    def group(self, number: int, title: str, **more: Any) -> Chat:
        """Make a basic group, of one bot."""
        return self._room(number, "group", title, **more)

    def supergroup(self, number: int, title: str, **more: Any) -> Chat:
        """Make a supergroup."""
        return self._room(number, "supergroup", title, **more)

    def forum(self, number: int, title: str, **more: Any) -> Chat:
        """Make a supergroup with topics."""
        chat = self._room(number, "supergroup", title, **more)
        chat.forum = True
        return chat

    def channel(self, number: int, title: str, **more: Any) -> Chat:
        """Make a channel, in which the bot is an administrator."""
        return self._room(
            number, "channel", title, **{"status": "administrator"} | more
        )

    def topic(self, chat: int, name: str, user: int | None = None) -> int:
        """Open a topic of a forum, and give its id."""
        place = self.chat(chat)
        topic = place.open_topic(name, self._who(user))
        self._spread(place.messages[topic.id], None)
        return topic.id

    def close_topic(self, chat: int, topic: int, *, closed: bool = True) -> None:
        """Let nobody but administrators write in a topic."""
        self.chat(chat).topics[topic].closed = closed

    def drop_topic(self, chat: int, topic: int) -> None:
        """Delete a topic, of which bots are not told."""
        self.chat(chat).drop_topic(topic)

    def become(self, user: int, chat: int, status: str, to: str | None = None) -> None:
        """Make somebody a member, an administrator, or take them out."""
        place, who = self.chat(chat, to), self._who(user)
        old, place.members[user] = place.status(user), status
        change = self._change(place, who, who, old)
        for bot in self.bots_in(place):
            if place.status(bot.id) == "administrator":
                self.tell(bot, "chat_member", change)
        self._walk(place, who, who, old, to)

    def add_bot(
        self,
        chat: int,
        by: int | None = None,
        status: str = "member",
        to: str | None = None,
    ) -> None:
        """Take a bot into a room, or change what it may."""
        self._move(chat, by, status, to)

    def kick_bot(self, chat: int, by: int | None = None, to: str | None = None) -> None:
        """Throw a bot out of a room."""
        self._move(chat, by, "kicked", to)

    def block(self, user: int | None = None, to: str | None = None) -> None:
        """Have a person block a bot."""
        self._block(user, to, blocked=True)

    def unblock(self, user: int | None = None, to: str | None = None) -> None:
        """Have a person press Start again."""
        self._block(user, to, blocked=False)

    def migrate(self, chat: int, to: str | None = None) -> int:
        """Upgrade a group to a supergroup, and give its new id."""
        old, bot = self.chat(chat, to), self.bot(to)
        number = -1_000_000_000_000 + chat
        new = Chat(number, "supergroup", old.title, count(1))
        new.members = dict(old.members)
        self.shared[number] = new
        leaving = old.place(self._who(None), {"migrate_to_chat_id": number})
        old.migrated_to = number
        self.tell(bot, "message", leaving)
        self._spread(new.place(self._who(None), {"migrate_from_chat_id": chat}), to)
        return number

    def _room(
        self,
        number: int,
        kind: str,
        title: str,
        *,
        status: str = "member",
        username: str | None = None,
        to: str | None = None,
    ) -> Chat:
        if number >= 0 or (kind != "group") != (number < -1_000_000_000_000):
            raise ValueError("a group's id is like -5, any other room's like -100...5")
        bot = self.bot(to)
        chat = Chat(number, kind, title, bot.ids, username)
        if chat.shared:
            # The first message says that the room was made; General is called so.
            chat.ids = count(2)
            self.shared[number] = chat
        else:
            bot.own[number] = chat
        chat.members = {bot.id: status} | dict.fromkeys(self.users, "member")
        return chat

    def _move(self, chat: int, by: int | None, status: str, to: str | None) -> None:
        place, bot, who = self.chat(chat, to), self.bot(to), self._who(by)
        old, place.members[bot.id] = place.status(bot.id), status
        self.tell(bot, "my_chat_member", self._change(place, who, bot.me, old))
        self._walk(place, who, bot.me, old, to)

    def _block(self, user: int | None, to: str | None, *, blocked: bool) -> None:
        who, bot = self._who(user), self.bot(to)
        place = self._private(who, bot)
        old = "kicked" if place.blocked else "member"
        place.blocked = blocked
        new = "kicked" if blocked else "member"
        change = self._change(place, who, bot.me, old, new)
        self.tell(bot, "my_chat_member", change)

    def _change(
        self, place: Chat, by: Json, who: Json, old: str, new: str | None = None
    ) -> Json:
        return {
            "chat": place.brief,
            "from": by,
            "date": moment(),
            "old_chat_member": member(who, old),
            "new_chat_member": member(who, new or place.status(who["id"])),
        }

    def _walk(self, place: Chat, by: Json, who: Json, old: str, to: str | None) -> None:
        """Say in the room that somebody came or went."""
        was, is_ = old in INSIDE, place.status(who["id"]) in INSIDE
        if was == is_ or place.kind == "channel":
            return
        came = {"new_chat_members": [who], "new_chat_member": who}
        content = came if is_ else {"left_chat_member": who}
        self._spread(place.place(by, content), to)
