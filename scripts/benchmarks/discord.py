"""What a message on Discord costs; `channel_compared` says how it is measured."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import channel_processes as processes
from scripts.benchmarks.channel_compared import WORDS, main, spoken
from scripts.benchmarks.channel_measure import TEXT, Stand, most, spread
from scripts.benchmarks.channel_place import Scale, place
from scripts.benchmarks.channel_table import one
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import HOME
from tests.servers.discord.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_COMMAND: Final = "status"
_SHOWN: Final = 3
# What is measured of a channel, as Discord does.
_CHANNEL: Final = 5.0


def section(origin: str, people: Sequence[int]) -> dict[str, Any]:
    """Give what config.json says of the bot."""
    bot = {
        "token": TOKEN,
        "access": "allowlist",
        "allow": [str(one) for one in people],
        "guilds": [str(HOME)],
    }
    return {"base_url": origin, "bots": [bot]}


_PLATFORM: Final = processes.Platform("discord", "discord.py", Remote, section)


def busy(scale: Scale) -> None:
    """Print what becomes of commands, and of the loop, while many are answered."""
    with place(_PLATFORM, scale) as here:
        file = here.home.parent / "held"
        with here.daemon("--lifted", "--watch", str(file)) as pid:
            held = {"until it listens": _watched(pid, file.with_suffix(".1"))}
            stand = Stand(here.remote, pid)
            os.kill(pid, signal.SIGUSR2)
            stand.met(here.chats)
            processes.awaited(here.remote.commands)
            held["when all come"] = _watched(pid, file.with_suffix(".2"))
            os.kill(pid, signal.SIGUSR2)
            chats = list(here.chats)
            here.remote.command_beside(chats, scale.each, TEXT, _COMMAND)
            stand.over()
            held["while all are answered"] = _watched(pid, file.with_suffix(".3"))
            given = here.remote.get("commanded")
    one(f"/{_COMMAND} while {scale.people} are answered, times", len(given))
    for number, name in enumerate(("acknowledged", "answered")):
        took = [each[number] for each in given if each[number]]
        one(f"  not {name}", len(given) - len(took))
        for which, ms in zip(("p50", "p99"), spread(took), strict=True):
            one(f"  {name}, {which} ms", ms)
        one(f"  {name}, longest ms", max(took) * 1e3)
    for when, longest in held.items():
        _held(when, longest)


def _watched(pid: int, file: Path) -> list[tuple[float, float, str]]:
    """End a stretch of watching; gives what held the loop longest."""
    os.kill(pid, signal.SIGUSR2)
    processes.awaited(file.exists)
    found: list[tuple[float, float, str]] = json.loads(file.read_text("utf-8"))
    return found


def _held(when: str, longest: list[tuple[float, float, str]]) -> None:
    one(f"longest step of the loop {when}, CPU ms", longest[0][0])
    for cpu, wall, what in longest[:_SHOWN]:
        print(f"    {cpu:6.1f} ms of CPU, {wall:6.1f} ms in all: {what}")


def more(scale: Scale) -> None:
    """Print how replies grow, and how well Discord's pace is kept."""
    words, pause = WORDS
    for how, options in (("pace lifted", ["--lifted"]), ("as it is", [])):
        with ExitStack() as stack:
            model = stack.enter_context(processes.model(words, pause))
            here = stack.enter_context(place(_PLATFORM, scale, model))
            pid = stack.enter_context(here.daemon(*options))
            if not options:
                here.remote.limit()
            print(f"a model that says {words} words in {words * pause:.0f} s, {how}")
            spoken(here, list(here.chats[:10]), scale.alone, pid)
            one("  refused by the server", here.remote.get("refusals"))
    paced(scale)


def paced(scale: Scale) -> None:
    """Print how well Discord's pace is kept, with its rules switched on."""
    with place(_PLATFORM, scale) as here, here.daemon() as pid:
        here.remote.limit()
        stand = Stand(here.remote, pid)
        stand.led("side_by_side", here.chats[:20], 10)
        stand.led("side_by_side", here.chats, scale.alone)
        passed, asked = here.remote.get("passed"), here.remote.get("asked")
        refused = here.remote.get("refusals")
    channels: dict[int, list[float]] = {}
    for channel, at in passed:
        channels.setdefault(channel, []).append(at)
    print("with the pace on")
    one("  most calls in any second (50 allowed)", most(asked, 1.0))
    busiest = max(most(times, _CHANNEL) for times in channels.values())
    one("  most messages in a channel in any 5 seconds (5)", busiest)
    one("  refused by the server", refused)
    took = passed[-1][1] - passed[0][1]
    one("  messages a second on average", len(passed) / took)


if __name__ == "__main__":
    main(_PLATFORM, busy, more)
