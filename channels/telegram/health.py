"""Whether a bot still hears Telegram, and since when not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.errors import Exhausted

if TYPE_CHECKING:
    from collections.abc import Callable

_REBUILDS: Final = 3


class Health:
    """Counts how long questions in a row were open without an answer.

    Neither handling nor the pauses between questions are a wait. `silence` is how long
    the server may say nothing, in seconds; `now` is the clock of the loop.
    """

    def __init__(self, silence: float, now: Callable[[], float]) -> None:
        self._silence = silence
        self._now = now
        self._asked = 0.0
        self._waited = 0.0
        self._rebuilds = 0

    def asking(self) -> float:
        """Give the moment at which this question has waited too long."""
        self._asked = self._now()
        return self._asked + self._silence - self._waited

    def answered(self) -> None:
        """Take note that the server said something, if only no: the line is good."""
        self._waited = 0.0
        self._rebuilds = 0

    def unasked(self) -> None:
        """Take note that nobody could be asked: a network that is down says so."""
        self._waited = 0.0

    def unheard(self) -> bool:
        """Take note that a question got no answer; whether it is too long by now."""
        self._waited += self._now() - self._asked
        return self._waited >= self._silence

    def rebuilt(self) -> None:
        """Count a session that was made anew, or raise `Exhausted`."""
        self._waited = 0.0
        if self._rebuilds >= _REBUILDS:
            raise Exhausted(f"Telegram: {_REBUILDS} new sessions, and no answer")
        self._rebuilds += 1
