"""Questions to the person of a turn that wait for their yes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.text import excerpt

if TYPE_CHECKING:
    from apx.domain.message import ToolCall
    from apx.domain.turn import Turn
    from apx.ports import LiveReply

# A person who does not answer in so many seconds has not said yes.
SECONDS: Final = 60.0
# What a model is told when a call was not run.
UNCONFIRMED: Final = (
    "not done: the conversation holds other people's words, so {name} needs the"
    " person's yes, and they did not give it"
)
# Of what a tool would do, so much is shown to the person who is asked.
_SHOWN: Final = 600


def question(call: ToolCall) -> str:
    """Ask whether a call may be run although others may have put it into the model."""
    name, what = excerpt(call.name, 64), excerpt(call.arguments, _SHOWN)
    return f"Words of others are in this conversation. Run {name} with {what}?"


@dataclass(frozen=True, slots=True)
class _Open:
    turn: int
    person: str
    answer: asyncio.Future[bool]


class Confirmations:
    """What is asked now, by number; a process that ends has not heard a yes."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._count = 0
        self._open: dict[str, _Open] = {}

    async def ask(self, turn: Turn, question: str, live: LiveReply) -> bool:
        """Ask the person of a turn; without a yes in time it is no."""
        self._count += 1
        number = f"{turn.id}.{self._count}"
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._open[number] = _Open(turn.id, turn.person, answer)
        try:
            live.ask(question, number)
            async with asyncio.timeout(self._seconds):
                return await answer
        except TimeoutError:
            return False
        finally:
            del self._open[number]

    def answer(self, number: str, person: str, yes: bool) -> bool:
        """Take the answer of the person that was asked; false if nobody asked them."""
        asked = self._open.get(number)
        if asked is None or asked.person != person or asked.answer.done():
            return False
        asked.answer.set_result(yes)
        return True

    def cancel(self, turn_id: int) -> None:
        """Answer no to all that a turn has asked."""
        for asked in self._open.values():
            if asked.turn == turn_id and not asked.answer.done():
                asked.answer.set_result(False)
