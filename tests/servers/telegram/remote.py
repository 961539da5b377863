"""A server in a process of its own, for tests that wait without a loop."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tests.servers.apart import apart
from tests.servers.telegram.control import decoded, encoded
from tests.servers.telegram.watching import Seen
from tests.servers.telegram.world import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.servers.telegram.people import Known

T = TypeVar("T")


class Remote:
    """Has the methods of `TelegramServer` under their names, as plain calls.

    Whatever is not written out here is asked of the other side, and comes back as JSON;
    an attribute is read with `get`.
    """

    def __init__(self, origin: str, control: str) -> None:
        self.origin = origin
        self._control = control

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **more: self._ask(name, *args, **more)

    def get(self, name: str) -> Any:
        """Give an attribute, such as `complaints` or `polls`."""
        return self._ask(name)

    def sent(self, chat: int, topic: int | None = None) -> Sequence[Seen]:
        """Give the messages of bots that are there now."""
        return [_seen(told) for told in self._ask("sent", chat, topic)]

    def history(self, chat: int, topic: int | None = None) -> Sequence[Seen]:
        """Give all messages that are there now."""
        return [_seen(told) for told in self._ask("history", chat, topic)]

    def calls(self, method: str | None = None, chat: int | None = None) -> list[Call]:
        """Give the requests; their times are of this machine's monotonic clock."""
        return [Call(**told) for told in self._ask("calls", method, chat)]

    def press(self, message: Known, label: str, user: int | None = None) -> Any:
        """Press a button."""
        shown = message.json if isinstance(message, Seen) else message
        return self._ask("press", shown, label, user)

    def until(self, holds: Callable[[], T], seconds: float = 20) -> T:
        """Wait until something holds; looks again whenever anything happens."""
        end = time.monotonic() + seconds
        while True:
            changes = self.get("changes")
            if result := holds():
                return result
            left = end - time.monotonic()
            if left <= 0:
                last = [f"{call.method} {call.status}" for call in self.calls()[-8:]]
                raise TimeoutError(f"it never held; the last calls: {last}")
            self._send("wait", {"changes": changes, "seconds": left})

    def _ask(self, name: str, *args: Any, **more: Any) -> Any:
        return self._send(name, encoded({"args": args, "kwargs": more}))

    def _send(self, name: str, body: Any) -> Any:
        request = urllib.request.Request(  # noqa: S310 -- our own loopback
            f"{self._control}/control/{name}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 -- our own loopback
                return decoded(json.load(response)["result"])
        except urllib.error.HTTPError as error:
            with error:
                raise LookupError(error.read().decode()) from None


@contextmanager
def running(port_file: Path) -> Iterator[Remote]:
    """Start a server in a process of its own; it ends with us, however we end."""
    with apart("tests.servers.telegram", "--port-file", str(port_file)) as origins:
        yield Remote(*origins)


def _seen(told: dict[str, Any]) -> Seen:
    fixed = {name: tuple(told[name]) for name in ("entities", "buttons")}
    return Seen(**(told | fixed))
