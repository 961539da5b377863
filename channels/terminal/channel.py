"""The terminal's side in the owner of the home: which screens watch which thread."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from apx.domain.errors import Unreachable
from apx.domain.text import excerpt
from channels.terminal.signs import Arrived, Noticed, Shown, Sign, Working

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Door, LiveReply

# A screen shows a part at once; one that does not is gone.
_PATIENCE: Final = 10.0
_REQUEST: Final = 60


class Screen:
    """One watching terminal: the signs for it, and the parts that it showed."""

    def __init__(self, since: datetime) -> None:
        self.since = since
        self.signs: asyncio.Queue[Sign] = asyncio.Queue()
        self._awaited: dict[int, asyncio.Future[None]] = {}

    def has_shown(self, part: int) -> None:
        """Take note that the person has seen a part."""
        awaited = self._awaited.get(part)
        if awaited is not None and not awaited.done():
            awaited.set_result(None)

    def go(self) -> None:
        """Take note that nobody watches any more."""
        for awaited in self._awaited.values():
            if not awaited.done():
                awaited.set_exception(Unreachable("the terminal was closed"))

    async def show(self, part: Part) -> None:
        """Give a part to the screen and wait until it says that it showed it."""
        is_late = part.created_at is not None and part.created_at < self.since
        sign = Arrived(
            part=part.id,
            turn=part.turn,
            text=part.text,
            is_repeat=part.is_repeat,
            is_plain=part.is_plain,
            request=excerpt(part.request, _REQUEST) if is_late else "",
        )
        awaited = self._awaited[sign.part] = asyncio.get_running_loop().create_future()
        self.signs.put_nowait(sign)
        try:
            async with asyncio.timeout(_PATIENCE):
                await awaited
        finally:
            del self._awaited[sign.part]


class TerminalChannel:
    """Delivers to whoever watches; what nobody watches waits in the outbox."""

    name = "terminal"

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._screens: dict[Thread, list[Screen]] = defaultdict(list)

    async def run(self, door: Door) -> None:
        """Live until cancelled; screens come through `attached`."""
        del door
        await asyncio.Event().wait()

    @contextmanager
    def attached(self, thread: Thread) -> Iterator[Screen]:
        """Watch a thread for the length of the block."""
        screen = Screen(self._clock())
        self._screens[thread].append(screen)
        try:
            yield screen
        finally:
            screen.go()
            self._screens[thread].remove(screen)
            if not self._screens[thread]:
                del self._screens[thread]

    def reaches(self, thread: Thread) -> bool:
        """Whether anybody watches the thread."""
        return thread in self._screens

    async def deliver(self, part: Part) -> str:
        """Show a part on every screen that watches; one that showed it is enough."""
        screens = list(self._screens.get(part.thread, ()))
        results = await asyncio.gather(
            *(screen.show(part) for screen in screens), return_exceptions=True
        )
        if all(isinstance(result, BaseException) for result in results):
            raise Unreachable(f"no terminal shows {part.thread} now")
        return f"terminal-{part.id}"

    def live(self, thread: Thread, turn: int) -> LiveReply:
        """Open what the screens show while a turn runs."""
        return _Watched(self._screens, thread, turn)


class _Watched:
    def __init__(
        self, screens: dict[Thread, list[Screen]], thread: Thread, turn: int
    ) -> None:
        self._screens = screens
        self._thread = thread
        self._turn = turn

    def show(self, text: str) -> None:
        """Append text on every screen."""
        self._tell(Shown(self._turn, text))

    def work(self, tools: Sequence[str]) -> None:
        """Say on every screen which tools are at work."""
        self._tell(Working(self._turn, tuple(tools)))

    def notice(self, text: str) -> None:
        """Say on every screen what is going on."""
        self._tell(Noticed(self._turn, text))

    def _tell(self, sign: Sign) -> None:
        for screen in self._screens.get(self._thread, ()):
            screen.signs.put_nowait(sign)
