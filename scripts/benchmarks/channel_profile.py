"""Where the time of a message goes: by thread, and by room in the loop's thread.

The profiler makes that thread about half as slow again; the others are as they are.
"""

from __future__ import annotations

import json
import os
import pstats
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import channel_processes as processes
from scripts.benchmarks.channel_measure import Stand

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.benchmarks.channel_place import Place

Spot = tuple[str, int, str]

_ROOMS: Final = 10
_HEAVY: Final = 3
_PACKAGES: Final = "site-packages/"
# Builtins have no file: their time is of whoever calls them.
_BUILTIN: Final = "~"


def printed(place: Place, rounds: int) -> None:
    """Profile a daemon whose people talk, and print where it was busy."""
    file, chats = place.home.parent / "profile", place.chats
    with place.daemon("--lifted", "--profile", str(file)) as pid:
        stand = Stand(place.remote, pid)
        stand.met(chats)
        for number, way in enumerate(("one_by_one", "side_by_side"), start=1):
            before = processes.threads(pid)
            os.kill(pid, signal.SIGUSR1)
            stand.led(way, chats, rounds)
            after = processes.threads(pid)
            os.kill(pid, signal.SIGUSR1)
            written = file.with_suffix(f".{number}")
            processes.awaited(written.exists)
            many = len(chats) * rounds
            print(f"\n{way.replace('_', ' ')}, {many:,} messages")
            names = json.loads(file.with_suffix(".threads").read_text("utf-8"))
            _threads(before, after, names, many)
            _rooms(pstats.Stats(str(written)), many)


def _threads(
    before: dict[int, float], after: dict[int, float], names: dict[str, str], many: int
) -> None:
    spent: Counter[str] = Counter()
    for one, seconds in after.items():
        name = names.get(str(one), "others").rstrip("0123456789_- ")
        spent[name] += seconds - before.get(one, 0.0)  # type: ignore[assignment]  # seconds
    print(f"{'by thread, the loop under cProfile':44}{'ms a message':>14}")
    for name, seconds in spent.most_common():
        print(f"{name:44}{seconds * 1e3 / many:14.2f}")


def _rooms(found: pstats.Stats, many: int) -> None:
    rooms: dict[str, Counter[str]] = {}
    for place, seconds in _own(found):
        rooms.setdefault(_room(place[0]), Counter())[_named(place)] += seconds  # type: ignore[assignment]  # the same
    total = sum(sum(each.values()) for each in rooms.values())
    print(f"{'by room, cProfile, the loop':32}{'ms a message':>14}{'share':>8}")
    heaviest = sorted(rooms.items(), key=lambda item: -sum(item[1].values()))
    for room, each in heaviest[:_ROOMS]:
        spent = sum(each.values())
        print(f"{room:32}{spent * 1e3 / many:14.2f}{spent / total:8.1%}")
        for name, seconds in each.most_common(_HEAVY):
            print(f"  {name:42}{seconds * 1e3 / many:8.2f}")


def _own(found: pstats.Stats) -> Iterator[tuple[Spot, float]]:
    """Give each function's own time, that of builtins as their callers'."""
    entries: dict[Spot, Any] = found.stats  # type: ignore[attr-defined]  # not in typeshed
    for place, (_, _, own, _, callers) in entries.items():
        if place[0] != _BUILTIN or not callers:
            yield place, own
            continue
        for caller, figures in callers.items():
            yield caller, figures[2]


def _room(file: str) -> str:
    if _PACKAGES in file:
        return file.partition(_PACKAGES)[2].split("/")[0].removesuffix(".py")
    parts = Path(file).parts
    for top in ("apx", "channels"):
        if top in parts:
            at = parts.index(top)
            return "/".join(parts[at : at + 2])
    return parts[-2] if len(parts) > 1 else "builtins"


def _named(place: Spot) -> str:
    file, line, name = place
    return f"{Path(file).name}:{line} {name}"
