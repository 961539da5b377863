"""Methods that change what is in a chat already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.telegram.chats import moment
from tests.servers.telegram.refused import NOT_MODIFIED, bad

if TYPE_CHECKING:
    from tests.servers.telegram.asked import Asked
    from tests.servers.telegram.chats import Chat, Json

_REACTIONS = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 "
    "🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 "
    "😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 "
    "🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡 "
)


def edit_message_text(asked: Asked) -> Json:
    """Put another text in place of one."""
    chat, message = _own(asked)
    if "text" not in message:
        raise bad("there is no text in the message to edit")
    text, entities = asked.text()
    marked = {"entities": entities} if entities else {}
    return _change(asked, chat, message, {"text": text} | marked)


def edit_message_caption(asked: Asked) -> Json:
    """Put another caption in place of one."""
    chat, message = _own(asked)
    if "document" not in message and "photo" not in message:
        raise bad("there is no caption in the message to edit")
    return _change(asked, chat, message, asked.caption())


def edit_message_reply_markup(asked: Asked) -> Json:
    """Put other buttons in place of some, or take them away."""
    chat, message = _own(asked)
    kept = {name: message[name] for name in _WORDS if name in message}
    return _change(asked, chat, message, kept)


def delete_message(asked: Asked) -> bool:
    """Take a message away."""
    chat = asked.inside()
    message = asked.message(chat, "message to delete not found")
    _remove(asked, chat, message["message_id"])
    return True


def delete_messages(asked: Asked) -> bool:
    """Take many messages away; those that are not there are skipped."""
    chat = asked.inside()
    for number in asked.params.json("message_ids") or []:
        if number in chat.messages:
            _remove(asked, chat, number)
    return True


def set_message_reaction(asked: Asked) -> bool:
    """React to a message, with one emoji or none."""
    chat = asked.inside()
    message = asked.message(chat, "message to react not found")
    reactions = asked.params.json("reaction") or []
    if len(reactions) > 1:
        raise bad("REACTIONS_TOO_MANY")
    for reaction in reactions:
        if reaction.get("emoji") not in _REACTIONS.split():
            raise bad("REACTION_INVALID")
    chat.reactions[message["message_id"], asked.bot.id] = [
        reaction["emoji"] for reaction in reactions
    ]
    return True


_WORDS = ("text", "entities", "caption", "caption_entities")


def _own(asked: Asked) -> tuple[Chat, Json]:
    if "inline_message_id" in asked.params:
        asked.world.complain("inline messages are not known here")
        raise bad("MESSAGE_ID_INVALID")
    chat = asked.inside()
    message = asked.message(chat, "message to edit not found")
    if chat.authors[message["message_id"]] != asked.bot.id:
        raise bad("message can't be edited")
    return chat, message


def _change(asked: Asked, chat: Chat, message: Json, words: Json) -> Json:
    """Change a message, unless nothing would be; buttons go if none are given."""
    changing = (*_WORDS, "reply_markup")
    markup = asked.markup()
    wanted = words | ({"reply_markup": markup} if markup else {})
    if wanted == {name: message[name] for name in changing if name in message}:
        raise bad(NOT_MODIFIED)
    asked.spend(chat)
    kept = {name: value for name, value in message.items() if name not in changing}
    changed = kept | wanted | {"edit_date": moment()}
    # Another one in its place: whoever looked at the message keeps what they saw.
    chat.messages[message["message_id"]] = changed
    return changed


def _remove(asked: Asked, chat: Chat, number: int) -> None:
    own = chat.authors[number] == asked.bot.id
    if not own and chat.kind != "private" and not asked.leads(chat):
        raise bad("message can't be deleted")
    del chat.messages[number]


METHODS = {
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "deleteMessages": delete_messages,
    "setMessageReaction": set_message_reaction,
}
