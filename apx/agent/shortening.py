"""Keeps threads short behind the conversation."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.condensing import Vain
from apx.domain.compaction import is_by_rule, is_long, is_overdue
from apx.memory.condenser import Rule, Wish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from apx.agent.condensing import Condensing
    from apx.domain.history import View
    from apx.domain.thread import Thread
    from apx.store.history import History

log = structlog.get_logger(__name__)

# After a failure models are asked again so many seconds later.
PAUSES: Final = (60.0, 300.0, 900.0)
# After all of them they are asked again once so much more of a threshold was said.
_THIRD: Final = 3
_OFTEN: Final = 3
# What has begun when a short command leaves is done in a moment.
_LEAVING: Final = 2.0


class Shortening:
    """One task a thread, after its replies.

    `asks` says whether models may be asked behind the conversation: a command that
    ends at once has no time for that, and folds by rule what has become too long.
    `gives_way` says of a model whether it can do one thing at a time only, as on a
    machine at home: then no record is written while somebody waits for an answer.
    """

    def __init__(
        self,
        condensing: Condensing,
        history: History,
        *,
        asks: bool = True,
        gives_way: Callable[[str], bool] = lambda _: False,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self._condensing = condensing
        self._history = history
        self._asks = asks
        self._gives_way = gives_way
        self._pauses = pauses
        self._group: asyncio.TaskGroup | None = None
        self._tasks: dict[Thread, asyncio.Task[None]] = {}
        self._news: dict[Thread, asyncio.Event] = {}
        # How often in a row a thread gave way; it waits for the end of the turn.
        self._aside: dict[Thread, int] = {}
        # The threads that are answered now, and those for which a model at home works.
        self._answering: set[Thread] = set()
        self._at_home: set[Thread] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Work until the block ends."""
        failure: Exception | None = None
        async with asyncio.TaskGroup() as group:
            self._group = group
            try:
                yield
            except Exception as error:  # noqa: BLE001 -- the caller's, bare, not in a group
                failure = error
            finally:
                await self._close()
        if failure is not None:
            raise failure

    @contextmanager
    def beside(self, thread: Thread) -> Iterator[None]:
        """See, once a turn is over, whether its thread has become long.

        What would keep its person waiting is broken off, and begun again after it.
        """
        self._answering.add(thread)
        for one in self._at_home & self._tasks.keys():
            self._give_way(one)
        try:
            yield
        finally:
            self._answering.discard(thread)
            for one in {thread, *self._aside}:
                if one in self._tasks:
                    self._news[one].set()
                else:
                    self._begin(one)

    def _give_way(self, thread: Thread) -> None:
        self._aside[thread] = self._aside.get(thread, 0) + 1
        self._tasks[thread].cancel()

    def _begin(self, thread: Thread) -> None:
        if self._group is None:
            return
        self._news[thread] = asyncio.Event()
        task = self._group.create_task(self._watched(thread), name=f"short {thread}")
        self._tasks[thread] = task
        task.add_done_callback(lambda task: self._ended(thread, task))

    def _ended(self, thread: Thread, task: asyncio.Task[None]) -> None:
        """Begin again if a turn ended while the task was still giving way to it."""
        self._tasks.pop(thread)
        if task.cancelled() and self._news[thread].is_set():
            self._begin(thread)

    async def _close(self) -> None:
        self._group = None
        tasks = list(self._tasks.values())
        if tasks and not self._asks:
            await asyncio.wait(tasks, timeout=_LEAVING)
        for task in tasks:
            task.cancel()

    async def _watched(self, thread: Thread) -> None:
        try:
            await self._shorten(thread)
        except Exception:  # the background: one thread's fault must not end the others
            log.exception("condensing_failed", thread=str(thread))
            self._condensing.trouble[str(thread)] = "failed; see apx.log"

    async def _shorten(self, thread: Thread) -> None:
        # Models that failed all the time are not given four tries every time.
        pauses = () if thread in self._condensing.in_vain else self._pauses
        for pause in [0.0, *pauses]:
            await self._pause(thread, pause)
            if await self._is_settled(thread):
                return
        # Asked in vain so often, the same models are not asked for the same again.
        view = await self._history.view(thread)
        self._condensing.in_vain[thread] = Vain.of(view)

    async def _pause(self, thread: Thread, seconds: float) -> None:
        """Wait; fold by rule what becomes too long meanwhile."""
        news = self._news[thread]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await news.wait():
                    news.clear()
                    await self._fold_overdue(thread)

    async def _fold_overdue(self, thread: Thread) -> None:
        room = await self._condensing.room()
        view = await self._history.view(thread)
        if is_overdue(view, self._condensing.rules, room):
            wish = Wish(room, asks=False, rule=Rule.ALWAYS)
            await self._condensing.condense(thread, wish)

    async def _is_settled(self, thread: Thread) -> bool:
        """Condense what is due; false if models failed and may be asked again."""
        if self._aside.get(thread, 0) >= _OFTEN:
            # Who always gives way never ends: what must be is done by rule first.
            await self._fold_overdue(thread)
        room, rules = await self._condensing.room(), self._condensing.rules
        view = await self._history.view(thread)
        has_to = is_overdue(view, rules, room)
        is_for_models = has_to or is_long(view, rules) or is_by_rule(view)
        asks = self._asks and is_for_models and not self._is_in_vain(thread, view)
        if not (asks or has_to):
            self._aside.pop(thread, None)
            return True
        rule = Rule.ALWAYS if has_to else Rule.NEVER
        wish = Wish(room, asks, rule, asking=lambda name: self._at(thread, name))
        try:
            outcome = await self._condensing.condense(thread, wish)
        finally:
            self._at_home.discard(thread)
        self._aside.pop(thread, None)
        is_done = outcome.made is not None and not outcome.made.degraded
        return is_done or not outcome.reasons

    def _at(self, thread: Thread, model: str) -> None:
        """Keep a model at home free while somebody is answered.

        An empty name is no model: what comes after it is done in a moment.
        """
        if not self._gives_way(model):
            self._at_home.discard(thread)
        elif self._answering:
            self._give_way(thread)
        else:
            self._at_home.add(thread)

    def _is_in_vain(self, thread: Thread, view: View) -> bool:
        """Whether nothing much was said since all models failed."""
        vain = self._condensing.in_vain.get(thread)
        few = self._condensing.rules.threshold // _THIRD
        return vain is not None and vain.holds(view, few)
