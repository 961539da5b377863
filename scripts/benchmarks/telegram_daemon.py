"""`apx run` with the pace of Telegram lifted, and profiled between two SIGUSR1.

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
from typing import TYPE_CHECKING

from apx.cli.run import run
from channels.telegram.vendor import loaded

loaded()  # as the channel does, before anything of aiogram is imported
import channels.telegram.bot as telegram  # noqa: E402 -- as said
from channels.telegram.pace import Pace  # noqa: E402 -- as said

if TYPE_CHECKING:
    from types import FrameType


class Lifted(Pace):
    """The gate of a bot that may speak as fast as it likes."""

    async def enter(self, chat_id: int, until: float) -> None:
        """Let every message go at once."""

    def room(self, chat_id: int) -> bool:
        """Let every edit go at once."""
        del chat_id
        return True


class Profiler:
    """Measures the loop's thread while it is on, and says which thread is which.

    The first stretch is written to `file` with `.1` at its end, and so on.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stretch = 0
        self._profile: cProfile.Profile | None = None

    def toggle(self, _number: int, _frame: FrameType | None) -> None:
        """Begin or end; threads are named while they are there."""
        if self._profile is None:
            # The thread's own time: a wait, also for the interpreter, costs nothing.
            self._profile = cProfile.Profile(time.thread_time)
            self._profile.enable()
            return
        self._profile.disable()
        self._stretch += 1
        names = {one.native_id: one.name for one in threading.enumerate()}
        self._file.with_suffix(".threads").write_text(json.dumps(names), "utf-8")
        fresh = self._file.with_suffix(".new")
        self._profile.dump_stats(fresh)
        fresh.rename(self._file.with_suffix(f".{self._stretch}"))
        self._profile = None


def main() -> None:
    """Serve as `apx run` does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lifted", action="store_true")
    parser.add_argument("--profile", type=Path)
    chosen = parser.parse_args()
    if chosen.lifted:
        telegram.Pace = Lifted  # type: ignore[attr-defined]  # only in this process
    if chosen.profile:
        signal.signal(signal.SIGUSR1, Profiler(chosen.profile).toggle)
    run()


if __name__ == "__main__":
    main()
