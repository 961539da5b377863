"""Keeps threads short behind the conversation, and by hand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.prompt import room_for, system_message
from apx.domain.compaction import is_by_rule, is_due, is_overdue
from apx.domain.fitting import fit, messages
from apx.memory.condenser import Wish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from apx.agent.prompt import Setting
    from apx.agent.toolbox import Bench
    from apx.domain.history import View
    from apx.domain.message import Message
    from apx.domain.thread import Thread
    from apx.memory.condenser import Condenser, Outcome
    from apx.memory.windows import Windows
    from apx.ports import ChatModel
    from apx.store.history import History

log = structlog.get_logger(__name__)

# After a failure models are asked again so many seconds later.
PAUSES: Final = (60.0, 300.0, 900.0)
# A person who waits for an answer waits so long for a record, in seconds.
_IN_A_TURN: Final = 45.0
# After all of them they are asked again once so much more of a threshold was said.
_THIRD: Final = 3
# What has begun when a short command leaves is done in a moment.
_LEAVING: Final = 2.0


class Condensing:
    """One task a thread, after its replies; `trouble` says what failed, by thread.

    `asks` says whether models may be asked behind the conversation: a command that
    ends at once has no time for that, and folds by rule what has become too long.
    `gives_way` says of a model whether it can do one thing at a time only, as on a
    machine at home: then no record is written while somebody waits for an answer.
    """

    def __init__(  # noqa: PLR0913 -- where the agent and the condenser meet
        self,
        *,
        condenser: Condenser,
        history: History,
        models: Callable[[str], Awaitable[ChatModel]],
        windows: Windows,
        bench: Bench,
        setting: Setting,
        asks: bool = True,
        gives_way: Callable[[str], bool] = lambda _: False,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self.trouble: dict[str, str] = {}
        self._condenser = condenser
        self._history = history
        self._models = models
        self._windows = windows
        self._bench = bench
        self._setting = setting
        self._asks = asks
        self._gives_way = gives_way
        self._pauses = pauses
        self._group: asyncio.TaskGroup | None = None
        self._tasks: dict[Thread, asyncio.Task[None]] = {}
        self._in_vain: dict[Thread, tuple[int, int]] = {}
        self._aside: set[Thread] = set()
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

    def after(self, thread: Thread) -> None:
        """See whether a thread has become long, and those that gave way before it."""
        for one in {thread, *self._aside} - self._tasks.keys():
            self._aside.discard(one)
            self._begin(one)

    def step_aside(self) -> None:
        """Break off what would keep a person waiting; it is begun again after them."""
        for thread in self._at_home & self._tasks.keys():
            self._aside.add(thread)
            self._tasks[thread].cancel()

    def _begin(self, thread: Thread) -> None:
        if self._group is None:
            return
        task = self._group.create_task(self._watched(thread), name=f"short {thread}")
        self._tasks[thread] = task
        task.add_done_callback(lambda _: self._tasks.pop(thread))

    async def now(self, thread: Thread, keep: str = "") -> Outcome:
        """Condense a thread because a person says so."""
        wish = Wish(await self._room(), by_rule=True, keep=keep)
        outcome = await self._condenser.condense(thread, wish)
        self._note(thread, outcome)
        return outcome

    async def draft(self, thread: Thread, keep: str = "") -> Outcome:
        """Say what `now` would give, and write nothing."""
        wish = Wish(await self._room(), by_rule=True, keep=keep)
        return await self._condenser.draft(thread, wish)

    async def at_once(self, thread: Thread, room: int) -> None:
        """Condense a thread in the middle of a turn that is too long for its model."""
        wish = Wish(room, asks=True, patience=_IN_A_TURN)
        try:
            async with asyncio.timeout(_IN_A_TURN):
                self._note(thread, await self._condenser.condense(thread, wish))
        except TimeoutError:
            self.trouble[str(thread)] = "condensing took too long"

    async def undo(self, thread: Thread, op: str) -> int:
        """Show again what the newest condensation stood for; 0 if there is none."""
        return await self._condenser.undo(thread, op)

    async def flush(self, thread: Thread) -> None:
        """See to what lasts before a thread begins afresh."""
        await self._condenser.leave(thread)

    async def seen(self, thread: Thread) -> list[Message]:
        """Give what the model would see of a thread now, before the newest message."""
        room = await self._room()
        view = fit(await self._history.view(thread), room)
        before = [system_message(self._setting)]
        return [*before, *messages(view, room, self._setting.zone)]

    async def room(self, model: ChatModel) -> int:
        """Say how many tokens a prompt for a model has for a thread."""
        limit = self._windows.limit(model)
        return room_for(limit, self._setting, self._bench.specs)

    async def _room(self) -> int:
        return await self.room(await self._models(""))

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
            self.trouble[str(thread)] = "failed; see apx.log"

    async def _shorten(self, thread: Thread) -> None:
        for pause in [0.0, *self._pauses]:
            await asyncio.sleep(pause)
            if await self._is_settled(thread):
                return
        # Asked in vain so often, the same models are not asked for the same again.
        view = await self._history.view(thread)
        self._in_vain[thread] = (_id(view), view.new_messages)

    async def _is_settled(self, thread: Thread) -> bool:
        """Condense what is due; false if models failed and may be asked again."""
        room, rules = await self._room(), self._condenser.rules
        view = await self._history.view(thread)
        by_rule = is_overdue(view, rules, room)
        is_for_models = is_due(view, rules, room) or is_by_rule(view)
        asks = self._asks and is_for_models and not self._is_in_vain(thread, view)
        if not (asks or by_rule):
            return True
        wish = Wish(room, asks=asks, by_rule=by_rule)
        async with self._giving_way(thread):
            outcome = await self._condenser.condense(thread, wish)
        self._note(thread, outcome)
        is_done = outcome.made is not None and not outcome.made.degraded
        return is_done or not outcome.reasons

    def _is_in_vain(self, thread: Thread, view: View) -> bool:
        """Whether nothing much was said since all models failed."""
        number, messages = self._in_vain.get(thread, (-1, 0))
        few = self._condenser.rules.threshold // _THIRD
        return number == _id(view) and view.new_messages < messages + few

    @asynccontextmanager
    async def _giving_way(self, thread: Thread) -> AsyncIterator[None]:
        if any(self._gives_way(name) for name in await self._condenser.asked()):
            self._at_home.add(thread)
        try:
            yield
        finally:
            self._at_home.discard(thread)

    def _note(self, thread: Thread, outcome: Outcome) -> None:
        made = outcome.made
        if made is not None and not made.degraded:
            self.trouble.pop(str(thread), None)
        elif outcome.reasons:
            how = "condensed by rule" if made else "not condensed"
            self.trouble[str(thread)] = f"{how}: {'; '.join(outcome.reasons)}"
            log.warning(
                "condensing_refused", thread=str(thread), reasons=outcome.reasons
            )


def _id(view: View) -> int:
    return view.condensation.id if view.condensation else 0
