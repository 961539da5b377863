"""Tells the owner, where they are, what is wrong with a channel and stays so."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.heard import Notice
from apx.domain.person import OWNER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from apx.agent.notices import Notices
    from apx.ports import Channel, Clock

# What is over by then is nobody's worry; what comes back is told so often at most.
_STAYS: Final = timedelta(minutes=1)
_AGAIN: Final = timedelta(days=1)
_NUMBERS: Final = re.compile(r"\d+")


class Worries:
    """Looks now and then; the log and `apx status` have all of it anyway."""

    def __init__(
        self, channels: Mapping[str, Channel], notices: Notices, clock: Clock
    ) -> None:
        self._channels = channels
        self._notices = notices
        self._clock = clock
        self._since: dict[str, datetime] = {}
        self._told: dict[str, datetime] = {}

    async def look(self) -> None:
        """Tell what has been wrong for a minute and was not told yet."""
        now, found = self._clock(), dict(self._problems())
        self._since = {what: self._since.get(what, now) for what in found}
        for what, text in found.items():
            told = self._told.get(what)
            is_new = told is None or now - told > _AGAIN
            if (
                is_new
                and now - self._since[what] >= _STAYS
                and await self._notices.to_person(OWNER, Notice(f"\u26a0 {text}"))
            ):
                self._told[what] = now

    def _problems(self) -> Iterator[tuple[str, str]]:
        """Give each trouble by its words alone: a count that grows is no new one."""
        for name, channel in self._channels.items():
            for what, why in channel.problems.items():
                for one in why.split("; "):
                    yield (
                        f"{name} {what} {_NUMBERS.sub('', one)}",
                        f"{name}, {what}: {one}",
                    )
