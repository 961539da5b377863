"""Whether a bot still hears Telegram: since when not, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.errors import Exhausted

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.ports import Clock

_REBUILDS: Final = 3

# The kinds of trouble.
SILENT: Final = "silent"
ELSEWHERE: Final = "elsewhere"
TOKEN: Final = "token"  # noqa: S105 -- the name of a trouble
STOPPED: Final = "stopped"
ASIDE: Final = "aside"
STORE: Final = "store"
REFUSED: Final = "refused"
HOOK: Final = "hook"
GROUP: Final = "group"


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


class Troubles:
    """What people should know is wrong with a bot; each thing is said once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[str, str] = {}

    def has(self, kind: str, text: str) -> bool:
        """Take note of a trouble; false if it was known."""
        is_new = self._known.get(kind) != text
        self._known[kind] = text
        return is_new

    def over(self, *kinds: str) -> None:
        """Take note that troubles are over."""
        for kind in kinds:
            self._known.pop(kind, None)

    def silent(self) -> bool:
        """Take note that the server does not answer; false if that was known."""
        if SILENT in self._known:
            return False
        # With its zone: whoever reads this may be in another.
        since = f"{self._clock():%H:%M %Z}".strip()
        return self.has(SILENT, f"no answer from the server since {since}")

    def include(self, *kinds: str) -> bool:
        """Whether one of these is known."""
        return any(kind in self._known for kind in kinds)

    @property
    def text(self) -> str:
        """Say all of it on one line; empty if nothing is wrong."""
        return "; ".join(self._known.values())
