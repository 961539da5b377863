"""What was told on stderr of the channels' troubles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from apx.ports import Channel

_NUMBERS: Final = re.compile(r"\d+")


class Troubles:
    """Gives each trouble one line when it comes and one when it is over."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], str] = {}

    def news(
        self, channels: Mapping[str, Channel], complaints: Mapping[str, str]
    ) -> list[str]:
        """Give the lines for what changed since the last look.

        `complaints` has why a channel as a whole does not run, by its name.
        """
        now = dict(_found(channels, complaints))
        came = [line for what, line in now.items() if what not in self._told]
        over = [f"over: {line}" for what, line in self._told.items() if what not in now]
        # What was said of one is what is said to be over, whatever it counts by then.
        self._told = {what: self._told.get(what, line) for what, line in now.items()}
        return [*over, *came]


def _found(
    channels: Mapping[str, Channel], complaints: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], str]]:
    """Give each trouble by its words alone: a count that grows is no new one."""
    for name, channel in channels.items():
        if why := complaints.get(name):
            yield (name, why), f"{name}: {why}"
        for bot, why in channel.problems.items():
            for one in why.split("; "):
                who = f"{name}, {bot}"
                yield (who, _NUMBERS.sub("", one)), f"{who}: {one}"
