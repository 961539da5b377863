"""What a turn asks its person, with buttons that go when it ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog
from aiogram.methods import EditMessageReplyMarkup

from apx.domain.errors import ChannelError
from apx.domain.heard import Button
from channels.telegram.keyboard import keyboard
from channels.telegram.sending_pieces import Message, pieces
from channels.telegram.sending_post import Post

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from channels.telegram.live_stages import Desk

log = structlog.get_logger(__name__)

# A question is asked, or not, by then.
_ASKING: Final = 60.0
_PATIENCE: Final = 4.0
_GAP: Final = 1.0


class Questions:
    """Asks one after the other until it is closed, then takes the buttons away."""

    def __init__(self, desk: Desk, thread: Thread, turn: int) -> None:
        self._desk = desk
        self._thread = thread
        self._turn = turn
        self._waiting: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()
        self._asked: list[int] = []

    def add(self, question: str, number: str) -> None:
        """Have a question asked."""
        self._waiting.put_nowait((question, number))

    def close(self) -> None:
        """Ask nothing after what waits."""
        self._waiting.put_nowait(None)

    async def run(self) -> None:
        """Ask until it is closed."""
        post = Post(self._desk.client, self._desk.places, self._desk.pace)
        while (asked := await self._waiting.get()) is not None:
            question, number = asked
            buttons = [Button("Yes", f"yes:{number}"), Button("No", f"no:{number}")]
            messages = pieces(question, is_plain=True)[:1]
            until = self._desk.pace.clock() + _ASKING
            try:
                for message in messages:
                    said = Message(message.words, markup=keyboard(buttons))
                    self._asked += await post.send(self._thread, said, until)
            except (ChannelError, TimeoutError) as error:
                log.warning("telegram_question", turn=self._turn, error=str(error))

    async def tidy(self) -> None:
        """Take the buttons away: nobody waits for an answer any more."""
        try:
            for message_id in self._asked:
                await self._unbutton(message_id)
        except (ChannelError, TimeoutError) as error:
            log.info("telegram_live", turn=self._turn, error=str(error))

    async def _unbutton(self, message_id: int) -> None:
        place = self._desk.places.place(self._thread)
        while not self._desk.pace.room(place.chat_id):
            await self._desk.pace.sleep(_GAP)
        bare = EditMessageReplyMarkup(chat_id=place.chat_id, message_id=message_id)
        await self._desk.client.call(bare, _PATIENCE)
