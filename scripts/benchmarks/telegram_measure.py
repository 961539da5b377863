"""Has people write to a bot, and says what that cost the bot's process."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import telegram_processes as processes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.remote import Remote

TEXT: Final = "good morning, how is it going with the garden"
_LOOK: Final = 0.1
_QUIET: Final = 3.0
_COUNTED: Final = frozenset({"sendMessage", "editMessageText"})


@dataclass(frozen=True, slots=True)
class Figures:
    """What messages cost; times in milliseconds, p50 and p99."""

    cpu: float
    rate: float
    shown: tuple[float, float]
    final: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stand:
    """A bot's process, and the Telegram that it is at.

    What is put off until `after` seconds later belongs to a reply's cost.
    """

    telegram: Remote
    pid: int
    after: float = 4.0

    def met(self, chats: Sequence[int]) -> None:
        """Have everybody say something first, which costs more."""
        self.telegram.side_by_side(list(chats), 1, TEXT)
        self._over()

    def led(self, way: str, chats: Sequence[int], rounds: int) -> Figures:
        """Let people talk, `one_by_one` or `side_by_side`."""
        cpu = processes.cpu(self.pid)
        began = time.monotonic()
        getattr(self.telegram, way)(list(chats), rounds, TEXT)
        told = self._over()
        took = max(one["final"] for one in told) - began
        time.sleep(self.after)
        many = len(told)
        return Figures(
            (processes.cpu(self.pid) - cpu) * 1e3 / many,
            many / took,
            _spread([one["shown"] - one["said"] for one in told]),
            _spread([one["final"] - one["said"] for one in told]),
        )

    def flooded(self, chats: Sequence[int], many: int) -> tuple[float, int, float]:
        """Let all write at once.

        Gives messages a second, the replies, and CPU milliseconds a message.
        """
        cpu = processes.cpu(self.pid)
        before = len(self.telegram.calls("sendMessage"))
        self.telegram.at_once(list(chats), many, TEXT, _QUIET)
        [told] = self._over()
        replies = len(self.telegram.calls("sendMessage")) - before
        spent = (processes.cpu(self.pid) - cpu) * 1e3 / (len(chats) * many)
        return len(chats) * many / (told["final"] - told["said"]), replies, spent

    def idle(self, seconds: float) -> float:
        """Give milliseconds of CPU a second while nobody says anything."""
        before = processes.threads(self.pid)
        time.sleep(seconds)
        after = processes.threads(self.pid)
        spent = sum(took - before.get(one, 0.0) for one, took in after.items())
        return spent * 1e3 / seconds

    def _over(self) -> list[dict[str, Any]]:
        while not self.telegram.get("is_over"):
            time.sleep(_LOOK)
        told: list[dict[str, Any]] = self.telegram.get("told")
        return told


@dataclass(frozen=True, slots=True)
class Kept:
    """The most messages that came to Telegram in any stretch of time."""

    second: int
    chat: int
    group: int
    refusals: int
    rate: float


def kept(telegram: Remote) -> Kept:
    """Count what was sent: in any second, in a chat in 3 s, in a group in a minute.

    As it arrives, refused or not: what left evenly may arrive in a heap if the machine
    is busy, and Telegram counts what arrives.
    """
    sent = [call for call in telegram.calls() if call.method in _COUNTED]
    chats: dict[int, list[float]] = {}
    for call in sent:
        chats.setdefault(call.chat or 0, []).append(call.at)
    groups = [times for chat, times in chats.items() if chat < 0]
    times = [call.at for call in sent]
    return Kept(
        most(times, 1.0),
        max(most(one, 3.0) for one in chats.values()),
        max((most(one, 60.0) for one in groups), default=0),
        telegram.get("refusals"),
        len(times) / (times[-1] - times[0]),
    )


def most(times: Sequence[float], seconds: float) -> int:
    """Give how many fall into the fullest stretch of so many seconds."""
    best = first = 0
    for last, at in enumerate(times):
        while times[first] <= at - seconds:
            first += 1
        best = max(best, last - first + 1)
    return best


def _spread(seconds: list[float]) -> tuple[float, float]:
    """Give p50 and p99 in milliseconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return ordered[last // 2] * 1e3, ordered[round(last * 0.99)] * 1e3
