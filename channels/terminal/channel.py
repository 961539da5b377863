"""The terminal's side in the owner of the home: which screens watch which thread."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from apx.domain.errors import Undeliverable, Unreachable
from apx.domain.text import excerpt
from channels.terminal.signs import Arrived, Noticed, Shown, Sign, Working

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from apx.domain.attachment import Attachment
    from apx.domain.heard import Notice
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Door, LiveReply, Sent

# A screen shows a part at once; one that does not is gone.
_PATIENCE: Final = 10.0
_REQUEST: Final = 60


class Screen:
    """One watching terminal: the signs for it, and the parts that it showed."""

    def __init__(self, since: datetime) -> None:
        self.since = since
        self.signs: asyncio.Queue[Sign] = asyncio.Queue()
        self._awaited: dict[int, asyncio.Future[bool]] = {}
        self._is_silent = False

    @property
    def is_silent(self) -> bool:
        """Whether it was given a part and never said that it showed it."""
        return self._is_silent

    def has_shown(self, part: int) -> None:
        """Take note that the person has seen a part."""
        self._is_silent = False
        self._settle(part, shown=True)

    def go(self) -> None:
        """Take note that nobody watches any more."""
        for part in list(self._awaited):
            self._settle(part, shown=False)

    def tell(self, sign: Sign) -> None:
        """Say what goes on; a screen that does not listen is spared it."""
        if not self._is_silent:
            self.signs.put_nowait(sign)

    def offer(self, part: Part) -> asyncio.Future[bool]:
        """Give a part to the screen; the future says whether it was shown."""
        is_late = part.created_at is not None and part.created_at < self.since
        sign = Arrived(
            part=part.id,
            turn=part.turn,
            text=part.text,
            is_repeat=part.is_repeat,
            is_plain=part.is_plain,
            request=excerpt(part.request, _REQUEST),
            is_late=is_late,
        )
        shown = self._awaited[part.id] = asyncio.get_running_loop().create_future()
        self.signs.put_nowait(sign)
        return shown

    def give_up(self, part: int) -> None:
        """Wait for a part no longer."""
        awaited = self._awaited.pop(part, None)
        if awaited is not None and not awaited.done():
            self._is_silent = True

    def _settle(self, part: int, *, shown: bool) -> None:
        awaited = self._awaited.get(part)
        if awaited is not None and not awaited.done():
            awaited.set_result(shown)


class TerminalChannel:
    """Delivers to whoever watches; what nobody watches waits in the outbox."""

    name = "terminal"
    # Somebody will open that conversation again.
    lifetime = None

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

    @property
    def is_watched(self) -> bool:
        """Whether anybody watches any thread."""
        return bool(self._screens)

    def reaches(self, thread: Thread) -> bool:
        """Whether anybody watches the thread."""
        return any(not screen.is_silent for screen in self._screens.get(thread, ()))

    @property
    def problems(self) -> Mapping[str, str]:
        """Nothing: a screen that is not there is none."""
        return {}

    def fetch(self, thread: Thread, file: Attachment) -> AsyncGenerator[bytes, None]:
        """Refuse: nothing is attached in a terminal."""
        raise Undeliverable(f"{thread}: no {file.medium} comes from a terminal")

    async def deliver(self, part: Part, note: Sent) -> str:
        """Show a part on every screen that watches; one that showed it is enough.

        Raises `TimeoutError` if the screens keep silent: they may show it later.
        """
        del note
        screens = list(self._screens.get(part.thread, ()))
        waiting = {screen.offer(part) for screen in screens}
        try:
            async with asyncio.timeout(_PATIENCE):
                while waiting:
                    done, waiting = await asyncio.wait(
                        waiting, return_when=asyncio.FIRST_COMPLETED
                    )
                    if any(shown.result() for shown in done):
                        return f"terminal-{part.id}"
        except TimeoutError:
            for screen in screens:
                screen.give_up(part.id)
            raise
        raise Unreachable(f"no terminal shows {part.thread} now")

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something on every screen that watches."""
        screens = self._screens.get(thread, ())
        if not screens:
            raise Unreachable(f"no terminal shows {thread} now")
        for screen in screens:
            screen.tell(Noticed(0, notice.text))

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Only who sits at the machine reads a terminal."""
        return thread.channel == account.channel == self.name

    def live(self, thread: Thread, turn: int, answers: str) -> LiveReply:
        """Open what the screens show while a turn runs."""
        del answers
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

    def ask(self, question: str, number: str) -> None:
        """Ask on every screen; the answer is typed."""
        self._tell(Noticed(self._turn, f"{question} /yes {number} or /no {number}"))

    def close(self, *, is_stopped: bool = False) -> None:
        """Say nothing: the reply is shown beside."""

    def _tell(self, sign: Sign) -> None:
        for screen in self._screens.get(self._thread, ()):
            screen.tell(sign)
