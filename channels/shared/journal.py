"""What of a bot's updates outlives the process: answers under way, and what failed."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apx.ports import Clock, Drawer

DONE: Final = "done"
# The update was not confirmed: it comes again.
SENDING: Final = "sending"
# It may have been confirmed before it was answered; the thread stands behind.
_LATE: Final = "late "
_ANSWERS: Final = 500
_ASIDES: Final = 100
# What was set aside before is nobody's trouble any more.
_DAY: Final = timedelta(days=1)


class Journal:
    """The state of each answer by the number of its update, and updates set aside."""

    def __init__(self, bot: int | str, drawer: Drawer, clock: Clock) -> None:
        self._drawer = drawer
        self._clock = clock
        self._answered = f"answered/{bot}/"
        self._aside = f"aside/{bot}/"
        self._states: dict[int, str] = {}
        self._asides: dict[int, str] = {}
        self._lost: dict[int, Thread] = {}

    async def load(self) -> None:
        """Read what an earlier process left behind."""
        self._states = await self._read(self._answered)
        self._asides = await self._read(self._aside)
        self._lost = {
            number: Thread.parse(state.removeprefix(_LATE))
            for number, state in self._states.items()
            if state.startswith(_LATE)
        }

    def is_over(self, number: int) -> bool:
        """Whether nothing is left to do for an update."""
        return number in self._asides or self._states.get(number) == DONE

    def is_under_way(self, number: int) -> bool:
        """Whether its answer was begun: nobody knows whether it arrived."""
        return number in self._states and not self.is_over(number)

    async def begin(self, number: int) -> None:
        """Write down that an answer is about to be sent."""
        if number not in self._states:
            await self._set(number, SENDING)

    async def go_on(self, number: int, thread: Thread) -> None:
        """Write down that the update is confirmed, although it is not answered."""
        if not self.is_over(number):
            await self._set(number, f"{_LATE}{thread}")

    async def end(self, number: int) -> None:
        """Write down that an update was answered."""
        self._lost.pop(number, None)
        await self._over(number)

    async def _over(self, number: int) -> None:
        await self._set(number, DONE)
        for old in list(self._states)[:-_ANSWERS]:
            if self._states.pop(old, None) is not None:
                await self._drawer.drop(f"{self._answered}{old}")

    async def lost(self) -> Iterator[Thread]:
        """Give, once, where an answer may never have arrived, and none will come.

        What cannot be written down leaves all of it to be asked for again.
        """
        lost = dict(self._lost)
        for number in lost:
            await self._over(number)
        self._lost = {}
        return iter(sorted(set(lost.values())))

    async def put_aside(self, number: int, kind: str, error: str) -> None:
        """Write down an update that nobody can read; none of its words."""
        self._lost.pop(number, None)
        told = {"kind": kind, "error": error, "at": f"{self._clock():%Y-%m-%dT%H:%M}"}
        self._asides[number] = value = json.dumps(told)
        await self._drawer.put(f"{self._aside}{number}", value)
        for old in list(self._asides)[:-_ASIDES]:
            if self._asides.pop(old, None) is not None:
                await self._drawer.drop(f"{self._aside}{old}")

    @property
    def asides(self) -> str:
        """Say for people how many updates were set aside, and why."""
        since = f"{self._clock() - _DAY:%Y-%m-%dT%H:%M}"
        every = [json.loads(value) for value in self._asides.values()]
        told = [one for one in every if one["at"] >= since]
        if not told:
            return ""
        counted = Counter(f"{one['kind']} ({one['error']})" for one in told)
        why = ", ".join(f"{many} x {what}" for what, many in counted.most_common(3))
        noun = "update" if len(told) == 1 else "updates"
        return f"{len(told)} {noun} set aside: {why}, last {told[-1]['at']}"

    async def _set(self, number: int, state: str) -> None:
        # First here: two that write at once must see each other.
        self._states.pop(number, None)
        self._states[number] = state
        await self._drawer.put(f"{self._answered}{number}", state)

    async def _read(self, prefix: str) -> dict[int, str]:
        found = await self._drawer.find(prefix)
        numbers = ((int(key.removeprefix(prefix)), key) for key in found)
        return {number: found[key] for number, key in sorted(numbers)}
