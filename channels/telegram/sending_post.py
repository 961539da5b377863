"""One message to one chat, through whatever Telegram has against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import structlog
from aiogram.methods import EditMessageText, SendDocument, SendMessage
from aiogram.types import (
    BufferedInputFile,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)

from channels.shared.failures import Flood, Rejected
from channels.telegram.failures import Migrated, Unread
from channels.telegram.places import Place
from channels.telegram.rendered import is_blank
from channels.telegram.sending_pieces import halves, is_too_long, mended
from channels.telegram.splitting import LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiogram.methods import TelegramMethod

    from apx.domain.thread import Thread
    from channels.telegram.client import Client
    from channels.telegram.pace import Pace
    from channels.telegram.places import Places
    from channels.telegram.rendered import Entity
    from channels.telegram.sending_pieces import Message

log = structlog.get_logger(__name__)

_TEXT_PATIENCE: Final = 30.0
_FILE_PATIENCE: Final = 120.0
# In a row, each twice as long as told: whoever says "now" and means it not would be
# asked without end.
_FLOODS: Final = 5
_SHORTEST: Final = 1.0
# Telegram would fetch every address of a reply: a page that a reply was talked into
# naming would hear of it without anybody pressing the link.
_NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)


class Post:
    """Sends messages of one bot, in its pace."""

    def __init__(self, client: Client, places: Places, pace: Pace) -> None:
        self._client = client
        self._places = places
        self._pace = pace

    async def send(
        self, thread: Thread, message: Message, until: float
    ) -> tuple[int, ...]:
        """Send a message, in two where it is too long; gives their ids.

        Raises `Unreachable` if it cannot be sent before `until`, a time of the pace.
        """
        if message.shown.units <= LIMIT:
            try:
                return (await self._one(thread, message, until),)
            except Rejected as error:
                if not is_too_long(error) or not halves(message):
                    raise
        sent: tuple[int, ...] = ()
        for half in halves(message):
            sent += await self.send(thread, half, until)
        return sent

    async def _one(self, thread: Thread, message: Message, until: float) -> int:
        floods = 0
        while True:  # until it is there, or nothing helps, or it is too late
            place = self._places.place(thread)
            if not message.has_topic:
                place = Place(place.chat_id)
            await self._pace.enter(place.chat_id, until)
            try:
                return await self._asked(place, message)
            except Flood as error:
                # The gate is closed for so long now, or says that it is too long.
                self._pace.flood(_silence(error, floods), place.chat_id)
                floods += 1
                if floods >= _FLOODS:
                    raise
            except Migrated as error:
                if message.has_moved:
                    raise
                await self._places.migrated(place.chat_id, error.to_chat)
                message = message.elsewhere
            except Rejected as error:
                message = _mended(message, error)

    async def _asked(self, place: Place, message: Message) -> int:
        patience = _FILE_PATIENCE if message.file else _TEXT_PATIENCE
        try:
            made: Any = await self._client.call(method(place, message), patience)
        except Rejected as error:
            if message.edits is not None and error.says("message is not modified"):
                return message.edits
            raise
        except Unread as error:
            # It is there, only told in a way that this version does not know.
            made = error.result
        return message.edits or number(made)


def _mended(message: Message, error: Rejected) -> Message:
    better = mended(message, error)
    if better is None:
        raise error
    log.warning("telegram_message_mended", reason=error.description)
    return better


def _silence(error: Flood, floods: int) -> float:
    """Give how long to be silent after so many floods in a row before this one."""
    return max(error.retry_after, _SHORTEST) * float(1 << floods)


def entities(given: Sequence[Entity]) -> list[MessageEntity] | None:
    """Write entities as Telegram wants them."""
    return [
        MessageEntity(
            type=one.kind,
            offset=one.offset,
            length=one.length,
            url=one.url or None,
            language=one.language or None,
        )
        for one in given
    ] or None


def method(place: Place, message: Message) -> TelegramMethod[Any]:
    """Write a message as the call that sends it, or puts it in place of another."""
    words = message.shown
    if message.file is not None:
        return SendDocument(
            chat_id=place.chat_id,
            message_thread_id=place.topic,
            document=BufferedInputFile(message.file.data, message.file.name),
            caption=None if is_blank(words.text) else words.text.strip(),
        )
    said: dict[str, Any] = {
        "chat_id": place.chat_id,
        "text": words.text,
        "entities": entities(words.entities),
        "reply_markup": message.markup,
        "link_preview_options": _NO_PREVIEW,
    }
    if message.edits is not None:
        return EditMessageText(message_id=message.edits, **said)
    return SendMessage(
        message_thread_id=place.topic, reply_parameters=_reply(message), **said
    )


def _reply(message: Message) -> ReplyParameters | None:
    if message.reply_to is None:
        return None
    return ReplyParameters(
        message_id=message.reply_to, allow_sending_without_reply=True
    )


def number(made: object) -> int:
    """Read the id of a message that was sent; `TimeoutError` if that is not told."""
    found = made.get("message_id") if isinstance(made, dict) else None
    found = getattr(made, "message_id", found)
    if isinstance(found, int):
        return found
    raise TimeoutError("Telegram did not say which message it made")
