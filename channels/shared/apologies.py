"""Apologies for what cannot be read: in each thread one an hour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.heard import Notice

if TYPE_CHECKING:
    from apx.domain.heard import Caller
    from apx.ports import Clock, Door
    from channels.shared.answering import Answers

SORRY: Final = "I could not read a message of yours."
_HOUR: Final = 3600.0


class Apologies:
    """Says to those who may talk to us that something of theirs was not heard."""

    def __init__(self, door: Door, answers: Answers, clock: Clock) -> None:
        self._door = door
        self._answers = answers
        self._clock = clock
        self._told: dict[str, float] = {}

    async def offer(self, caller: Caller) -> None:
        """Apologise to somebody, unless that was done a while ago."""
        if not await self._door.admits(caller):
            return
        now, thread = self._clock().timestamp(), str(caller.thread)
        if now - self._told.get(thread, 0.0) < _HOUR:
            return
        self._told = {
            place: at for place, at in self._told.items() if now - at < _HOUR
        } | {thread: now}
        self._answers.say(caller.thread, Notice(SORRY))
