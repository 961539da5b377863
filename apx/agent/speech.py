"""One reply of a model: shown while it grows, its beginning kept in the log."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.agent.resting import rested, settled
from apx.domain.echo import Sieve
from apx.domain.event import Event, EventKind
from apx.domain.message import (
    NO_USAGE,
    Finish,
    FinishReason,
    Reply,
    Served,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.domain.secrets import mask
from apx.store.log import ANEW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.agent.run import Run
    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.ports import ChatModel, Clock, LiveReply
    from apx.store.ledger import Ledger

# Sentences that were shown are in the log this many seconds later; one that has no end
# yet, when nothing came for so many of these windows.
_WINDOW: Final = 0.5
_AT_REST: Final = 2
# A model that says nothing for so many seconds is probably being loaded.
PATIENCE: Final = 5.0


class Speech:
    """What a turn's person sees and what of it a crash would leave.

    What a model only repeats of its prompt is in neither.
    """

    def __init__(
        self,
        run: Run,
        live: LiveReply,
        ledger: Ledger,
        clock: Clock,
        patience: float = PATIENCE,
    ) -> None:
        self._run = run
        self.live = live
        self._ledger = ledger
        self._clock = clock
        self._patience = patience
        self._shown: list[str] = []
        self._written = ""
        self._end = 0
        self._looked = 0
        self._still = 0
        self._flushes = 0
        self._timer: asyncio.TimerHandle | None = None
        self.model = ""

    async def hear(
        self,
        model: ChatModel,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        options: Options,
    ) -> Reply:
        """Stream a reply to the person; give it whole."""
        self.model = self.model or model.name
        loop = asyncio.get_running_loop()
        waiting = f"waiting for {model.name}: it may be loading"
        timer = loop.call_later(self._patience, self.live.notice, waiting)
        heard = _Heard()
        try:
            # Closed at once when the turn is cut: nobody pays for what nobody hears.
            async with aclosing(model.stream(messages, tools, options)) as stream:
                async for delta in stream:
                    if not isinstance(delta, Served):
                        timer.cancel()
                    self._take(heard, delta)
        finally:
            timer.cancel()
        self._say(heard, heard.sieve.end())
        return heard.reply()

    def works(self, reply: Reply) -> None:
        """Tell the person which tools are at work."""
        self.live.work(list(dict.fromkeys(call.name for call in reply.calls)))

    def tell(self, text: str) -> None:
        """Say what the person who waits should know."""
        self.live.notice(text)

    async def flush(self) -> None:
        """Write what was shown since the last time into the log."""
        if event := self._output("".join(self._shown)):
            await self._ledger.record(event)

    def close(self) -> None:
        """Write nothing more: the turn's end holds all of it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take(self, heard: _Heard, delta: Delta) -> None:
        match delta:
            case TextDelta(text):
                self._say(heard, heard.sieve.take(text))
            case ToolCall():
                heard.calls.append(delta)
            case Usage():
                heard.usage += delta
            case Finish(reason):
                heard.reason = reason
            case Served(name):
                self.model = name

    def _say(self, heard: _Heard, text: str) -> None:
        if text:
            heard.texts.append(text)
            self._show(text)

    def _show(self, text: str) -> None:
        self._run.close()
        self.live.show(text)
        self._shown.append(text)
        self._look_again()

    def _flush_soon(self) -> None:
        has_grown = len(self._shown) > self._looked
        self._looked = len(self._shown)
        self._still = 0 if has_grown else self._still + 1
        is_at_rest = self._still >= _AT_REST
        said = "".join(self._shown)
        look = rested if is_at_rest else settled
        if event := self._output(said[: look(said, self._end)]):
            self._ledger.record_soon(event)
        if not is_at_rest:
            self._look_again()

    def _look_again(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_WINDOW, self._flush_soon)

    def _output(self, said: str) -> Event | None:
        """Make the event of what was shown so far and is not written.

        More words may show that what was written was a part of a password, or was
        none: then all of it is written anew, and the log drops what it had.
        """
        self.close()
        safe, before = mask(said), self._written
        self._end, self._written = len(said), safe
        if safe == before:
            return None
        is_more = safe.startswith(before)
        body = {"text": safe[len(before) :]} if is_more else {"text": safe, ANEW: True}
        self._flushes += 1
        turn = self._run.turn
        return Event(
            kind=EventKind.OUTPUT,
            op=f"output/{turn.id}/{self._flushes}",
            at=self._clock(),
            body=body,
            thread=str(turn.thread),
            turn=turn.id,
            person=turn.person,
            audience=turn.audience,
        )


@dataclass(slots=True)
class _Heard:
    """A reply as it grows."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage = NO_USAGE
    reason: FinishReason = FinishReason.STOP
    sieve: Sieve = field(default_factory=Sieve)

    def reply(self) -> Reply:
        return Reply("".join(self.texts), tuple(self.calls), self.usage, self.reason)
