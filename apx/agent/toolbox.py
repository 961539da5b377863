"""Runs what a model asks for, and writes down that it did."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.confirming import UNCONFIRMED, question
from apx.domain.errors import ApxError, ProviderUnavailable
from apx.domain.event import Event, EventKind
from apx.domain.history import Step
from apx.domain.message import ToolCall
from apx.domain.person import Sight
from apx.domain.saying import Saying
from apx.domain.text import bounded, excerpt
from apx.domain.tool import Effect, Scene, ToolOutcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from apx.domain.message import Reply
    from apx.domain.tool import ToolSpec
    from apx.domain.turn import Turn
    from apx.ports import Clock, Tool
    from apx.store.ledger import Ledger

log = structlog.get_logger(__name__)

# What is longer is kept, and shown to the model, as a preview.
_LONGEST: Final = 16 * 1024
_PREVIEW: Final = 8 * 1024
_MOST_CALLS: Final = 128
_REPEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Bench:
    """The tools of one turn's person, by name."""

    tools: Mapping[str, Tool]

    @property
    def specs(self) -> list[ToolSpec]:
        """What the model is told of them, in a stable order."""
        return [self.tools[name].spec for name in sorted(self.tools)]


async def _unasked(_: str) -> bool:
    return False


async def _granted(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Permit:
    """What tools may look at for a turn's person, and how these are asked for a yes."""

    sight: Sight
    confirm: Callable[[str], Awaitable[bool]] = _unasked
    may: Callable[[str], Awaitable[bool]] = _granted


class Toolbox:
    """The tools at work in one turn.

    `is_tainted` says that the model has read other people's words: then what reaches
    outside needs its person's yes. `offered` names the tools
    that the model was told of last, and no others are run for it; None is all.
    """

    def __init__(
        self,
        bench: Bench,
        turn: Turn,
        ledger: Ledger,
        clock: Clock,
        permit: Permit | None = None,
    ) -> None:
        self.is_tainted = False
        self.has_read = False
        self.offered: frozenset[str] | None = None
        self._bench = bench
        self._turn = turn
        self._ledger = ledger
        self._clock = clock
        self._permit = permit or Permit(Sight(turn.audience))
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self._steps = 0
        self.done: set[str] = set()

    @property
    def is_stuck(self) -> bool:
        """Whether the same call has had the same result four times."""
        return any(count >= _REPEATS for count in self._seen.values())

    async def run(self, reply: Reply) -> Step:
        """Run the calls of a reply side by side, each started and ended in the log."""
        if len(reply.calls) > _MOST_CALLS:
            raise ProviderUnavailable(
                f"the model asked for {len(reply.calls)} tools at once;"
                f" {_MOST_CALLS} is the most",
                provider="model",
            )
        self._steps += 1
        calls = self._distinct(reply.calls)
        await self._record(
            EventKind.STEP,
            f"step/{self._steps}",
            text=reply.text,
            calls=[_kept(call) for call in calls],
            bounded=any(len(call.arguments.encode()) > _LONGEST for call in calls),
        )
        taint = self.is_tainted
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    self._one(call, self._offered(call.name), taint=taint)
                )
                for call in calls
            ]
        done = [
            (call.id, task.result()) for call, task in zip(calls, tasks, strict=True)
        ]
        return Step(
            text=reply.text,
            calls=calls,
            results={name: outcome.text for name, outcome in done},
            foreign=frozenset(name for name, o in done if o.is_untrusted),
        )

    async def use(self, name: str, arguments: str) -> ToolOutcome:
        """Run a tool on our own account, as if the model had asked for it."""
        call = ToolCall(f"apx-{name}", name, arguments)
        tool = self._bench.tools.get(name)
        return await self._one(call, tool, taint=self.is_tainted)

    def _offered(self, name: str) -> Tool | None:
        is_offered = self.offered is None or name in self.offered
        return self._bench.tools.get(name) if is_offered else None

    def _distinct(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        # Some servers name every call alike; a result must find its own.
        return tuple(
            replace(call, id=f"s{self._steps}c{place}-{call.id}"[:64])
            for place, call in enumerate(calls, start=1)
        )

    async def _one(
        self, call: ToolCall, tool: Tool | None, *, taint: bool
    ) -> ToolOutcome:
        if not await self._permit.may(call.name):
            tool = None
        effect = tool.spec.effect if tool else Effect.NONE
        await self._record(
            EventKind.TOOL_START,
            f"start/{call.id}",
            call=call.id,
            name=call.name,
            arguments=_preview(call.arguments),
            effect=effect,
        )
        asks = taint and effect is Effect.OUTSIDE
        confirmed = asks and await self._permit.confirm(question(call))
        if asks and not confirmed:
            outcome = ToolOutcome(UNCONFIRMED.format(name=call.name), ok=False)
        else:
            outcome = await self._outcome(tool, call, taint)
        if outcome.ok:
            self.done.add(call.name)
        self.is_tainted = self.is_tainted or outcome.is_untrusted
        self.has_read = self.has_read or outcome.is_untrusted
        self._seen[call.name, call.arguments, outcome.text] += 1
        await self._record(
            EventKind.TOOL_RESULT,
            f"result/{call.id}",
            call=call.id,
            name=call.name,
            ok=outcome.ok,
            text=_preview(outcome.text),
            bounded=len(outcome.text.encode()) > _LONGEST,
            is_news=outcome.ok and tool is not None and tool.spec.brings_news,
            **({"confirmed": confirmed} if asks else {}),
            **({"untrusted": True} if outcome.is_untrusted else {}),
        )
        return replace(outcome, text=_preview(outcome.text))

    async def _outcome(
        self, tool: Tool | None, call: ToolCall, taint: bool
    ) -> ToolOutcome:
        if tool is None:
            log.warning("tool_refused", turn=self._turn.id)
            told = self._bench.tools if self.offered is None else self.offered
            known = ", ".join(sorted(told)) or "none"
            name = excerpt(call.name, 64)
            return ToolOutcome(f"there is no tool {name!r}; known: {known}", False)
        scene = Scene(
            thread=self._turn.thread,
            turn=self._turn.id,
            person=self._turn.person,
            audience=self._turn.audience,
            at=self._clock(),
            op=f"tool/{self._turn.id}/{call.id}",
            words=Saying.of(self._turn).own,
            tainted=taint,
            sight=self._permit.sight,
        )
        try:
            outcome = await tool.run(call.arguments, scene)
        except ApxError as error:
            return ToolOutcome(f"failed: {error}", ok=False)
        except Exception:  # one tool's fault must not cut off those beside it
            log.exception("tool_failed", tool=call.name, turn=self._turn.id)
            return ToolOutcome("failed: a fault in the tool", ok=False)
        untrusted = outcome.is_untrusted or tool.spec.brings_untrusted
        return replace(outcome, is_untrusted=untrusted)

    async def _record(self, kind: EventKind, op: str, **body: object) -> None:
        turn = self._turn
        event = Event(
            kind=kind,
            op=f"turn/{turn.id}/{op}",
            at=self._clock(),
            body=body,
            thread=str(turn.thread),
            turn=turn.id,
            person=turn.person,
            audience=turn.audience,
        )
        await self._ledger.record(event)


def _kept(call: ToolCall) -> dict[str, str]:
    return {
        "id": call.id,
        "name": call.name,
        "arguments": _preview(call.arguments),
        "signature": call.signature,
    }


def _preview(text: str) -> str:
    return text if len(text.encode()) <= _LONGEST else bounded(text, _PREVIEW)
