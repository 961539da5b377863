"""Folds the older turns of a thread into a record that stands in for them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from apx.domain.compaction import Plan, plan
from apx.domain.fitting import measured
from apx.memory.drafting import Assignment, Draft
from apx.store.condensations import Record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from apx.domain.compaction import Compaction
    from apx.domain.condensation import Condensation
    from apx.domain.history import PastTurn, View
    from apx.domain.thread import Thread
    from apx.memory.drafting import Drafting
    from apx.ports import Clock
    from apx.store.condensations import Condensations
    from apx.store.history import History

_CHAIN: Final = 50
# So many turns at once are folded by rule where more wait than a view reads.
_PAGE: Final = 500


class Rule(StrEnum):
    """When a digest is taken: never, where no model is there, or where all fail."""

    NEVER = "never"
    ALONE = "alone"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Wish:
    """How a thread is condensed: for which room of a prompt, in tokens.

    `asks` has models asked; `rule` says when a digest is taken. `keep` is what the
    person wants kept above all; a model has `patience` seconds. `asking` hears the
    name of each model before it is asked, and an empty one when it is done.
    """

    room: int
    asks: bool = True
    rule: Rule = Rule.NEVER
    keep: str = ""
    patience: float = 180.0
    asking: Callable[[str], None] = lambda _: None

    def takes_digest(self, *, failed: bool) -> bool:
        """Whether a digest will do, given that the models `failed` or none is there."""
        return self.rule is Rule.ALWAYS or (self.rule is Rule.ALONE and not failed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: how the thread was seen before, and how it is seen now.

    `reasons` say why models failed; `facts` counts what was proposed as notes.
    `made` is None where nothing was folded.
    """

    before: View
    after: View
    made: Condensation | None = None
    reasons: tuple[str, ...] = ()
    facts: int = 0
    room: int = 0
    last_turn: int = 0

    @property
    def tokens_before(self) -> int:
        """What the thread took of a prompt."""
        return measured(self.before, self.room)

    @property
    def tokens_after(self) -> int:
        """What it takes now."""
        return measured(self.after, self.room)


