"""One reply of a model: shown while it grows, its beginning kept in the log."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.event import Event, EventKind
from apx.domain.message import Finish, Reply, Served, TextDelta, ToolCall, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.agent.run import Run
    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.ports import ChatModel, Clock, LiveReply
    from apx.store.ledger import Ledger

# What was shown is in the log at most this many seconds later.
_WINDOW: Final = 0.5
# A model that says nothing for so many seconds is probably being loaded.
PATIENCE: Final = 5.0


class Speech:
    """What a turn's person sees and what of it a crash would leave."""

    def __init__(
        self,
        run: Run,
        live: LiveReply,
        ledger: Ledger,
        clock: Clock,
        patience: float = PATIENCE,
    ) -> None:
        self._run = run
        self._live = live
        self._ledger = ledger
        self._clock = clock
        self._patience = patience
        self._unwritten = ""
        self._flushes = 0
        self._flushed_at = 0.0
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
        timer = loop.call_later(self._patience, self._live.notice, waiting)
        reply = Reply()
        try:
            # Closed at once when the turn is cut: nobody pays for what nobody hears.
            async with aclosing(model.stream(messages, tools, options)) as stream:
                async for delta in stream:
                    if not isinstance(delta, Served):
                        timer.cancel()
                    reply = await self._take(reply, delta)
        finally:
            timer.cancel()
        return reply

    def works(self, reply: Reply) -> None:
        """Tell the person which tools are at work."""
        self._live.work(list(dict.fromkeys(call.name for call in reply.calls)))

    async def flush(self) -> None:
        """Write what was shown since the last time into the log."""
        if not self._unwritten:
            return
        text, self._unwritten = self._unwritten, ""
        self._flushes += 1
        turn = self._run.turn
        event = Event(
            kind=EventKind.OUTPUT,
            op=f"output/{turn.id}/{self._flushes}",
            at=self._clock(),
            body={"text": text},
            thread=str(turn.thread),
            turn=turn.id,
            person=turn.person,
            audience=turn.audience,
        )
        await self._ledger.record(event)

    async def _take(self, reply: Reply, delta: Delta) -> Reply:
        match delta:
            case TextDelta(text):
                await self._show(text)
                return replace(reply, text=reply.text + text)
            case ToolCall():
                return replace(reply, calls=(*reply.calls, delta))
            case Usage():
                return replace(reply, usage=reply.usage + delta)
            case Finish(reason):
                return replace(reply, reason=reason)
            case Served(name):
                self.model = name
                return reply

    async def _show(self, text: str) -> None:
        self._run.close()
        self._live.show(text)
        self._unwritten += text
        now = asyncio.get_running_loop().time()
        if now - self._flushed_at >= _WINDOW:
            self._flushed_at = now
            await self.flush()
