"""`apx run` with a platform's pace lifted, profiled, or its loop watched.

Nothing else of it differs: the pace is taken out where the bot takes it from.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from apx.cli.run import run
from tests.channels.held import Held

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from channels.shared.pace import Pace

_KEPT: Final = 8


def lifted(kind: type[Pace]) -> type[Pace]:
    """Make of a platform's gate one of a bot that may speak as fast as it likes."""

    class Lifted(kind):  # type: ignore[valid-type,misc]  # whichever it is
        async def enter(self, chat_id: int, until: float) -> None:
            """Let every message go at once."""

        def has_room(self, chat_id: int) -> bool:
            """Let every edit go at once."""
            del chat_id
            return True

        def may_type(self) -> bool:
            """Say at once that it is typed."""
            return True

        def room(self, chat_id: int) -> bool:
            """Let every edit go at once."""
            del chat_id
            return True

    return Lifted


class _Meter(Protocol):
    """What measures between two signals."""

    def start(self) -> None:
        """Begin."""
        ...

    def stop(self, file: Path) -> None:
        """End, and write to a file what was found."""
        ...


class Profiler:
    """Says where the loop's thread is, and which thread is which."""

    def __init__(self) -> None:
        # The thread's own time: a wait, also for the interpreter, costs nothing.
        self._profile = cProfile.Profile(time.thread_time)

    def start(self) -> None:
        """Begin."""
        self._profile = cProfile.Profile(time.thread_time)
        self._profile.enable()

    def stop(self, file: Path) -> None:
        """End; threads are named while they are there."""
        self._profile.disable()
        names = {one.native_id: one.name for one in threading.enumerate()}
        file.with_suffix(".threads").write_text(json.dumps(names), "utf-8")
        self._profile.dump_stats(file)


class Watch:
    """Says how long one thing after the other held the loop."""

    def __init__(self) -> None:
        self._held = Held()

    def start(self) -> None:
        """Begin."""
        self._held.clear()
        self._held.open()

    def stop(self, file: Path) -> None:
        """End, and tell of the longest."""
        self._held.close()
        longest = self._held.longest[:_KEPT]
        told = [[one.cpu * 1e3, one.wall * 1e3, one.what] for one in longest]
        file.write_text(json.dumps(told), "utf-8")


class _Stretches:
    """Measures from one signal to the next; the first is written to `.1`, and so on."""

    def __init__(self, meter: _Meter, file: Path) -> None:
        self._meter = meter
        self._file = file
        self._stretch = 0
        self._is_on = False

    def toggle(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Begin or end."""
        self._is_on = not self._is_on
        if self._is_on:
            self._meter.start()
            return
        self._stretch += 1
        fresh = self._file.with_suffix(".new")
        self._meter.stop(fresh)
        fresh.rename(self._file.with_suffix(f".{self._stretch}"))


def main(lift: Callable[[], None]) -> None:
    """Serve as `apx run` does; `lift` takes the pace away."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lifted", action="store_true")
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--watch", type=Path, help="from the start on")
    chosen = parser.parse_args()
    if chosen.lifted:
        lift()
    if chosen.profile:
        profiled = _Stretches(Profiler(), chosen.profile)
        signal.signal(signal.SIGUSR1, profiled.toggle)
    if chosen.watch:
        watched = _Stretches(Watch(), chosen.watch)
        signal.signal(signal.SIGUSR2, watched.toggle)
        watched.toggle()
    run()
