"""One request and what all methods check alike: chat, thread, words, buttons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.servers.telegram import html_mode, markdown_mode
from tests.servers.telegram.chats import INSIDE
from tests.servers.telegram.entities import (
    Entity,
    blank,
    checked,
    ragged,
    stripped,
    units,
)
from tests.servers.telegram.refused import bad, forbidden

if TYPE_CHECKING:
    from tests.servers.telegram.bots import Bot
    from tests.servers.telegram.chats import Chat, Json
    from tests.servers.telegram.params import Params
    from tests.servers.telegram.world import World

_PARSERS = {"html": html_mode.parse, "markdownv2": markdown_mode.parse}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MOST_BUTTONS = 100
_ROW = 8


@dataclass(frozen=True)
class Asked:
    """A bot asks something of the world."""

    world: World
    bot: Bot
    params: Params

    def chat(self) -> Chat:
        """Give the chat, or refuse one that this bot cannot know."""
        told = self.params.text("chat_id").strip()
        if not told:
            raise bad("chat_id is empty")
        if told.startswith("@"):
            return self._named(told[1:])
        if not told.removeprefix("-").isdigit():
            raise bad("chat not found")
        number = int(told)
        chat = self.world.shared.get(number) or self.bot.own.get(number)
        if chat is None:
            self._no_chat(number)
            raise bad("chat not found")
        return chat

    def _named(self, username: str) -> Chat:
        for chat in self.world.shared.values():
            if chat.username and chat.username.lower() == username.lower():
                return chat
        raise bad("chat not found")

    def _no_chat(self, number: int) -> None:
        user = self.world.users.get(number)
        if user is None:
            return
        if user["is_bot"]:
            raise forbidden("bots can't send messages to bots")
        raise forbidden("bot can't initiate conversation with a user")

    def inside(self) -> Chat:
        """Give the chat, in which the bot must be."""
        chat = self.chat()
        if chat.migrated_to is not None:
            raise bad(
                "group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.migrated_to,
            )
        if chat.kind == "private":
            if chat.blocked:
                raise forbidden("bot was blocked by the user")
            return chat
        status = chat.status(self.bot.id)
        if status == "kicked":
            raise forbidden(f"bot was kicked from the {chat.spoken}")
        if status not in INSIDE:
            raise forbidden(f"bot is not a member of the {chat.spoken}")
        return chat

    def writable(self) -> Chat:
        """Give the chat, in which the bot must be allowed to write."""
        chat = self.inside()
        status = chat.status(self.bot.id)
        if status == "restricted":
            raise bad("not enough rights to send text messages to the chat")
        if chat.kind == "channel" and status != "administrator":
            raise bad("need administrator rights in the channel chat")
        return chat

    def leads(self, chat: Chat) -> bool:
        """Whether the bot is an administrator."""
        return chat.status(self.bot.id) in {"administrator", "creator"}

    def thread(self, chat: Chat) -> int | None:
        """Give the thread, or refuse one that is not there; General has no id."""
        number = self.params.number("message_thread_id")
        if not number:
            return None
        if chat.forum:
            topic = chat.topics.get(number)
            if topic is None:
                raise bad("message thread not found")
            if topic.closed and not self.leads(chat):
                raise bad("TOPIC_CLOSED")
        elif chat.kind != "supergroup" or number not in chat.messages:
            raise bad("message thread not found")
        return number

    def message(self, chat: Chat, missing: str) -> Json:
        """Give the message that is meant, or refuse in these words."""
        number = self.params.number("message_id")
        if not number:
            raise bad("message identifier is not specified")
        if number not in chat.messages:
            raise bad(missing)
        return chat.messages[number]

    def spend(self, chat: Chat) -> None:
        """Count a message against the rules of how many there may be."""
        if self.world.flood is not None:
            self.world.flood.admit(self.bot.id, chat, self.world.complain)

    # -- words

    def words(self, name: str, marked: str, given: Json) -> tuple[str, list[Entity]]:
        """Read words and what is marked in them, as sent or inside an object."""
        source = str(given.get(name) or "")
        mode = str(given.get("parse_mode") or "").lower()
        entities = given.get(marked)
        if _CONTROL.search(source):
            self.world.complain(f"{name}: control characters")
        if mode and entities:
            self.world.complain(f"{name}: {marked} are ignored beside parse_mode")
        if mode:
            if mode not in _PARSERS:
                self.world.complain(f"parse_mode {mode} is not known here")
                raise bad("unsupported parse_mode")
            text, entities = _PARSERS[mode](source)
            text, entities = stripped(text, entities)
            return text, checked(text, entities, self.world.complain)
        held = checked(source, entities, self.world.complain) if entities else []
        if any(ragged(source, entity) for entity in held):
            self.world.complain(f"{name}: blanks at the end of an entity")
        return stripped(source, held)

    def text(self) -> tuple[str, list[Entity]]:
        """Give the text of a message, 1 to 4096 units of it."""
        if not self.params.text("text"):
            raise bad("message text is empty")
        text, entities = self.words("text", "entities", self._worded("entities"))
        if blank(text):
            raise bad("text must be non-empty")
        if units(text) > 4096:
            raise bad("message is too long")
        return text, entities

    def caption(self, given: Json | None = None) -> Json:
        """Give a caption as messages carry it, up to 1024 units, or nothing."""
        told = self._worded("caption_entities") if given is None else given
        text, entities = self.words("caption", "caption_entities", told)
        if units(text) > 1024:
            raise bad("message caption is too long")
        marked = {"caption_entities": entities} if entities else {}
        return {"caption": text} | marked if text else {}

    def _worded(self, marked: str) -> Json:
        return self.params.given | {marked: self.params.json(marked)}

    # -- buttons

    def markup(self) -> Json | None:
        """Give the buttons under a message, or None; refuse what would not do."""
        markup = self.params.json("reply_markup")
        if markup is None:
            return None
        if not isinstance(markup, dict):
            raise bad("object expected as reply markup")
        if "inline_keyboard" not in markup:
            return None
        rows = [row for row in markup["inline_keyboard"] if row]
        for row in rows:
            if len(row) > _ROW:
                self.world.complain(f"{len(row)} buttons in a row")
            for button in row:
                _hold(button)
        if sum(map(len, rows)) > _MOST_BUTTONS:
            raise bad("REPLY_MARKUP_TOO_LONG")
        return {"inline_keyboard": rows} if rows else None


_ACTIONS = {
    "callback_data",
    "url",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
}


def _hold(button: Any) -> None:
    if not isinstance(button, dict) or not button.get("text"):
        raise bad("can't parse inline keyboard button: BUTTON_TEXT_INVALID")
    actions = _ACTIONS & {name for name, value in button.items() if value is not None}
    if len(actions) != 1:
        raise bad(
            "can't parse inline keyboard button: "
            "Text buttons are unallowed in the inline keyboard"
        )
    if "callback_data" in actions:
        data = button["callback_data"]
        if not isinstance(data, str) or not 1 <= len(data.encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    if "url" in actions and ":" not in button["url"] and "." not in button["url"]:
        raise bad(
            f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL"
        )
