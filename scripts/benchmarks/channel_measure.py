"""Has people write to a bot, and says what that cost the bot's process."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import channel_processes as processes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.remote import Remote

TEXT: Final = "good morning, how is it going with the garden"
_LOOK: Final = 0.1
_QUIET: Final = 2.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What messages cost; times in milliseconds, p50 and p99."""

    cpu: float
    rate: float
    shown: tuple[float, float]
    final: tuple[float, float]
    edited: tuple[float, float]
    edits: float


@dataclass(frozen=True, slots=True)
class Stand:
    """A bot's process, and the server that it is at.

    What is put off until `after` seconds later belongs to a reply's cost.
    """

    remote: Remote
    pid: int
    after: float = 4.0

    def met(self, chats: Sequence[int]) -> None:
        """Have everybody say something first, which costs more."""
        self.remote.side_by_side(list(chats), 1, TEXT)
        self.over()

    def led(self, way: str, chats: Sequence[int], rounds: int) -> Figures:
        """Let people talk, `one_by_one` or `side_by_side`."""
        cpu = processes.cpu(self.pid)
        began = time.monotonic()
        getattr(self.remote, way)(list(chats), rounds, TEXT)
        told = self.over()
        took = max(one["final"] for one in told) - began
        time.sleep(self.after)
        many = len(told)
        return Figures(
            (processes.cpu(self.pid) - cpu) * 1e3 / many,
            many / took,
            spread([one["shown"] - one["said"] for one in told]),
            spread([one["final"] - one["said"] for one in told]),
            spread([one["edited"] - one["said"] for one in told if one["edited"]]),
            sum(one["edits"] for one in told) / many,
        )

    def flooded(self, chats: Sequence[int], many: int) -> tuple[float, int, float]:
        """Let all write at once.

        Gives messages a second, the replies, and CPU milliseconds a message.
        """
        cpu = processes.cpu(self.pid)
        before = self.remote.get("replies")
        self.remote.at_once(list(chats), many, TEXT, _QUIET)
        [told] = self.over()
        replies = self.remote.get("replies") - before
        spent = (processes.cpu(self.pid) - cpu) * 1e3 / (len(chats) * many)
        return len(chats) * many / (told["final"] - told["said"]), replies, spent

    def idle(self, seconds: float) -> float:
        """Give milliseconds of CPU a second while nobody says anything."""
        before = processes.threads(self.pid)
        time.sleep(seconds)
        after = processes.threads(self.pid)
        spent = sum(took - before.get(one, 0.0) for one, took in after.items())
        return spent * 1e3 / seconds

    def over(self) -> list[dict[str, Any]]:
        """Wait until everybody was answered, and give what each was told."""
        while not self.remote.get("is_over"):
            time.sleep(_LOOK)
        told: list[dict[str, Any]] = self.remote.get("told")
        return told


def most(times: Sequence[float], seconds: float) -> int:
    """Give how many fall into the fullest stretch of so many seconds."""
    best = first = 0
    for last, at in enumerate(times):
        while times[first] <= at - seconds:
            first += 1
        best = max(best, last - first + 1)
    return best


def spread(seconds: list[float]) -> tuple[float, float]:
    """Give p50 and p99 in milliseconds; 0 of nothing."""
    if not seconds:
        return 0.0, 0.0
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return ordered[last // 2] * 1e3, ordered[round(last * 0.99)] * 1e3
