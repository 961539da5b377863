"""Owns the decision whether a provider that failed is asked again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
    TextsRefused,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from apx.domain.errors import ProviderError

_FAILURES: Final = 3
_SHORTEST: Final = 30.0
_LONGEST: Final = 600.0
# The provider is there and works; it only wants other texts.
_ANSWERS: Final = (TextsRefused, ContextOverflow, ProviderRefused)


class Breaker:
    """Keeps callers from a provider that is down, and sends one to look now and then.

    It opens after three failures in a row, or at once when only a person can mend it.
    Then one caller is let through after 30 s, the next after twice that, up to ten
    minutes; for what a person must mend it is ten minutes from the start.

    Whoever was allowed records how it went, a call given up at a deadline too; where
    nobody does, the next caller is let through one pause later.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures = 0
        self._pause = 0.0
        self._until = 0.0
        self._reason = ""
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether it keeps callers away, all but one now and then."""
        return self._pause > 0

    @property
    def reason(self) -> str:
        """What went wrong last; empty when all is well."""
        return self._reason

    @property
    def rest(self) -> float:
        """How many seconds until the next caller is let through."""
        return max(0.0, self._until - self._clock()) if self.is_open else 0.0

    def allows(self) -> bool:
        """Whether to ask now; a caller who is told so must ask."""
        if not self.is_open:
            return True
        if self._clock() < self._until:
            return False
        # This caller is the probe; the next one comes a whole pause later, even if
        # this one never tells how it went.
        self._probing = True
        self._until = self._clock() + self._pause
        return True

    def record(self, error: ProviderError | None) -> None:
        """Take note of how it went; None is a success, a refused text is one too."""
        if error is None or isinstance(error, _ANSWERS):
            self._failures, self._pause, self._reason = 0, 0.0, ""
            self._probing = False
            return
        self._reason = str(error)
        self._failures += 1
        # Of several that were under way only one may lengthen the pause.
        was_probe, self._probing = self._probing, False
        if isinstance(error, ProviderMisconfigured):
            self._open(_LONGEST)
        elif was_probe:
            self._open(max(min(self._pause * 2, _LONGEST), _asked(error)))
        elif not self.is_open and (
            self._failures >= _FAILURES or _asked(error) > _SHORTEST
        ):
            self._open(max(_SHORTEST, _asked(error)))

    def state(self, now: datetime) -> str:
        """Say for a person how it stands: `resting until 12:03: ...`, or nothing."""
        if not self.is_open:
            return ""
        until = now + timedelta(seconds=self.rest)
        return f"resting until {until:%H:%M}: {self._reason}"

    def _open(self, pause: float) -> None:
        self._pause = pause
        self._until = self._clock() + pause


def _asked(error: ProviderError) -> float:
    """Give the wait that the provider itself asked for."""
    asked = error.retry_after if isinstance(error, ProviderUnavailable) else None
    return min(asked or 0.0, _LONGEST)
