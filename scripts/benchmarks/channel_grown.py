"""What a message costs when much was said before, here and in one thread."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks import channel_processes as processes
from scripts.benchmarks.channel_ledger import fill
from scripts.benchmarks.channel_measure import Stand
from scripts.benchmarks.channel_table import one

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.benchmarks.channel_place import Place

# Of all turns, one in so many is in one thread.
_LONG: Final = 5
_ALONE: Final = 3
_IN_LONG: Final = 30
_PATIENCE: Final = 1_800.0


def grown(place: Place, turns: int, alone: float) -> None:
    """Fill the ledger and print the same again; `alone` is what it cost before."""
    *others, chat = place.chats
    long = turns // _LONG
    began = time.monotonic()
    asyncio.run(fill(place.home, turns, place.thread(chat), long))
    one(f"{turns:,} turns before: written in s", time.monotonic() - began)
    with place.daemon("--lifted") as pid:
        began = time.monotonic()
        processes.awaited(lambda: _is_indexed(_status(place.home)), _PATIENCE)
        one("  indexed in s", time.monotonic() - began)
        stand = Stand(place.remote, pid)
        stand.met(others)
        for name, chats, rounds in (
            ("other chats", others, _ALONE),
            (f"one of {long:,} turns, the first time", [chat], 1),
            (f"one of {long:,} turns", [chat], _IN_LONG),
        ):
            found = stand.led("one_by_one", chats, rounds)
            one(f"  {name}, CPU ms", found.cpu, f"{found.cpu / alone:.1f}")
            one("    whole reply, p50 ms", found.final[0])
            one("    whole reply, p99 ms", found.final[1])
        one("  memory, MB", processes.memory(pid))


def _is_indexed(told: dict[str, Any]) -> bool:
    spaces = told.get("spaces", ())
    is_read = bool(told.get("events")) and told["events"] == told["indexed"]
    return is_read and all(one["done"] >= one["total"] for one in spaces)


def _status(home: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "apx", "status", "--json"],
        env=os.environ | {"APX_HOME": str(home)},
        stdout=subprocess.PIPE,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout or "{}")
    return found