class Condenser:
    """Condenses one thread at a time each, and writes down what it did."""

    def __init__(
        self,
        *,
        history: History,
        condensations: Condensations,
        drafting: Drafting,
        flush: Callable[[Thread, Sequence[PastTurn]], Awaitable[int]],
        rules: Compaction,
        clock: Clock,
    ) -> None:
        self.rules = rules
        self._history = history
        self._condensations = condensations
        self._drafting = drafting
        self._flush = flush
        self._clock = clock
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()

    async def condense(self, thread: Thread, wish: Wish) -> Outcome:
        """Condense a thread if there is anything to fold; write the record."""
        async with self._lock(thread):
            await self._fold_unread(thread)
            since = await self._history.last_seq()
            drafted, usage = await self._drafted(thread, wish)
            if drafted.made is None:
                return drafted
            return await self._recorded(thread, drafted, usage, since)

    async def draft(self, thread: Thread, wish: Wish) -> Outcome:
        """Say what condensing would give, and write nothing."""
        drafted, _ = await self._drafted(thread, wish)
        return drafted

    async def undo(self, thread: Thread, op: str) -> int:
        """Take the newest condensation back; gives its id, 0 if there is none."""
        async with self._lock(thread):
            return await self._condensations.undo(thread, op, self._clock())

    def _lock(self, thread: Thread) -> asyncio.Lock:
        return self._locks.setdefault(thread, asyncio.Lock())

    async def leave(self, thread: Thread) -> int:
        """See to what lasts of a thread that begins afresh; gives how many facts."""
        view = await self._history.view(thread)
        return await self._flush(thread, view.past)

    async def _drafted(
        self, thread: Thread, wish: Wish
    ) -> tuple[Outcome, dict[str, Any]]:
        view = await self._history.view(thread)
        # Turns that were not read are folded first; a record must not reach over them.
        fresh = None if view.unread else plan(view, self.rules, wish.room)
        drafted, chosen = Draft(), fresh
        if wish.asks and (chosen := await self._read_again(thread, view, fresh)):
            given = Assignment(
                plan=chosen,
                room=wish.room,
                keep_first=self.rules.keep_first,
                keep=wish.keep,
                patience=wish.patience,
                asking=wish.asking,
            )
            drafted = await self._drafting.draft(given)
        made = drafted.made
        failed = bool(drafted.reasons)
        if made is None and fresh and wish.takes_digest(failed=failed):
            chosen = fresh
            made = await self._digested(fresh.base, fresh.turns)
        after = _seen_with(view, made) if made else view
        last = chosen.turns[-1].turn.id if chosen else 0
        outcome = Outcome(
            view, after, made, drafted.reasons, room=wish.room, last_turn=last
        )
        return outcome, dict(drafted.usage)

    async def _read_again(
        self, thread: Thread, view: View, fresh: Plan | None
    ) -> Plan | None:
        """Have a model read anew what was folded by rule, as far back as is fair."""
        base = view.condensation
        if base is None or not base.degraded:
            return fresh
        last = fresh.turns[-1].turn.ordinal if fresh else base.last
        ground = await self._ground(thread, base, last)
        again = await self._history.view_on(thread, ground)
        if ground is base or again.unread:
            return fresh
        turns = tuple(past for past in again.past if past.turn.ordinal <= last)
        if not any(past.count for past in turns):
            return fresh
        return Plan(ground, turns, fresh.kept if fresh else view.past)

    async def _ground(
        self, thread: Thread, base: Condensation, last: int
    ) -> Condensation | None:
        """Go back to what a model made, to the beginning, or as far as is fair.

        That is as many turns as there are messages before a rule folds them: years
        without a model are no bill.
        """
        older = (await self._condensations.chain(thread, _CHAIN))[1:]
        ground: Condensation | None = base
        for before in [*older, None]:
            start = before.last if before else base.first - 1
            if ground is None or not ground.degraded or last - start > self.rules.most:
                break
            ground = before
        return ground

    async def _recorded(
        self, thread: Thread, drafted: Outcome, usage: dict[str, Any], since: int
    ) -> Outcome:
        made, view = drafted.made, drafted.before
        assert made is not None  # noqa: S101 -- the caller saw to it
        gone = view.past[: len(view.past) - len(drafted.after.past)]
        facts = await self._flush(thread, gone)
        about = {
            "refused": list(drafted.reasons),
            "usage": usage,
            "messages": [view.messages, drafted.after.messages],
            "tokens": [drafted.tokens_before, drafted.tokens_after],
            "facts": facts,
        }
        on = view.condensation.id if view.condensation else 0
        last = drafted.last_turn
        record = Record(thread, made, last, on, self._clock(), about, since)
        number = await self._condensations.add(record)
        if not number:
            changed = (*drafted.reasons, "the conversation was changed meanwhile")
            return replace(drafted, after=view, made=None, reasons=changed)
        return replace(drafted, made=replace(made, id=number), facts=facts)

    async def _digested(
        self, base: Condensation | None, turns: Sequence[PastTurn]
    ) -> Condensation:
        from apx.domain.digest import digest  # noqa: PLC0415 -- patterns of 0.05 s

        return await asyncio.to_thread(digest, base, turns, self.rules.keep_first)

    async def _fold_unread(self, thread: Thread) -> None:
        """Fold by rule what is older than what a view reads."""
        while (view := await self._history.view(thread)).unread:
            since = await self._history.last_seq()
            page = await self._history.earliest(thread, min(_PAGE, view.unread))
            made = await self._digested(page.condensation, page.past)
            await self._flush(thread, page.past)
            on = page.condensation.id if page.condensation else 0
            last = page.past[-1].turn.id
            record = Record(thread, made, last, on, self._clock(), {}, since)
            if not await self._condensations.add(record):
                return


def _seen_with(view: View, made: Condensation) -> View:
    past = tuple(p for p in view.past if p.turn.ordinal > made.last)
    return replace(view, past=past, condensation=made)
