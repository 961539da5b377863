"""How long one callback after the other holds the loop."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

# Shorter ones are not worth a look at what they were.
_SHORT = 0.002


@dataclass(frozen=True, slots=True)
class Stretch:
    """The seconds that one step took of its thread, and until it was over."""

    cpu: float
    wall: float
    what: str


class Held:
    """Times every step of the loops of the thread that opened it."""

    def __init__(self) -> None:
        self._found: list[Stretch] = []
        self._run: Any = None

    @property
    def longest(self) -> list[Stretch]:
        """What took longest of the thread's own time, the worst first."""
        return sorted(self._found, key=lambda one: -one.cpu)

    def clear(self) -> None:
        """Forget what was."""
        self._found.clear()

    def open(self) -> None:
        """Begin to look at each step."""
        self._run = run = asyncio.Handle._run
        found, me = self._found, threading.get_ident()

        def timed(handle: asyncio.Handle) -> None:
            wall, cpu = time.perf_counter(), time.thread_time()
            run(handle)
            spent = time.thread_time() - cpu
            took = time.perf_counter() - wall
            if took >= _SHORT and threading.get_ident() == me:
                found.append(Stretch(spent, took, _named(handle)))

        asyncio.Handle._run = timed  # type: ignore[method-assign,assignment]

    def close(self) -> None:
        """Look no more."""
        asyncio.Handle._run = self._run  # type: ignore[method-assign]


@asynccontextmanager
async def held() -> AsyncIterator[Held]:
    """Look at each step for the length of the block, also at those of its own task."""
    watching = Held()
    watching.open()
    # The step that we are in began before, and the last one of the block is to end.
    await asyncio.sleep(0)
    try:
        yield watching
        await asyncio.sleep(0)
    finally:
        watching.close()


def _named(handle: asyncio.Handle) -> str:
    """Say whose step it was, and where that one waits now."""
    callback = getattr(handle, "_callback", None)
    owner = getattr(callback, "__self__", None)
    if not isinstance(owner, asyncio.Task):
        return repr(callback)
    step: Any = owner.get_coro()
    name, where = getattr(step, "__qualname__", repr(step)), ""
    while (frame := getattr(step, "cr_frame", None)) is not None:
        where = f" at {Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        step = step.cr_await
    return f"{name}{where}"
