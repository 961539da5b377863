"""How fast a bot may send: `server.flood = Flood()` switches the rules on."""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from tests.servers.telegram.refused import too_many

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from tests.servers.telegram.chats import Chat

_GRACE = 0.25
"""Requests that were under way when the first was refused did not know better."""


class _Window:
    """At most so many in so many seconds."""

    def __init__(self, many: int, seconds: float) -> None:
        self._many = many
        self._seconds = seconds
        self._times: deque[float] = deque()

    def wait(self, now: float) -> float:
        while self._times and self._times[0] <= now - self._seconds:
            self._times.popleft()
        full = len(self._times) >= self._many
        return self._times[0] + self._seconds - now if full else 0.0

    def take(self, now: float) -> None:
        self._times.append(now)


class _Bucket:
    """A steady rate, and a few at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._at = -math.inf

    def wait(self, now: float) -> float:
        grown = self._tokens + (now - self._at) * self._rate
        self._tokens, self._at = min(grown, float(self._burst)), now
        return max((1 - self._tokens) / self._rate, 0.0)

    def take(self, _now: float) -> None:
        self._tokens -= 1


class Flood:
    """30 messages a second, one a second a chat, 20 a minute a group.

    Whoever is refused is refused until the time that was named is over.
    """

    def __init__(
        self,
        *,
        second: int = 30,
        rate: float = 1.0,
        burst: int = 3,
        minute: int = 20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._overall: dict[Hashable, _Window] = defaultdict(lambda: _Window(second, 1))
        self._chats: dict[Hashable, _Bucket] = defaultdict(lambda: _Bucket(rate, burst))
        self._groups: dict[Hashable, _Window] = defaultdict(lambda: _Window(minute, 60))
        self._refused: dict[Hashable, tuple[float, float]] = {}
        self.refusals = 0

    def admit(self, bot: int, chat: Chat, complain: Callable[[str], None]) -> None:
        """Count a message, or refuse it."""
        now = self._clock()
        scopes: dict[Hashable, _Window | _Bucket] = {
            bot: self._overall[bot],
            (bot, chat.id): self._chats[bot, chat.id],
        }
        if chat.kind in {"group", "supergroup"}:
            scopes[bot, chat.id, "minute"] = self._groups[bot, chat.id]
        for scope in scopes:
            self._patient(scope, now, complain)
        for scope, rule in scopes.items():
            if (wait := rule.wait(now)) > 0:
                seconds = math.ceil(wait)
                self._refused[scope] = (now, now + seconds)
                self.refusals += 1
                raise too_many(seconds)
        for rule in scopes.values():
            rule.take(now)

    def _patient(
        self, scope: Hashable, now: float, complain: Callable[[str], None]
    ) -> None:
        told, until = self._refused.get(scope, (-math.inf, -math.inf))
        if now >= until:
            return
        if now > told + _GRACE:
            complain(f"sent {until - now:.2f} s before retry_after had passed")
        self.refusals += 1
        raise too_many(max(math.ceil(until - now), 1))
