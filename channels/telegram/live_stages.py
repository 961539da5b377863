"""Where a reply is shown while it grows: in a draft, or in a message that is edited."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from aiogram.methods import EditMessageReplyMarkup, SendMessageDraft

from apx.domain.errors import ChannelError
from apx.domain.heard import Button
from channels.shared.failures import Flood, Rejected, WrongToken
from channels.shared.message_id import MessageId
from channels.telegram.failures import NoMethod, Unread
from channels.telegram.keyboard import keyboard
from channels.telegram.live_view import NOTHING
from channels.telegram.rendered import Rendered
from channels.telegram.sending_pieces import Message, is_lost, mended
from channels.telegram.sending_post import entities, method, number

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from channels.shared.layout import Layout
    from channels.shared.placeholders import Placeholders
    from channels.telegram.client import Client
    from channels.telegram.pace import Pace
    from channels.telegram.places import Places

log = structlog.get_logger(__name__)

# One that is not taken by then is not waited for: the final text is coming.
_PATIENCE: Final = 10.0
# A server that was too old may be a new one after so long.
_OLD: Final = 3_600.0
# An edit that was taken so long after one in doubt came behind it.
_SETTLED: Final = 5.0


class NoDrafts(Exception):
    """Drafts are not shown here: a message has to do."""


@dataclass(slots=True)
class Desk:
    """What the growing replies of one bot share."""

    client: Client
    places: Places
    pace: Pace
    placeholders: Placeholders
    layout: Layout
    # Of all replies, one at a time is laid out; who waits longest is next.
    turns: asyncio.Lock = field(default_factory=asyncio.Lock)
    drafts_from: float = 0.0

    @property
    def has_drafts(self) -> bool:
        """Whether this server is new enough, as far as is known."""
        return self.pace.clock() >= self.drafts_from

    def is_old(self) -> None:
        """Take note that this server knows no drafts."""
        self.drafts_from = self.pace.clock() + _OLD

    async def unbutton(self, message: MessageId) -> None:
        """Take the button of a message away, if that can be done."""
        if message.bot_id != self.client.bot_id:
            return
        bare = EditMessageReplyMarkup(
            chat_id=message.chat_id, message_id=message.message_id
        )
        try:
            await self.pace.enter(message.chat_id, self.pace.clock() + _PATIENCE)
            await self.client.call(bare, _PATIENCE)
        except (ChannelError, TimeoutError) as error:
            log.info("telegram_button_left", error=str(error))


class Stage(Protocol):
    """One place where a reply is shown."""

    is_doubtful: bool

    async def put(self, words: Rendered) -> None:
        """Show this and nothing else."""
        ...


class InDraft:
    """A draft in a private chat: Telegram shows it grow, and has a button to stop."""

    is_doubtful = False

    def __init__(self, desk: Desk, thread: Thread, turn: int) -> None:
        self._desk = desk
        self._thread = thread
        self._turn = turn

    async def put(self, words: Rendered) -> None:
        """Show the draft, or raise `NoDrafts`."""
        try:
            await self._put(words)
        except NoMethod as error:
            self._desk.is_old()
            raise NoDrafts from error
        except WrongToken as error:
            # So says a very old server, too; but it says nothing of other replies.
            raise NoDrafts from error
        except Rejected as error:
            if words.entities and error.says("entities"):
                await self._put(Rendered(words.text))
                return
            raise NoDrafts from error

    async def _put(self, words: Rendered) -> None:
        place = self._desk.places.place(self._thread)
        draft = SendMessageDraft(
            chat_id=place.chat_id,
            draft_id=self._turn,
            message_thread_id=place.topic,
            # Telegram has a sign of its own for one without words.
            text=None if words == NOTHING else words.text,
            entities=entities(words.entities),
            can_stop=True,
        )
        await self._desk.client.call(draft, _PATIENCE)


class InMessage:
    """A message with a button to stop, edited until the reply takes its place.

    `is_doubtful` says that an edit may still come late and undo what follows it.
    """

    def __init__(
        self, desk: Desk, thread: Thread, turn: int, reply_to: int | None = None
    ) -> None:
        self._desk = desk
        self._thread = thread
        self._turn = turn
        self._reply_to = reply_to
        self._message_id: int | None = None
        self._is_adopted = False
        self._is_sent = False
        self._doubtful_since = 0.0
        self.is_doubtful = False

    @property
    def is_placed(self) -> bool:
        """Whether it is known which message this is."""
        return self._message_id is not None

    async def put(self, words: Rendered) -> None:
        """Send the message, or edit it."""
        if self._message_id is None and not self._is_sent:
            await self._adopt()
        stop = keyboard([Button("Stop", f"stop:{self._turn}")])
        message = Message(
            words, markup=stop, edits=self._message_id, reply_to=self._reply_to
        )
        try:
            await self._try(message)
        except Rejected as error:
            if error.says("message is not modified"):
                return
            if self._is_adopted and is_lost(error):
                self._message_id, self._is_adopted = None, False
            better = mended(message, error)
            # A message of ours that is gone was taken away: it is not put back.
            is_gone = message.edits is not None and self._message_id is not None
            if better is None or (is_gone and is_lost(error)):
                raise
            await self._try(better)

    async def _adopt(self) -> None:
        """Take over what a process that died left here."""
        left = await self._desk.placeholders.adopted(self._thread, self._turn)
        if left is None:
            old = await self._desk.placeholders.passed(self._thread, self._turn)
            if old is not None:
                await self._desk.unbutton(old)
            return
        place = self._desk.places.place(self._thread)
        if (left.bot_id, left.chat_id) == (self._desk.client.bot_id, place.chat_id):
            self._message_id, self._is_adopted = left.message_id, True

    async def _try(self, message: Message) -> None:
        place = self._desk.places.place(self._thread)
        made: Any
        try:
            made = await self._desk.client.call(method(place, message), _PATIENCE)
        except Unread as error:
            made = error.result
        except Flood as error:
            self._desk.pace.flood(error.retry_after, place.chat_id)
            raise
        except TimeoutError:
            self.is_doubtful = message.edits is not None
            self._doubtful_since = self._desk.pace.clock()
            raise
        if self._desk.pace.clock() - self._doubtful_since >= _SETTLED:
            self.is_doubtful = False
        if message.edits is None:
            self._is_sent = True
            self._message_id = number(made)
            name = MessageId(self._desk.client.bot_id, place.chat_id, self._message_id)
            await self._desk.placeholders.made(self._thread, self._turn, name)
