"""How often a bot may ask: buckets for each route and channel, and one for all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Bucket:
    """What is left until when."""

    left: int
    until: float
    refused: float = 0.0


@dataclass
class Limits:
    """So many calls a route and channel within so many seconds.

    `routes` has other numbers for single routes, such as `{"PATCH
    /channels/{channel}/messages/{message}": (2, 1.0)}`. `everywhere` is how many a
    second there may be at all. `hidden` ones are not told of in headers.
    """

    most: int = 5
    seconds: float = 5.0
    routes: dict[str, tuple[int, float]] = field(default_factory=dict)
    hidden: dict[str, tuple[int, float]] = field(default_factory=dict)
    everywhere: int = 50
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    _buckets: dict[str, Bucket] = field(default_factory=dict)

    def admit(
        self, route: str, major: str, complain: Callable[[str], None]
    ) -> tuple[dict[str, str], float, bool]:
        """Count a call; give headers, seconds to wait, and whether for all calls."""
        waits = self._spend("*", self.everywhere, 1.0, complain)[1]
        if waits:
            return {}, waits, True
        most, seconds = self.routes.get(route, (self.most, self.seconds))
        bucket, waits = self._spend(f"{route} {major}", most, seconds, complain)
        if not waits and route in self.hidden:
            few, long = self.hidden[route]
            waits = self._spend(f"hidden {route} {major}", few, long, complain)[1]
        after = max(bucket.until - self.clock(), 0.0)
        headers = {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(bucket.left),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": sha256(route.encode()).hexdigest()[:32],
        }
        return headers, waits, False

    def _spend(
        self, key: str, most: int, seconds: float, complain: Callable[[str], None]
    ) -> tuple[Bucket, float]:
        now = self.clock()
        bucket = self._buckets.get(key)
        if bucket is None or now >= bucket.until:
            bucket = self._buckets[key] = Bucket(most, now + seconds)
        if bucket.left > 0:
            bucket.left -= 1
            return bucket, 0.0
        self.refused += 1
        bucket.refused += 1
        if bucket.refused > most + 5:
            complain(f"{key}: asked on and on although it was too often")
        return bucket, bucket.until - now
