"""What tests ask: what people see by now, and what the bot did for it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.world import POLL, World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.bots import Draft, Query
    from tests.servers.telegram.chats import Chat, Json
    from tests.servers.telegram.world import Call


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it; `json` has the rest of it.

    `kind` is text, document, photo or what else it is; `topic` is None outside forums.
    """

    id: int
    chat: int
    author: int
    kind: str
    text: str
    topic: int | None = None
    entities: tuple[dict[str, Any], ...] = ()
    reply_to: int | None = None
    quote: str | None = None
    buttons: tuple[str, ...] = ()
    name: str | None = None
    document: bytes | None = None
    edited: bool = False
    json: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


_KINDS = ("text", "document", "photo", "voice", "audio", "sticker", "poll", "location")


class Watching(World):
    """Questions; none of them changes anything."""

    def sent(
        self, chat: int, topic: int | None = None, to: str | None = None
    ) -> Sequence[Seen]:
        """Give the messages of bots that are there now, in one topic or in all."""
        return self._history(chat, topic, to, {bot.id for bot in self.bots.values()})

    def history(
        self, chat: int, topic: int | None = None, to: str | None = None
    ) -> Sequence[Seen]:
        """Give all messages that are there now."""
        return self._history(chat, topic, to, None)

    def texts(
        self, chat: int, topic: int | None = None, to: str | None = None
    ) -> Sequence[str]:
        """Give the words of the messages of bots that are there now."""
        return [one.text for one in self.sent(chat, topic, to)]

    def calls(self, method: str | None = None, chat: int | None = None) -> list[Call]:
        """Give the requests, of one method or of all but getUpdates."""
        return [
            call
            for call in self.log
            if (call.method == method if method else call.method != POLL)
            and chat in {None, call.chat}
        ]

    def drafts(self, chat: int, to: str | None = None) -> list[Draft]:
        """Give all states of messages that streamed."""
        return [draft for draft in self.bot(to).drafts if draft.chat == chat]

    def draft_now(self, chat: int, to: str | None = None) -> Draft | None:
        """Give what streams now; a message of the bot ends it."""
        return self.bot(to).streaming.get(chat)

    def actions(
        self, chat: int, topic: int | None = None, to: str | None = None
    ) -> list[tuple[str, float]]:
        """Give what was said to be done, and when."""
        return [
            (action, at)
            for where, thread, action, at in self.bot(to).actions
            if where == chat and topic in {None, thread}
        ]

    def queries(self, to: str | None = None) -> list[Query]:
        """Give the presses of buttons, answered or not."""
        return list(self.bot(to).queries.values())

    def expire_queries(self, to: str | None = None) -> None:
        """Let what was pressed be too old to be answered."""
        for query in self.bot(to).queries.values():
            query.expired = True

    def commands(self, to: str | None = None) -> dict[tuple[str, str], list[Json]]:
        """Give the menus by scope (as JSON) and language."""
        return self.bot(to).commands

    def pending(self, to: str | None = None) -> list[Json]:
        """Give the updates that no offset has confirmed."""
        return deepcopy(self.bot(to).pending)

    def reactions(self, chat: int, message: int, to: str | None = None) -> list[str]:
        """Give the bot's reactions to a message."""
        bot = self.bot(to)
        return self.chat(chat, to).reactions.get((message, bot.id), [])

    @property
    def polls(self) -> int:
        """How often getUpdates was called."""
        return sum(call.method == POLL for call in self.log)

    @property
    def polling(self) -> int:
        """How many polls of the first bot wait now."""
        return self.bot().polling

    @property
    def most_polling(self) -> int:
        """How many polls of the first bot ever waited at once."""
        return self.bot().most_polling

    def _history(
        self, chat: int, topic: int | None, to: str | None, authors: set[int] | None
    ) -> list[Seen]:
        place = self.shared.get(chat) or self.bot(to).own.get(chat)
        if place is None:
            return []
        return [
            self._seen(place, message)
            for number, message in place.messages.items()
            if (authors is None or place.authors[number] in authors)
            and topic in {None, place.topic_of(message)}
        ]

    def _seen(self, place: Chat, message: Json) -> Seen:
        kind = next((kind for kind in _KINDS if kind in message), "service")
        told = message.get(kind) if kind != "photo" else message[kind][-1]
        file = told.get("file_id") if isinstance(told, dict) else None
        marks = message.get("entities") or message.get("caption_entities") or ()
        rows = message.get("reply_markup", {}).get("inline_keyboard", ())
        reply = message.get("reply_to_message", {})
        return Seen(
            id=message["message_id"],
            chat=place.id,
            author=place.authors[message["message_id"]],
            kind=kind,
            text=message.get("text") or message.get("caption") or "",
            topic=place.topic_of(message),
            entities=tuple(marks),
            reply_to=None
            if "forum_topic_created" in reply
            else reply.get("message_id"),
            quote=message.get("quote", {}).get("text"),
            buttons=tuple(button["text"] for row in rows for button in row),
            name=told.get("file_name") if isinstance(told, dict) else None,
            document=self.files.get(file).content if file else None,
            edited="edit_date" in message,
            json=message,
        )
