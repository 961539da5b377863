"""Chats, their topics and their messages, as Telegram's own database has them."""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

GENERAL = 1
"""The topic of a forum that has no id on the wire."""

INSIDE = {"member", "administrator", "creator", "restricted"}
_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_send_welcome_messages",
    "can_manage_topics",
)


@dataclass
class Topic:
    """A topic of a forum; its id is that of the message that opened it."""

    id: int
    name: str
    closed: bool = False
    started: Json = field(default_factory=dict)


@dataclass
class Chat:
    """A chat of any type. `ids` numbers its messages; some chats share theirs."""

    id: int
    kind: str
    title: str
    ids: Iterator[int]
    username: str | None = None
    forum: bool = False
    members: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Json] = field(default_factory=dict)
    authors: dict[int, int] = field(default_factory=dict)
    reactions: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    migrated_to: int | None = None
    blocked: bool = False

    @property
    def shared(self) -> bool:
        """Whether everybody sees the same message under the same number."""
        return self.kind in {"supergroup", "channel"}

    @property
    def brief(self) -> Json:
        """The chat as messages name it."""
        named = "first_name" if self.kind == "private" else "title"
        brief: Json = {"id": self.id, "type": self.kind, named: self.title}
        if self.username:
            brief["username"] = self.username
        if self.forum:
            brief["is_forum"] = True
        return brief

    @property
    def spoken(self) -> str:
        """How an error names the type."""
        return {"group": "group chat", "supergroup": "supergroup chat"}.get(
            self.kind, f"{self.kind} chat"
        )

    def status(self, user: int) -> str:
        """Say what somebody is here."""
        return self.members.get(user, "left")

    def topic_of(self, message: Json) -> int | None:
        """Say in which topic a message stands; None where there are none."""
        if not self.forum:
            return None
        is_topic = message.get("is_topic_message")
        return message["message_thread_id"] if is_topic else GENERAL

    def place(
        self,
        sender: Json,
        content: Json,
        *,
        thread: int | None = None,
        reply: Json | None = None,
    ) -> Json:
        """Add a message, in the form in which bots see it."""
        number = next(self.ids)
        message: Json = {"message_id": number, "chat": self.brief, "date": moment()}
        if self.kind == "channel":
            message["sender_chat"] = self.brief
        else:
            message["from"] = sender
        message |= self._threaded(thread, reply)
        self.messages[number] = message = deepcopy(message | content)
        self.authors[number] = sender["id"]
        return message

    def _threaded(self, thread: int | None, reply: Json | None) -> Json:
        """Say in which thread a message stands; not every thread is a topic."""
        where: Json = {}
        if reply is not None:
            bare = {name: value for name, value in reply.items() if name not in _REPLY}
            where["reply_to_message"] = bare
        if thread and self.forum:
            where |= {"message_thread_id": thread, "is_topic_message": True}
            # Where nobody is replied to, the topic's first message is.
            where.setdefault("reply_to_message", self.topics[thread].started)
        elif thread or (reply and self.kind == "supergroup"):
            first = reply or {"message_id": thread}
            root = first.get("message_thread_id", first["message_id"])
            where["message_thread_id"] = thread or root
        return where

    def open_topic(self, name: str, sender: Json) -> Topic:
        """Begin a topic, whose id is that of the message that says so."""
        made: Json = {"name": name, "icon_color": 0x6FB9F0}
        message = self.place(sender, {"forum_topic_created": made})
        number = message["message_id"]
        message |= {"message_thread_id": number, "is_topic_message": True}
        self.topics[number] = topic = Topic(number, name, started=deepcopy(message))
        return topic

    def drop_topic(self, number: int) -> None:
        """Take a topic away with all that was said in it."""
        del self.topics[number]
        for message in list(self.messages.values()):
            if message.get("is_topic_message") and (
                message["message_thread_id"] == number
            ):
                del self.messages[message["message_id"]]


def moment() -> int:
    """Give the time as messages carry it."""
    return int(time.time())


_REPLY = ("reply_to_message", "reply_markup")


def member(user: Json, status: str) -> Json:
    """Write a ChatMember."""
    told: Json = {"user": user, "status": status}
    if status == "administrator":
        told |= dict.fromkeys(_RIGHTS, True) | {"is_anonymous": False}
    elif status == "creator":
        told["is_anonymous"] = False
    elif status == "kicked":
        told["until_date"] = 0
    elif status == "restricted":
        told |= dict.fromkeys(_RESTRICTED, False) | {"is_member": True}
        told["until_date"] = 0
    return told


_RESTRICTED = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
