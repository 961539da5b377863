"""What the door says of a button that was pressed, the same on every platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.errors import Expired, InputError
from channels.shared.answering import FAILURES

if TYPE_CHECKING:
    from apx.domain.heard import Press
    from apx.ports import Door

_NOT_YOURS: Final = "This is not yours to press."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the door said; a refusal is for whoever pressed, and nobody else.

    What `is_over` is so for everybody: its button goes. After an `error` nobody knows
    what was done.
    """

    text: str = ""
    is_refused: bool = False
    is_over: bool = False
    error: Exception | None = None


async def decided(door: Door, press: Press) -> Outcome:
    """Have a button do what it says; whatever it strikes is in the outcome."""
    try:
        # Else a stranger in a group would be told nothing, like one who may.
        if not await door.admits(press.caller):
            return Outcome(_NOT_YOURS, is_refused=True)
        return Outcome(await door.press(press) or "")
    except InputError as error:
        is_over = isinstance(error, Expired)
        return Outcome(str(error), is_refused=True, is_over=is_over)
    except FAILURES as error:
        return Outcome(error=error)
