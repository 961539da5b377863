"""What people do: they talk, send things, press buttons."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.bots import Query
from tests.servers.telegram.chats import GENERAL, INSIDE, Chat, moment
from tests.servers.telegram.entities import covered, found, units
from tests.servers.telegram.watching import Seen
from tests.servers.telegram.world import World

if TYPE_CHECKING:
    from tests.servers.telegram.bots import Bot
    from tests.servers.telegram.chats import Json

Known = Seen | dict[str, Any]
"""A message as `say` or `sent` gave it."""

_MOST = 4096


class People(World):
    """Acts of people; each takes `chat`, `user`, `topic`, `reply_to` and `to`.

    Without `chat` it is private, without `user` it is who was made first, and `to` is
    the token of the bot, where there are several. Messages come back as bots see them.
    """

    def user(
        self,
        number: int,
        name: str,
        *,
        username: str | None = None,
        language: str = "en",
        is_bot: bool = False,
        started: bool = True,
    ) -> Json:
        """Make a person; unless `started` is false, they pressed Start already."""
        named = {"username": username} if username else {}
        user = {"id": number, "is_bot": is_bot, "first_name": name, **named}
        self.users[number] = user = user | {"language_code": language}
        if started:
            self._private(user, self.bot())
        return user

    def say(
        self, text: str, chat: int | None = None, user: int | None = None, **more: Any
    ) -> Json:
        """Send text; commands and mentions in it are marked, as clients do."""
        if units(text) > _MOST:
            raise ValueError("clients send this as several messages: use paste")
        entities = more.pop("entities", found(text))
        marked = {"entities": entities} if entities else {}
        return self.post({"text": text} | marked, chat, user, **more)

    def paste(
        self, text: str, chat: int | None = None, user: int | None = None, **more: Any
    ) -> list[Json]:
        """Send a long text as clients do, in several messages."""
        pieces, piece = [], ""
        for letter in text:
            if units(piece) + units(letter) > _MOST:
                pieces.append(piece)
                piece = ""
            piece += letter
        return [self.say(part, chat, user, **more) for part in [*pieces, piece]]

    def post(
        self,
        content: Json,
        chat: int | None = None,
        user: int | None = None,
        *,
        topic: int | None = None,
        reply_to: Known | int | None = None,
        to: str | None = None,
        fields: Json | None = None,
    ) -> Json:
        """Send anything; `fields` overrides what the message says of itself."""
        message = self._put(content, chat, user, topic=topic, reply_to=reply_to, to=to)
        if fields:
            message = message | fields
            place = self.chat(message["chat"]["id"], to)
            place.messages[message["message_id"]] = message
        self._spread(message, to)
        return deepcopy(message)

    def quote(self, message: Known, words: str, text: str, **more: Any) -> Json:
        """Reply to a part of a message."""
        chat, number = located(message)
        whole = self.chat(chat, more.get("to")).messages[number]
        said = whole.get("text") or whole.get("caption") or ""
        position = units(said[: said.index(words)])
        quote = {"text": words, "position": position, "is_manual": True}
        more.setdefault("chat", chat)
        content = {"text": text, "quote": quote}
        return self.post(content, reply_to=number, **more)

    def forward(self, text: str, origin: str = "user", **more: Any) -> Json:
        """Forward what a `user`, somebody `hidden`, or a `channel` wrote."""
        told: Json = {"type": origin, "date": moment() - 3600}
        if origin == "hidden":
            told |= {"type": "hidden_user", "sender_user_name": "Somebody"}
        elif origin == "channel":
            channel = {"id": -1009998887776, "type": "channel", "title": "News"}
            told |= {"chat": channel, "message_id": 77}
        else:
            told["sender_user"] = {"id": 99, "is_bot": False, "first_name": "Zoe"}
        return self.post({"text": text, "forward_origin": told}, **more)

    def edit(self, message: Known, text: str, to: str | None = None) -> Json:
        """Change what one said."""
        chat, number = located(message)
        place = self.chat(chat, to)
        kept = dict(place.messages[number])
        words = "caption" if "caption" in kept else "text"
        marks = "caption_entities" if words == "caption" else "entities"
        kept.pop(marks, None)
        kept |= {words: text, "edit_date": moment()}
        if entities := found(text):
            kept[marks] = entities
        place.messages[number] = kept
        self._spread(kept, to, edited=True)
        return deepcopy(kept)

    def remove(self, message: Known, to: str | None = None) -> None:
        """Delete a message, of which no bot is told."""
        chat, number = located(message)
        del self.chat(chat, to).messages[number]

    def press(
        self,
        message: Known,
        label: str,
        user: int | None = None,
        *,
        to: str | None = None,
    ) -> Query:
        """Press a button; of a message that is gone by now, bots see little."""
        chat, number = located(message)
        place = self.chat(chat, to)
        kept = place.messages.get(number)
        shown = kept or (message.json if isinstance(message, Seen) else message)
        data = _button(shown, label)
        sender = self._who(user)
        query = Query(str(4_000_000 + next(self.numbers)), data, sender["id"])
        bot = next(b for b in self.bots_in(place) if b.id == place.authors[number])
        bot.queries[query.id] = query
        gone = {"chat": place.brief, "message_id": number, "date": 0}
        content = {
            "id": query.id,
            "from": sender,
            "message": kept or gone,
            "chat_instance": str(place.id),
            "data": data,
        }
        self.tell(bot, "callback_query", content)
        return query

    def react(
        self, message: Known, emoji: str, user: int | None = None, to: str | None = None
    ) -> None:
        """React to a message; only administrators and private chats are told."""
        chat, number = located(message)
        place, sender = self.chat(chat, to), self._who(user)
        key = number, sender["id"]
        old, new = place.reactions.get(key, []), [emoji] if emoji else []
        place.reactions[key] = new
        content = {
            "chat": place.brief,
            "message_id": number,
            "date": moment(),
            "user": sender,
            "old_reaction": [{"type": "emoji", "emoji": one} for one in old],
            "new_reaction": [{"type": "emoji", "emoji": one} for one in new],
        }
        for bot in self.bots_in(place):
            if place.kind == "private" or place.status(bot.id) == "administrator":
                self.tell(bot, "message_reaction", content)

    def stop_draft(self, chat: int, to: str | None = None) -> None:
        """Press stop under a message that streams."""
        bot = self.bot(to)
        draft = bot.streaming.pop(chat)
        if not draft.can_stop:
            raise ValueError("this draft has no button to stop it")
        brief = self.chat(chat, to).brief
        content = {"chat": brief, "draft_id": draft.draft_id}
        self.tell(bot, "stopped_message_generation", content)

    # -- how it is done

    def _who(self, user: int | None) -> Json:
        return self.users[next(iter(self.users)) if user is None else user]

    def _private(self, user: Json, bot: Bot) -> Chat:
        number, name = user["id"], user.get("username")
        if number not in bot.own:
            ids = bot.ids
            bot.own[number] = Chat(number, "private", user["first_name"], ids, name)
        return bot.own[number]

    def _where(self, chat: int | None, sender: Json, to: str | None) -> Chat:
        if chat is None or chat == sender["id"]:
            return self._private(sender, self.bot(to))
        place = self.chat(chat, to)
        if place.migrated_to is not None:
            raise ValueError("nobody can write in a group that was upgraded")
        if place.members.setdefault(sender["id"], "member") not in INSIDE:
            raise ValueError("somebody who is not in the chat cannot write in it")
        return place

    def _put(
        self,
        content: Json,
        chat: int | None,
        user: int | None,
        *,
        topic: int | None = None,
        reply_to: Known | int | None = None,
        to: str | None = None,
    ) -> Json:
        sender = self._who(user)
        place = self._where(chat, sender, to)
        reply = None
        if reply_to is not None:
            number = reply_to if isinstance(reply_to, int) else located(reply_to)[1]
            reply = place.messages[number]
        if reply and topic is None and reply.get("is_topic_message"):
            topic = reply["message_thread_id"]
        thread = None if topic in {None, GENERAL} else topic
        if thread is not None and thread not in place.topics:
            raise ValueError("there is no such topic")
        return place.place(sender, content, thread=thread, reply=reply)

    def _spread(self, message: Json, to: str | None, *, edited: bool = False) -> None:
        place = self.chat(message["chat"]["id"], to)
        kind = "channel_post" if place.kind == "channel" else "message"
        for bot in self.bots_in(place):
            if bot.reads_all or _meant(bot, place, message):
                self.tell(bot, f"edited_{kind}" if edited else kind, message)


def located(message: Known) -> tuple[int, int]:
    """Say in which chat a message is, and under which number."""
    if isinstance(message, Seen):
        return message.chat, message.id
    return message["chat"]["id"], message["message_id"]


def _button(message: Json, label: str) -> str:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    for button in (button for row in rows for button in row):
        if button["text"] == label:
            return str(button["callback_data"])
    raise LookupError(f"there is no button {label!r}")


def _meant(bot: Bot, place: Chat, message: Json) -> bool:
    """Whether a bot that does not read everything hears this."""
    if place.kind in {"private", "channel"} or place.status(bot.id) != "member":
        return True
    text = message.get("text") or message.get("caption") or ""
    reply = message.get("reply_to_message", {}).get("from", {}).get("id")
    service = not {"text", "caption", "photo", "document"} & set(message)
    mention = f"@{bot.username}".lower() in text.lower()
    command = any(
        entity["type"] == "bot_command" and "@" not in covered(text, entity)
        for entity in message.get("entities", ())
    )
    return mention or command or service or reply == bot.id
