"""What a message costs the house, beside the smallest bot of the same platform.

The house is the real one, `apx run` in a process; the platform is the tests' loopback
server in another, whose people write and keep the time. The model is `offline`: it is
in the process, asks nobody, and costs what `apx/providers` costs in `--profile`. Where
it says so, a scripted one behind HTTP speaks slowly. The platform's pace is lifted but
for the rows that are about it, by `<platform>_daemon.py`. People are listed in `allow`.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Final

from scripts.benchmarks import channel_processes as processes
from scripts.benchmarks import channel_profile as profile
from scripts.benchmarks.channel_grown import grown
from scripts.benchmarks.channel_measure import TEXT, Figures, Stand
from scripts.benchmarks.channel_place import Place, Scale, place
from scripts.benchmarks.channel_table import heading, line, one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scripts.benchmarks.channel_processes import Platform

# So many words, and the seconds before each.
WORDS: Final = (20, 0.1)
_ALONE: Final = "one at a time, CPU ms a message"


def main(
    platform: Platform, quickly: Callable[[Scale], None], more: Callable[[Scale], None]
) -> None:
    """Measure and print; `quickly` is of the platform, `more` not for the hurried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less than 30 seconds")
    parser.add_argument("--profile", action="store_true", help="only where time goes")
    parser.add_argument("--chats", type=int, default=200)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--embeddings", default="tf", help="tf, local or auto")
    chosen = parser.parse_args()
    scale = Scale(chosen.chats, chosen.each, 3, 10.0, chosen.turns, chosen.embeddings)
    if chosen.quick:
        scale = Scale(20, 3, 1, 1.0, 0, chosen.embeddings, 0.8)
    print(f"{scale.people} chats, {scale.each} messages each; pace lifted")
    if chosen.profile:
        with place(platform, scale) as here:
            profile.printed(here, scale.each)
        return
    compared(platform, scale)
    quickly(scale)
    if not chosen.quick:
        more(scale)


def compared(platform: Platform, scale: Scale) -> None:
    """Print what messages cost here and there, then the same with a full ledger."""
    heading(platform.rival)
    with platform.world() as remote:
        chats = remote.invite(list(scale.numbers))
        began = time.monotonic()
        with platform.echo(remote.origin) as pid:
            stand = Stand(remote, pid, scale.after)
            found = _started(stand, chats[0], began)
            bare = found | _measured(stand, chats, scale)
    with place(platform, scale) as here:
        began = time.monotonic()
        with platform.daemon(here.home) as pid:
            start = _started(Stand(here.remote, pid), here.chats[0], began)
        with here.daemon("--lifted") as pid:
            stand = Stand(here.remote, pid, scale.after)
            ours = start | _measured(stand, here.chats, scale)
            for name, value in bare.items():
                line(name, value, ours[name])
            flood(stand, here, scale)
        without(platform, here.home.parent / "bare", scale)
        if scale.turns:
            grown(here, scale.turns, ours[_ALONE])


def _started(stand: Stand, chat: int, began: float) -> dict[str, float]:
    """Have somebody write as soon as the bot listens."""
    stand.remote.first(chat, TEXT, began)
    [told] = stand.over()
    return {
        "start, exec to listening, s": told["said"] - began,
        "start, exec to the first answer, s": told["final"] - began,
    }


def _measured(stand: Stand, chats: Sequence[int], scale: Scale) -> dict[str, float]:
    """Measure what both bots can do, in the order in which it is printed."""
    stand.met(chats)
    small = processes.memory(stand.pid)
    found = _named("one at a time", stand.led("one_by_one", chats, scale.alone))
    found |= _named(
        f"{scale.people} at a time", stand.led("side_by_side", chats, scale.each)
    )
    found["idle, CPU ms a second"] = stand.idle(scale.idle)
    found["memory at the start, MB"] = small
    found["memory after, MB"] = processes.memory(stand.pid)
    return found


def _named(way: str, found: Figures) -> dict[str, float]:
    return {
        f"{way}, CPU ms a message": found.cpu,
        f"{way}, messages a second": found.rate,
        f"{way}, first sight, p50 ms": found.shown[0],
        f"{way}, first sight, p99 ms": found.shown[1],
        f"{way}, whole reply, p50 ms": found.final[0],
        f"{way}, whole reply, p99 ms": found.final[1],
    }


def flood(stand: Stand, here: Place, scale: Scale) -> None:
    """Print how fast it is where nobody waits for an answer."""
    rate, replies, spent = stand.flooded(here.chats, scale.each)
    one(f"all {scale.each} of {scale.people} at once, messages a second", rate)
    one("  replies (what comes together is answered so)", replies)
    one("  CPU ms a message", spent)


def without(platform: Platform, home: Path, scale: Scale) -> None:
    """Print what the same daemon takes without the platform."""
    processes.settle(home, processes.settings(("offline", scale.embeddings)))
    began = time.monotonic()
    with platform.daemon(home) as pid:
        processes.awaited((home / "apx.sock").exists)
        start = time.monotonic() - began
        time.sleep(2)
        one(f"without {platform.name.capitalize()}: start, s", start)
        one("  idle, CPU ms a second", Stand(None, pid).idle(scale.idle))  # type: ignore[arg-type]  # nobody is asked
        one("  memory, MB", processes.memory(pid))


def spoken(here: Place, few: Sequence[int], rounds: int, pid: int) -> None:
    """Print how soon something is seen of a reply that grows."""
    words, pause = WORDS
    stand = Stand(here.remote, pid)
    stand.met(few)
    found = stand.led("one_by_one", few, rounds)
    one("  CPU ms a message", found.cpu)
    one("  edits a reply while it grows", found.edits)
    for name, times, until in (
        ("first word to first sight", found.shown, 1),
        ("first word to first edit", found.edited, 1),
        ("last word to whole reply", found.final, words),
    ):
        for which, took in zip(("p50", "p99"), times, strict=True):
            one(f"  {name}, {which} ms", took - until * pause * 1e3)
