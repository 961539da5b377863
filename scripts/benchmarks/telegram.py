"""What a message on Telegram costs; `channel_compared` says how it is measured."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import channel_processes as processes
from scripts.benchmarks.channel_compared import WORDS, main, spoken
from scripts.benchmarks.channel_measure import Stand, most
from scripts.benchmarks.channel_place import Scale, place
from scripts.benchmarks.channel_table import one
from tests.servers.telegram.remote import Remote
from tests.servers.telegram.world import TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

_GROUPS: Final = (-1, -2, -3)


def section(origin: str, people: Sequence[int]) -> dict[str, Any]:
    """Give what config.json says of the bot."""
    bot = {
        "token": TOKEN,
        "base_url": origin,
        "access": "allowlist",
        "allow": [str(one) for one in people],
        "groups": [str(one) for one in _GROUPS],
        "group_mode": "all",
    }
    return {"bots": [bot]}


_PLATFORM: Final = processes.Platform("telegram", "aiogram", Remote, section)


def more(scale: Scale) -> None:
    """Print how replies grow, and how well Telegram's pace is kept."""
    words, pause = WORDS
    with ExitStack() as stack:
        model = stack.enter_context(processes.model(words, pause))
        here = stack.enter_context(place(_PLATFORM, scale, model))
        pid = stack.enter_context(here.daemon("--lifted"))
        print(f"a model that says {words} words in {words * pause:.0f} s")
        spoken(here, list(here.chats[:10]), scale.alone, pid)
    paced(scale)


def paced(scale: Scale) -> None:
    """Print how well Telegram's pace is kept, with its rules switched on."""
    with place(_PLATFORM, scale) as here:
        telegram = here.remote
        telegram.assemble(list(_GROUPS))
        with here.daemon() as pid:
            telegram.limit()
            stand = Stand(telegram, pid)
            stand.led("side_by_side", [*_GROUPS, *here.chats[:20]], 25)
            stand.led("side_by_side", here.chats, scale.alone)
            found = kept(telegram)
    print("with the pace on")
    one("  most messages in any second (30 allowed)", found.second)
    one("  most in a chat in any 3 seconds (3 at once)", found.chat)
    one("  most in a group in any minute (20 allowed)", found.group)
    one("  refused by the server", found.refusals)
    one("  messages a second on average", found.rate)


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
    sent = telegram.get("passed")
    chats: dict[int, list[float]] = {}
    for chat, at in sent:
        chats.setdefault(chat, []).append(at)
    groups = [times for chat, times in chats.items() if chat < 0]
    times = [at for _, at in sent]
    return Kept(
        most(times, 1.0),
        max(most(one, 3.0) for one in chats.values()),
        max((most(one, 60.0) for one in groups), default=0),
        telegram.get("refusals"),
        len(times) / (times[-1] - times[0]),
    )


if __name__ == "__main__":
    main(_PLATFORM, lambda _: None, more)
