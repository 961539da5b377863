"""What one bot says: parts of replies, what is told unasked, replies that grow."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError, Unreachable
from apx.domain.heard import Button
from channels.shared.failures import HalfSaid
from channels.shared.layout import Layout
from channels.shared.live import Lives
from channels.shared.message_id import MessageId
from channels.shared.placeholders import Placeholders
from channels.telegram.keyboard import keyboard
from channels.telegram.live import TelegramWire
from channels.telegram.markdown import render
from channels.telegram.sending_pieces import pieces, read_ids, written_ids
from channels.telegram.sending_post import Post

if TYPE_CHECKING:
    from apx.domain.heard import Notice
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Drawer, LiveReply, Sent
    from channels.telegram.client import Client
    from channels.telegram.pace import Pace
    from channels.telegram.places import Places
    from channels.telegram.sending_pieces import Message

log = structlog.get_logger(__name__)

_PART_PATIENCE: Final = 600.0
_NOTICE_PATIENCE: Final = 60.0
# Longer ones may take more than a few milliseconds to lay out.
_LONG: Final = 500
_RETRY: Final = "Retry"
# A file that could not be sent has no message, but its place in the line.
_NONE: Final = "0"


class Sender:
    """Speaks for one bot; `close` it before its client."""

    def __init__(
        self, client: Client, places: Places, pace: Pace, drawer: Drawer, bot: str
    ) -> None:
        self._client = client
        self._places = places
        self._pace = pace
        self._post = Post(client, places, pace)
        self._layout = Layout()
        self._placeholders = Placeholders(bot, drawer, pace.clock)
        wire = TelegramWire(client, places, pace)
        self._lives = Lives(wire, pace, self._placeholders, self._layout)

    def connected(self) -> None:
        """Take note that Telegram answers: what an earlier process left is fresh."""
        self._placeholders.connected()

    def live(self, thread: Thread, turn: int, answers: str = "") -> LiveReply:
        """Open what the person watches while a turn runs."""
        return self._lives.open(thread, turn, self._reply_to(thread, answers))

    async def deliver(self, part: Part, note: Sent) -> str:
        """Send a part from where it stopped, and give the ids of its messages.

        What was shown of it while it grew becomes its first message.
        """
        until = self._pace.clock() + _PART_PATIENCE
        sent = read_ids(part.message_id)
        known = len(sent)
        # Also where it is of no use any more: nothing is edited from here on.
        shown = await self._lives.claim(part)
        messages = await self._messages(part)
        messages[0] = replace(messages[0], edits=shown)
        for message in messages[known:]:
            if len(sent) > known:
                await note(written_ids(sent))
            sent.append(await self._sent(part, message, until))
        return ",".join(one.replace("+", ",") for one in sent if one != _NONE)

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked, its buttons under the end of it.

        Raises `HalfSaid` where it broke off, and no more than that is to be said again.
        """
        until = self._pace.clock() + _NOTICE_PATIENCE
        messages = list(pieces(notice.text, is_plain=True))
        messages[-1] = replace(messages[-1], markup=keyboard(notice.buttons))
        said = 0
        try:
            for message in messages:
                await self._post.send(thread, message, until)
                said += 1
        except TimeoutError as error:
            failure = ChannelError(str(error))
        except Unreachable as error:
            if not said:
                raise
            failure = HalfSaid(error, replace(notice, text=_rest(notice.text, said)))
        else:
            return
        raise failure

    async def close(self) -> None:
        """Leave replies that grow as they are; the next process finds them."""
        await self._lives.close()
        self._layout.close()

    async def _messages(self, part: Part) -> list[Message]:
        """Give all of a part's messages with what belongs to each."""
        if len(part.text) > _LONG:
            made = await self._layout.done(
                partial(pieces, part.text, is_plain=part.is_plain)
            )
        else:
            made = pieces(part.text, is_plain=part.is_plain)
        messages = list(made)
        messages[0] = replace(
            messages[0], reply_to=self._reply_to(part.thread, part.answers)
        )
        if part.is_failure:
            last = max(i for i, message in enumerate(messages) if not message.file)
            retry = keyboard([Button(_RETRY, f"retry:{part.turn}")])
            messages[last] = replace(messages[last], markup=retry)
        first = len(read_ids(part.message_id))
        if part.is_repeat and first < len(messages):
            messages[first] = replace(messages[first], is_repeat=True)
        return messages

    async def _sent(self, part: Part, message: Message, until: float) -> str:
        try:
            ids = await self._post.send(part.thread, message, until)
        except (ChannelError, TimeoutError) as error:
            # What surely was not sent is sent the next time.
            if message.file is None or isinstance(error, Unreachable):
                raise
            # Its text is there already; the part is not held up for its looks.
            log.warning("telegram_file_not_sent", part=part.id, error=str(error))
            return _NONE
        return "+".join(map(str, ids))

    def _reply_to(self, thread: Thread, answers: str) -> int | None:
        """In a group many talk at once: say which message is answered."""
        place = self._places.place(thread)
        answered = MessageId.parse(answers)
        if answered is None or not place.is_group:
            return None
        here = (self._client.bot_id, place.chat_id)
        is_here = (answered.bot_id, answered.chat_id) == here
        return answered.message_id if is_here else None


def _rest(text: str, said: int) -> str:
    """Give what of a plain text comes after so many of its messages."""
    whole, end = render(text, is_plain=True).text, 0
    for message in pieces(text, is_plain=True)[:said]:
        words = message.words.text
        end = whole.index(words, end) + len(words)
    return whole[end:].lstrip("\n")
