"""A Discord in a process of its own, for tests that wait without a loop."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.servers.apart import apart
from tests.servers.discord.interactions import Outcome
from tests.servers.discord.watching import Seen
from tests.servers.discord.world import Call, Ping
from tests.servers.telegram import remote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Remote(remote.Remote):
    """Has the methods of `DiscordServer` under their names, as plain calls.

    Whatever is not written out here is asked of the other side, and comes back as JSON;
    an attribute is read with `get`. Awaitable ones are awaited there.
    """

    def sent(  # type: ignore[override]  # it is of another place
        self, channel: int, bot: int = 0
    ) -> Sequence[Seen]:
        """Give the messages of a bot that are there now."""
        return [_seen(told) for told in self._ask("sent", channel, bot)]

    def history(self, channel: int) -> Sequence[Seen]:  # type: ignore[override]  # as above
        """Give all messages of a channel that are there now."""
        return [_seen(told) for told in self._ask("history", channel)]

    def calls(  # type: ignore[override]  # as above
        self, method: str = "", path: str = ""
    ) -> list[Call]:
        """Give the requests; their times are of this machine's monotonic clock."""
        return [Call(**told) for told in self._ask("calls", method, path)]

    def press(  # type: ignore[override]  # as above
        self, message: int, label: str, user: int
    ) -> int:
        """Press a button, and give the number under which it is answered."""
        return int(self._ask("press", message, label, user))

    def answer(self, number: int) -> Outcome:
        """Give what came of a command or a button."""
        told = self._ask("answer", number)
        messages = tuple(_seen(one) for one in told.pop("messages"))
        return Outcome(**told, messages=messages)

    @property
    def pings(self) -> list[Ping]:
        """For whom messages of bots have rung."""
        return [Ping(**told) for told in self.get("pings")]


@contextmanager
def running(
    port_file: Path | None = None, *, port: int = 0, furnished: bool = False
) -> Iterator[Remote]:
    """Start a server in a process of its own; it ends with us, however we end."""
    told = ["--port", str(port)]
    told += ["--port-file", str(port_file)] if port_file else []
    told += ["--furnished"] if furnished else []
    with apart("tests.servers.discord", *told) as origins:
        yield Remote(*origins)


def _seen(told: dict[str, Any]) -> Seen:
    return Seen(**told | {name: tuple(told[name]) for name in ("buttons", "files")})
