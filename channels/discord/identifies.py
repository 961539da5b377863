"""How many fresh sessions were begun, and when the next may be.

Discord takes back the token of a bot that begins a thousand a day; programs that die
and come back are counted on as if they were one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ApxError
from channels.discord.failures import MALFORMED

if TYPE_CHECKING:
    from apx.ports import Clock, Drawer

log = structlog.get_logger(__name__)

_DAY: Final = 86_400.0
_HOUR: Final = 3_600.0
_TOTAL: Final = 1_000
# One is never begun: it might be somebody else's count that is right.
_RESERVE: Final = 1
# A session seldom ends, but people who set a bot up start it again and again: so many
# an hour say that something is wrong. Then each waits a little longer.
_USUAL: Final = 30
_STEP: Final = 5.0
_SLOWEST: Final = 60.0
# The rest of a day's is to last until there are new ones.
_SCARCE: Final = 100


@dataclass(frozen=True, slots=True)
class Limit:
    """What Discord still allows, and after how many seconds it begins to count anew."""

    remaining: int = _TOTAL
    reset_after: float = 0.0
    total: int = _TOTAL

    @classmethod
    def read(cls, told: object) -> Limit:
        """Read a `session_start_limit`; what cannot be read limits nothing."""
        try:
            total = int(told["total"])  # type: ignore[index] # that is what is asked
            remaining = int(told["remaining"])  # type: ignore[index]
            reset_after = float(told["reset_after"])  # type: ignore[index]
        except MALFORMED:
            return cls()
        return cls(remaining, min(max(reset_after / 1_000, 0.0), _DAY), total)


def pause(times: list[float], now: float, limit: Limit, spaced: float) -> float:
    """Give after how many seconds a session may be begun, if these were before.

    `spaced` is the least that is between two.
    """
    last = times[-1] if times else now - _DAY
    recent = sum(now - at < _HOUR for at in times)
    gap = spaced + min(max(recent - _USUAL, 0) * _STEP, _SLOWEST)
    waits = [last + gap - now]
    told = (limit.remaining, limit.reset_after)
    ours = (limit.total - len(times), times[0] + _DAY - now if times else 0.0)
    for left, until in (told, ours):
        if left <= _RESERVE:
            waits.append(until)
        elif left < _SCARCE:
            waits.append(last + until / (left - _RESERVE) - now)
    return max(0.0, *waits)


class Identifies:
    """The sessions of one bot that were begun in the last day."""

    def __init__(self, drawer: Drawer, clock: Clock) -> None:
        self._drawer = drawer
        self._clock = clock
        self._key = ""
        self._times: list[float] = []
        self._is_read = False

    async def load(self, app_id: int) -> None:
        """Read what an earlier process began."""
        key = f"identifies/{app_id}"
        if key != self._key:
            self._key, self._times, self._is_read = key, [], False
        await self._read()

    def pause(self, limit: Limit, spaced: float) -> float:
        """Give after how many seconds the next may be begun."""
        return pause(self._fresh(), self._clock().timestamp(), limit, spaced)

    async def begun(self) -> None:
        """Write down that one is begun now."""
        now = self._clock().timestamp()
        self._times = [*self._fresh(), now]
        await self._read()
        if not self._is_read:
            return  # what is there counts more than this one
        try:
            await self._drawer.put(
                self._key, json.dumps([int(at) for at in self._times])
            )
        except (ApxError, OSError) as error:
            # This process knows it; only the next one would not.
            log.warning("discord_identifies_unwritten", error=type(error).__name__)

    async def _read(self) -> None:
        """Add what an earlier process began, once that can be read."""
        if self._is_read:
            return
        try:
            kept = await self._drawer.get(self._key)
        except (ApxError, OSError) as error:
            log.warning("discord_identifies_unread", error=type(error).__name__)
            return
        self._times, self._is_read = sorted([*_times(kept), *self._times]), True

    def _fresh(self) -> list[float]:
        now = self._clock().timestamp()
        # A clock that was put back must not make anybody wait for what is to come.
        return sorted(min(at, now) for at in self._times if now - at < _DAY)


def _times(kept: str) -> list[float]:
    try:
        return [float(at) for at in json.loads(kept or "[]")]
    except MALFORMED:
        return []
