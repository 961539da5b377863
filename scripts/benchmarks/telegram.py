"""What a message on Telegram costs, beside the smallest bot that aiogram makes.

The house is the real one, `apx run` in a process; Telegram is the tests' loopback
server in another, whose people write and keep the time. The model is `offline`: it is
in the process, asks nobody, and costs what `apx/providers` costs in `--profile`. Where
it says so, a scripted one behind HTTP speaks slowly. Telegram's pace is lifted but for
the rows that are about it, by `telegram_daemon.py`. People are listed in `allow`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.benchmarks import telegram_processes as processes
from scripts.benchmarks import telegram_profile as profile
from scripts.benchmarks.telegram_grown import Full, grown
from scripts.benchmarks.telegram_measure import Figures, Stand, kept
from scripts.benchmarks.telegram_table import heading, line, one

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.telegram.remote import Remote

_FIRST: Final = 1_001
_WORDS: Final = (20, 0.1)
_GROUPS: Final = (-1, -2, -3)


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    chats: int
    each: int
    alone: int
    idle: float
    turns: int
    embeddings: str
    after: float = 4.0

    @property
    def people(self) -> range:
        """Whose chats they are."""
        return range(_FIRST, _FIRST + self.chats)


def main() -> None:
    """Measure and print."""
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
        scale = Scale(20, 3, 2, 2.0, 0, chosen.embeddings, 1.2)
    print(f"{scale.chats} chats, {scale.each} messages each; pace lifted")
    if chosen.profile:
        with _home(scale) as (telegram, home):
            profile.printed(telegram, home, scale.people, scale.each)
        return
    compared(scale)
    if not chosen.quick:
        spoken(scale)
        paced(scale)


def compared(scale: Scale) -> None:
    """Print what messages cost here and there, then the same with a full ledger."""
    heading()
    with processes.world() as telegram:
        telegram.invite(list(scale.people))
        began = time.monotonic()
        with processes.echo(telegram.origin) as pid:
            start = processes.polling(telegram) - began
            bare = _measured(Stand(telegram, pid, scale.after), scale, start)
    with _home(scale) as (telegram, home):
        began = time.monotonic()
        with processes.daemon(home):
            start = processes.polling(telegram) - began
        with processes.daemon(home, "--lifted") as pid:
            processes.polling(telegram)
            ours = _measured(Stand(telegram, pid, scale.after), scale, start)
            for name, value in bare.items():
                line(name, value, ours[name])
            alone = ours["one at a time, CPU ms a message"]
            flood(Stand(telegram, pid), scale)
        without(home.parent / "bare", scale)
        if scale.turns:
            grown(Full(telegram, home, scale.people, scale.turns), alone)


def _measured(stand: Stand, scale: Scale, start: float) -> dict[str, float]:
    """Measure what both bots can do, in the order in which it is printed."""
    stand.met(scale.people)
    small = processes.memory(stand.pid)
    found = {"start, exec to the first getUpdates, s": start}
    found |= _named("one at a time", stand.led("one_by_one", scale.people, scale.alone))
    found |= _named(
        f"{scale.chats} at a time", stand.led("side_by_side", scale.people, scale.each)
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


def flood(stand: Stand, scale: Scale) -> None:
    """Print how fast it is where nobody waits for an answer."""
    rate, replies, spent = stand.flooded(scale.people, scale.each)
    one(f"all {scale.each} of {scale.chats} at once, messages a second", rate)
    one("  replies (what comes together is answered so)", replies)
    one("  CPU ms a message", spent)


def without(home: Path, scale: Scale) -> None:
    """Print what the same daemon takes without Telegram."""
    processes.settle(
        home, processes.settings("", ("offline", scale.embeddings), (), ())
    )
    began = time.monotonic()
    with processes.daemon(home) as pid:
        while not (home / "apx.sock").exists():
            time.sleep(0.01)
        start = time.monotonic() - began
        time.sleep(2)
        one("without Telegram: start, s", start)
        one("  idle, CPU ms a second", Stand(None, pid).idle(scale.idle))  # type: ignore[arg-type]  # nobody is asked
        one("  memory, MB", processes.memory(pid))


def spoken(scale: Scale) -> None:
    """Print how soon something is seen of a reply that grows."""
    words, pause = _WORDS
    with ExitStack() as stack:
        model = stack.enter_context(processes.model(words, pause))
        telegram, home = stack.enter_context(_home(scale, model))
        pid = stack.enter_context(processes.daemon(home, "--lifted"))
        processes.polling(telegram)
        stand = Stand(telegram, pid)
        few = scale.people[:10]
        stand.met(few)
        drafts = len(telegram.calls("sendMessageDraft"))
        found = stand.led("one_by_one", few, scale.alone)
        drafts = len(telegram.calls("sendMessageDraft")) - drafts
        many = len(few) * scale.alone
        one(f"a model that says {words} words in {words * pause:.0f} s", many)
        one("  CPU ms a message", found.cpu)
        one("  drafts a reply", drafts / many)
        one("  first word to first sight, p50 ms", found.shown[0] - pause * 1e3)
        one("  first word to first sight, p99 ms", found.shown[1] - pause * 1e3)
        one("  last word to whole reply, p50 ms", found.final[0] - words * pause * 1e3)
        one("  last word to whole reply, p99 ms", found.final[1] - words * pause * 1e3)


def paced(scale: Scale) -> None:
    """Print how well Telegram's pace is kept, with its rules switched on."""
    with _home(scale) as (telegram, home), processes.daemon(home) as pid:
        telegram.limit()
        processes.polling(telegram)
        stand = Stand(telegram, pid)
        stand.led("side_by_side", [*_GROUPS, *scale.people[:20]], 25)
        stand.led("side_by_side", scale.people, scale.alone)
        found = kept(telegram)
    print("with the pace on")
    one("  most messages in any second (30 allowed)", found.second)
    one("  most in a chat in any 3 seconds (3 at once)", found.chat)
    one("  most in a group in any minute (20 allowed)", found.group)
    one("  refused by the server", found.refusals)
    one("  messages a second on average", found.rate)


@contextmanager
def _home(scale: Scale, model: str = "") -> Iterator[tuple[Remote, Path]]:
    with tempfile.TemporaryDirectory() as directory, processes.world() as telegram:
        home = Path(directory) / "apx"
        telegram.invite(list(scale.people))
        telegram.assemble(list(_GROUPS))
        chosen = ("openai:tiny" if model else "offline", scale.embeddings)
        told = processes.settings(telegram.origin, chosen, scale.people, _GROUPS)
        if model:
            told["engines"] = {"openai": {"api_key": "x", "base_url": model}}
        processes.settle(home, told)
        yield telegram, home


if __name__ == "__main__":
    main()
