"""Condenses a thread: by hand, or where a prompt is too long for its model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

import structlog

from apx.agent.compacted import Undone
from apx.agent.prompt import room_for, system_message
from apx.domain.compaction import is_overdue
from apx.domain.errors import ApxError
from apx.domain.fitting import fit, measured, messages
from apx.domain.usage import Purpose, spending
from apx.memory.condenser import Rule, Wish

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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

# A person who waits for an answer waits so long for a record, in seconds.
_IN_A_TURN: Final = 45.0


@dataclass(frozen=True, slots=True)
class Vain:
    """How a thread stood when models were asked in vain, or a person undid their work.

    They are not asked for the same again before much more was said.
    """

    serving: int
    messages: int

    @classmethod
    def of(cls, view: View) -> Self:
        """Note how a thread stands now."""
        return cls(_serving(view), view.new_messages)

    def holds(self, view: View, few: int) -> bool:
        """Whether no more than a few messages were said since, and none taken back."""
        said = view.new_messages - self.messages
        return self.serving == _serving(view) and 0 <= said < few


class Condensing:
    """Has the condenser work for the usual model.

    `trouble` says what failed, by thread; `in_vain` whose models need not be asked.
    """

    def __init__(
        self,
        *,
        condenser: Condenser,
        history: History,
        models: Callable[[str], Awaitable[ChatModel]],
        windows: Windows,
        bench: Bench,
        setting: Setting,
    ) -> None:
        self.trouble: dict[str, str] = {}
        self.in_vain: dict[Thread, Vain] = {}
        self.rules = condenser.rules
        self._scopes: dict[Thread, asyncio.Timeout] = {}
        self._condenser = condenser
        self._history = history
        self._models = models
        self._windows = windows
        self._bench = bench
        self._setting = setting

    async def now(self, thread: Thread, keep: str = "") -> Outcome | None:
        """Condense a thread because a person says so; nothing if they stopped it."""
        wish = await self._by_hand(thread, keep)
        scope = asyncio.timeout(None)

        def asking(model: str) -> None:
            # Only what a model has to say can be stopped, not the record of it.
            if model:
                self._scopes[thread] = scope
            else:
                self._scopes.pop(thread, None)

        try:
            async with scope:
                return await self.condense(thread, replace(wish, asking=asking))
        except TimeoutError:
            if not scope.expired():
                raise
            return None

    def stop(self, thread: Thread) -> bool:
        """Stop what a person had begun by hand; false if there is nothing."""
        scope = self._scopes.pop(thread, None)
        if scope is not None:
            scope.reschedule(asyncio.get_running_loop().time())
        return scope is not None

    async def draft(self, thread: Thread, keep: str = "") -> Outcome:
        """Say what `now` would give, and write nothing."""
        wish = await self._by_hand(thread, keep)
        with spending(Purpose.SUMMARY):
            return await self._condenser.draft(thread, wish)

    async def _by_hand(self, thread: Thread, keep: str) -> Wish:
        """Wish for a record; for a digest if there is no model, or if need be."""
        room, view = await self.room(), await self._history.view(thread)
        has_to = is_overdue(view, self.rules, room)
        return Wish(room, rule=Rule.ALWAYS if has_to else Rule.ALONE, keep=keep)

    async def at_once(self, thread: Thread, room: int) -> None:
        """Condense a thread in the middle of a turn that is too long for its model."""
        wish = Wish(room, asks=True, patience=_IN_A_TURN)
        try:
            async with asyncio.timeout(_IN_A_TURN):
                await self.condense(thread, wish)
        except TimeoutError:
            self.trouble[str(thread)] = "condensing took too long"
        except ApxError as error:
            # The turn goes on: its prompt is made to fit in any case.
            self.trouble[str(thread)] = f"not condensed: {error}"

    async def undo(self, thread: Thread, op: str) -> Undone:
        """Show again what the newest condensation stood for."""
        number = await self._condenser.undo(thread, op)
        room, view = await self.room(), await self._history.view(thread)
        if number:
            # What a person took back is not made again from what is below it, either.
            self.in_vain[thread] = Vain.of(view)
            self.trouble.pop(str(thread), None)
        return Undone(number, measured(view, room) > room)

    async def leave(self, thread: Thread) -> None:
        """See to what lasts before a thread begins afresh."""
        self.in_vain.pop(thread, None)
        self.trouble.pop(str(thread), None)
        await self._condenser.leave(thread)

    async def seen(self, thread: Thread) -> list[Message]:
        """Give what the model would see of a thread now, before the newest message."""
        room = await self.room()
        view = await asyncio.to_thread(fit, await self._history.view(thread), room)
        before = [system_message(self._setting)]
        return [*before, *messages(view, room, self._setting.zone)]

    async def room(self) -> int:
        """Say how many tokens a prompt for the usual model has for a thread."""
        limit = self._windows.limit(await self._models(""))
        return room_for(limit, self._setting, self._bench.specs)

    async def condense(self, thread: Thread, wish: Wish) -> Outcome:
        """Condense a thread as wished, and note what failed."""
        with spending(Purpose.SUMMARY):
            outcome = await self._condenser.condense(thread, wish)
        made = outcome.made
        if made is not None and not made.degraded:
            self.trouble.pop(str(thread), None)
            self.in_vain.pop(thread, None)
        elif outcome.reasons:
            how = "condensed by rule" if made else "not condensed"
            self.trouble[str(thread)] = f"{how}: {'; '.join(outcome.reasons)}"
            log.warning(
                "condensing_refused", thread=str(thread), reasons=outcome.reasons
            )
        return outcome


def _serving(view: View) -> int:
    return view.condensation.id if view.condensation else 0
