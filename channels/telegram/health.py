"""Whether a bot still hears Telegram: since when not, and what is wrong with it."""

from __future__ import annotations

import time
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


class Health:
    """Counts from the last answer of the server to the next; handling is no wait.

    `silence` is how long a question may stay without an answer, in seconds; `now` is
    the clock of the loop.
    """

    def __init__(
        self, silence: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._silence = silence
        self._now = now
        self._since: float | None = None
        self._rebuilds = 0

    def asking(self) -> float:
        """Give the moment at which this question has waited too long."""
        if self._since is None:
            self._since = self._now()
        return self._since + self._silence

    def answered(self) -> None:
        """Take note that the server said something, if only no: the line is good."""
        self._since = None
        self._rebuilds = 0

    @property
    def is_overdue(self) -> bool:
        """Whether no answer came for so long that the session must be made anew."""
        return self._since is not None and self._now() >= self._since + self._silence

    def rebuilt(self, *, was_silent: bool) -> None:
        """Count a session that was made anew, or raise `Exhausted`.

        Only silence counts: a network that is down says so, and comes back.
        """
        self._since = None
        if was_silent and self._rebuilds >= _REBUILDS:
            raise Exhausted(f"Telegram: {_REBUILDS} new sessions, and no answer")
        self._rebuilds += was_silent


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
