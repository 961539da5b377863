"""How long to wait before something is tried again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds, as they are for people; tests have shorter ones.

    `hold` is how long a command keeps others of its chat waiting, `toast` how long a
    press may take to be shown at once, `token` how long one that is refused rests.
    """

    first: float = 1.0
    longest: float = 60.0
    token: float = 60.0
    hold: float = 3.0
    toast: float = 1.0


class Backoff:
    """Waits that double, with some chance in them, until something works."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = first
        self._longest = longest
        self._count = 0

    def next(self) -> float:
        """Give how long to wait now."""
        doubled = self._first * float(1 << min(self._count, _DOUBLINGS))
        self._count += 1
        # Programs that lost the same server do not come back all at once.
        chance = random.uniform(0.75, 1.0)  # noqa: S311 -- nothing is kept secret by it
        return min(doubled, self._longest) * chance

    def reset(self) -> None:
        """Begin anew: it worked."""
        self._count = 0

    @property
    def has_begun(self) -> bool:
        """Whether something failed since it last worked."""
        return self._count > 0


def pause(error: Exception, backoff: Backoff) -> float:
    """Give how long to wait after an error, which may say so itself."""
    told = getattr(error, "retry_after", None)
    return float(told) if isinstance(told, int | float) else backoff.next()
