"""Methods that put something into a chat."""

from __future__ import annotations

import time
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.bots import Draft
from tests.servers.telegram.entities import units
from tests.servers.telegram.files import MOST_UP
from tests.servers.telegram.refused import Refused, bad

if TYPE_CHECKING:
    from tests.servers.telegram.asked import Asked
    from tests.servers.telegram.chats import Chat, Json
    from tests.servers.telegram.files import File

_ACTIONS = {
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
}
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF8")
_MOST_PHOTO = 10 << 20


def send_message(asked: Asked) -> Json:
    """Send text."""
    chat = asked.writable()
    text, entities = asked.text()
    marked = {"entities": entities} if entities else {}
    return _post(asked, chat, {"text": text} | marked)


def send_document(asked: Asked) -> Json:
    """Send a file."""
    chat = asked.writable()
    file = _file(asked, asked.params.given.get("document"), "document")
    return _post(asked, chat, _document(file) | asked.caption())


def send_photo(asked: Asked) -> Json:
    """Send a picture."""
    chat = asked.writable()
    file = _file(asked, asked.params.given.get("photo"), "photo")
    return _post(asked, chat, picture(file) | asked.caption())


def send_media_group(asked: Asked) -> list[Json]:
    """Send an album of documents or of pictures."""
    chat = asked.writable()
    media = asked.params.json("media") or []
    if not 2 <= len(media) <= 10:
        raise bad("there must be from 2 to 10 messages to send")
    if len({item["type"] == "document" for item in media}) > 1:
        raise bad("document can't be mixed with other media types")
    group = {"media_group_id": str(next(asked.world.numbers))}
    made = []
    for item in media:
        kind = item["type"]
        file = _file(asked, item.get("media"), kind)
        content = _document(file) if kind == "document" else picture(file)
        made.append(content | asked.caption(item) | group)
    return [_post(asked, chat, content) for content in made]


def send_chat_action(asked: Asked) -> bool:
    """Show that something is being done; it fades after five seconds."""
    chat = asked.writable()
    action = asked.params.text("action")
    if action not in _ACTIONS:
        raise bad("wrong parameter action in request")
    # Alone of all methods this one takes General by its number.
    general = chat.forum and asked.params.number("message_thread_id") == 1
    thread = None if general else asked.thread(chat)
    asked.bot.actions.append((chat.id, thread, action, time.monotonic()))
    return True


def send_message_draft(asked: Asked) -> bool:
    """Show a message that is still being made, to one person."""
    if not asked.world.drafts_known:
        raise Refused(404, "Not Found: method not found")
    chat = asked.writable()
    if chat.kind != "private":
        raise bad("TEXTDRAFT_PEER_INVALID")
    number = asked.params.number("draft_id")
    if not number:
        raise bad("TEXTDRAFT_ID_INVALID")
    given = asked.params.given | {"entities": asked.params.json("entities")}
    text, entities = asked.words("text", "entities", given)
    if units(text) > 4096:
        raise bad("message is too long")
    thread, can_stop = asked.thread(chat), asked.params.flag("can_stop")
    now = time.monotonic()
    draft = Draft(chat.id, number, text, now, entities, thread, can_stop)
    asked.bot.drafts.append(draft)
    asked.bot.streaming[chat.id] = draft
    return True


def _post(asked: Asked, chat: Chat, content: Json) -> Json:
    """Put a message into a chat, once everything about it holds."""
    thread = asked.thread(chat)
    markup = asked.markup()
    reply, quoted = _reply(asked, chat)
    if thread is None and reply and chat.forum and reply.get("is_topic_message"):
        thread = reply["message_thread_id"]
    asked.spend(chat)
    buttons = {"reply_markup": markup} if markup else {}
    full = content | quoted | buttons
    message = chat.place(asked.bot.me, full, thread=thread, reply=reply)
    asked.bot.streaming.pop(chat.id, None)
    return deepcopy(message)


def _reply(asked: Asked, chat: Chat) -> tuple[Json | None, Json]:
    """Find the message that is replied to, and what is quoted of it."""
    told = asked.params.json("reply_parameters") or {}
    if "reply_to_message_id" in asked.params:
        asked.world.complain("reply_to_message_id gave way to reply_parameters")
        told = {"message_id": asked.params.number("reply_to_message_id")}
    if not told:
        return None, {}
    if str(told.get("chat_id", chat.id)) != str(chat.id):
        asked.world.complain("a reply into another chat is not known here")
        raise bad("message to be replied not found")
    reply = chat.messages.get(int(told.get("message_id") or 0))
    if reply is None:
        if told.get("allow_sending_without_reply"):
            return None, {}
        raise bad("message to be replied not found")
    return reply, _quote(reply, told)


def _quote(reply: Json, told: Json) -> Json:
    quote = told.get("quote")
    if not quote:
        return {}
    whole = reply.get("text") or reply.get("caption") or ""
    if units(quote) > 1024 or quote not in whole:
        raise bad("QUOTE_TEXT_INVALID")
    position = units(whole[: whole.index(quote)])
    return {"quote": {"text": quote, "position": position, "is_manual": True}}


def _file(asked: Asked, value: Any, kind: str) -> File:
    upload = asked.params.file(value)
    if upload is None:
        if not value:
            raise bad(f"there is no {kind} in the request")
        if "/" in str(value) or "attach:" in str(value):
            raise bad("wrong file identifier/HTTP URL specified")
        return asked.world.files.get(str(value))
    if not upload.content:
        raise bad("file must be non-empty")
    if len(upload.content) > (_MOST_PHOTO if kind == "photo" else MOST_UP):
        raise Refused(413, "Request Entity Too Large")
    if kind == "photo" and not upload.content.startswith(_PICTURES):
        raise bad("IMAGE_PROCESS_FAILED")
    return asked.world.files.keep(upload.content, upload.name, f"{kind}s")


def _document(file: File) -> Json:
    return {"document": file.brief | {"file_name": file.name}}


def picture(file: File) -> Json:
    """Write a picture in two sizes, the larger one last."""
    small = file.brief | {"file_id": file.file_id, "width": 90, "height": 67}
    return {"photo": [small, file.brief | {"width": 1280, "height": 960}]}


METHODS = {
    "sendMessage": send_message,
    "sendDocument": send_document,
    "sendPhoto": send_photo,
    "sendMediaGroup": send_media_group,
    "sendChatAction": send_chat_action,
    "sendMessageDraft": send_message_draft,
}
