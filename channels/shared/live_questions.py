"""What a turn asks its person, with buttons that go when it ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import structlog

from apx.domain.errors import ChannelError
from apx.domain.heard import Button

if TYPE_CHECKING:
    from channels.shared.live_wire import Desk, Spot
    from channels.shared.message_id import MessageId

log = structlog.get_logger(__name__)

# A question is asked, or not, by then.
_ASKING: Final = 60.0
_GAP: Final = 1.0


class Questions:
    """Asks one after the other until it is closed, then takes the buttons away."""

    def __init__(self, desk: Desk[Any], spot: Spot) -> None:
        self._desk = desk
        self._spot = spot
        self._waiting: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()
        self._asked: list[MessageId] = []

    def add(self, question: str, number: str) -> None:
        """Have a question asked."""
        self._waiting.put_nowait((question, number))

    def close(self) -> None:
        """Ask nothing after what waits."""
        self._waiting.put_nowait(None)

    async def run(self) -> None:
        """Ask until it is closed."""
        wire, thread = self._desk.wire, self._spot.thread
        while (asked := await self._waiting.get()) is not None:
            question, number = asked
            buttons = [Button("Yes", f"yes:{number}"), Button("No", f"no:{number}")]
            until = self._desk.pace.clock() + _ASKING
            try:
                self._asked += await wire.ask(thread, question, buttons, until)
            except (ChannelError, TimeoutError) as error:
                log.warning("question_failed", turn=self._spot.turn, error=str(error))

    async def tidy(self) -> None:
        """Take the buttons away: nobody waits for an answer any more."""
        try:
            for message in self._asked:
                while not self._desk.pace.room(message.chat_id):
                    await self._desk.pace.sleep(_GAP)
                await self._desk.wire.unbutton(message)
        except (ChannelError, TimeoutError) as error:
            log.info("live_reply", turn=self._spot.turn, error=str(error))
