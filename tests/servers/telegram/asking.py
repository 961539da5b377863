"""Methods about the bot itself, about chats, members, topics and files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.servers.telegram.chats import member
from tests.servers.telegram.entities import units
from tests.servers.telegram.files import MOST_DOWN
from tests.servers.telegram.refused import QUERY_TOO_OLD, bad

if TYPE_CHECKING:
    from tests.servers.telegram.asked import Asked
    from tests.servers.telegram.chats import Chat, Json, Topic

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_MOST_COMMANDS = 100
_GIFTS = (
    "unlimited_gifts",
    "limited_gifts",
    "unique_gifts",
    "premium_subscription",
    "gifts_from_channels",
)


def get_me(asked: Asked) -> Json:
    """Say who the bot is."""
    return asked.bot.full


def answer_callback_query(asked: Asked) -> bool:
    """End the wait of a person who pressed a button, once and in time."""
    query = asked.bot.queries.get(asked.params.text("callback_query_id"))
    if query is None or query.answered or query.expired:
        raise bad(QUERY_TOO_OLD)
    text = asked.params.text("text")
    if units(text) > 200:
        raise bad("MESSAGE_TOO_LONG")
    query.answered, query.text = True, text
    query.alert = asked.params.flag("show_alert")
    return True


def set_my_commands(asked: Asked) -> bool:
    """Set the menu for a scope and a language."""
    commands = asked.params.json("commands") or []
    if len(commands) > _MOST_COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(str(command.get("command", "")).lstrip("/")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(command.get("description", "")) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    names = [command["command"] for command in commands]
    if len(set(names)) < len(names):
        asked.world.complain("a command is named twice")
    asked.bot.commands[_scope(asked)] = commands
    return True


def get_my_commands(asked: Asked) -> list[Json]:
    """Give the menu of a scope and a language."""
    return asked.bot.commands.get(_scope(asked), [])


def delete_my_commands(asked: Asked) -> bool:
    """Take the menu of a scope and a language away."""
    asked.bot.commands.pop(_scope(asked), None)
    return True


def get_chat(asked: Asked) -> Json:
    """Tell about a chat."""
    chat = asked.inside()
    gifts = dict.fromkeys(_GIFTS, False)
    full: Json = {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": gifts,
    }
    return chat.brief | full


def get_chat_member(asked: Asked) -> Json:
    """Say what somebody is in a chat."""
    chat = asked.inside()
    number = asked.params.number("user_id")
    user = asked.world.users.get(number or 0)
    if number == asked.bot.id:
        user = asked.bot.me
    if user is None or number is None:
        raise bad("user not found")
    if chat.kind == "channel" and not asked.leads(chat):
        raise bad("member list is inaccessible")
    if chat.kind == "private":
        return member(user, "member")
    return member(user, chat.status(number))


def get_file(asked: Asked) -> Json:
    """Give the path of a file, unless it is too big to be had."""
    file = asked.world.files.get(asked.params.text("file_id"))
    if file.size > MOST_DOWN:
        raise bad("file is too big")
    return file.brief | {"file_path": file.path}


def get_forum_topic_icon_stickers(_asked: Asked) -> list[Json]:
    """Give no stickers at all."""
    return []


def create_forum_topic(asked: Asked) -> Json:
    """Open a topic."""
    chat = _forum(asked)
    name = asked.params.text("name")
    if not 1 <= len(name) <= 128:
        raise bad("TOPIC_NAME_INVALID")
    topic = chat.open_topic(name, asked.bot.me)
    color = topic.started["forum_topic_created"]["icon_color"]
    return {"message_thread_id": topic.id, "name": name, "icon_color": color}


def edit_forum_topic(asked: Asked) -> bool:
    """Rename a topic."""
    topic = _topic(asked, _forum(asked))
    name = asked.params.text("name")
    if name and name == topic.name:
        raise bad("TOPIC_NOT_MODIFIED")
    topic.name = name or topic.name
    return True


def close_forum_topic(asked: Asked) -> bool:
    """Let nobody write in a topic."""
    topic = _topic(asked, _forum(asked))
    if topic.closed:
        raise bad("TOPIC_NOT_MODIFIED")
    topic.closed = True
    return True


def reopen_forum_topic(asked: Asked) -> bool:
    """Let people write in a topic again."""
    topic = _topic(asked, _forum(asked))
    if not topic.closed:
        raise bad("TOPIC_NOT_MODIFIED")
    topic.closed = False
    return True


def delete_forum_topic(asked: Asked) -> bool:
    """Take a topic away with all that was said in it."""
    chat = _forum(asked)
    chat.drop_topic(_topic(asked, chat).id)
    return True


def _scope(asked: Asked) -> tuple[str, str]:
    scope = asked.params.json("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), asked.params.text("language_code")


def _forum(asked: Asked) -> Chat:
    chat = asked.inside()
    if not chat.forum:
        raise bad("the chat is not a forum")
    if not asked.leads(chat):
        raise bad("not enough rights to manage topics")
    return chat


def _topic(asked: Asked, chat: Chat) -> Topic:
    topic = chat.topics.get(asked.params.number("message_thread_id") or 0)
    if topic is None:
        raise bad("message thread not found")
    return topic


METHODS = {
    "getMe": get_me,
    "answerCallbackQuery": answer_callback_query,
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getFile": get_file,
    "getForumTopicIconStickers": get_forum_topic_icon_stickers,
    "createForumTopic": create_forum_topic,
    "editForumTopic": edit_forum_topic,
    "closeForumTopic": close_forum_topic,
    "reopenForumTopic": reopen_forum_topic,
    "deleteForumTopic": delete_forum_topic,
}
