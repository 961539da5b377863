"""Brings vectors up to date on demand, and says how far that is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import ApxError

if TYPE_CHECKING:
    from apx.memory.indexer import Indexer
    from apx.memory.recall.engine import Engine
    from apx.memory.spaces import Spaces


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted: everything anew, or from another provider than the usual one."""

    full: bool = False
    provider: str = ""


# US dollars for a million tokens, as the vendors listed them in November 2026; the
# person sees them as an estimate.
_PRICES: Final = {
    "openai:text-embedding-3-small": 0.02,
    "openai:text-embedding-3-large": 0.13,
    "gemini:gemini-embedding-001": 0.15,
}


class Reindexing:
    """One run at a time; it goes on when nobody watches, until apx ends."""

    def __init__(self, spaces: Spaces, indexer: Indexer, engine: Engine) -> None:
        self._spaces = spaces
        self._indexer = indexer
        self._engine = engine
        self._work: asyncio.Task[None] | None = None
        self._done = 0

    async def estimate(self, wish: Wish) -> dict[str, Any]:
        """Say what a run would embed, without asking anybody for a vector of it."""
        await self._indexer.catch_up()
        need = await self._spaces.need(wish.provider, anew=wish.full)
        price = _PRICES.get(need.identity.partition("@")[0])
        return {
            "identity": need.identity,
            "chunks": need.chunks,
            "tokens": need.tokens,
            "failures": self._spaces.failures,
            "dollars": None if price is None else round(need.tokens / 1e6 * price, 4),
        }

    async def start(self, wish: Wish) -> None:
        """Begin a run; a run of another provider that is under way gives way."""
        if self.is_running and not wish.full and not wish.provider:
            return
        await self._spaces.interrupt()
        await self.aclose()
        self._spaces.wish(wish.provider, anew=wish.full)
        self._done = 0
        self._work = asyncio.ensure_future(self._run())

    async def stop(self) -> None:
        """End a run for good: nobody goes on with it in the background."""
        self._spaces.take_back()
        await self._spaces.interrupt()
        await self.aclose()

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self._work is not None and not self._work.done()

    async def state(self) -> dict[str, Any]:
        """Say how far everything is."""
        return {
            "running": self.is_running,
            "embedded": self._done,
            "trouble": self._failure() or self._spaces.trouble,
        }

    def _failure(self) -> str:
        """Say why the last run broke off; nobody else hears of it."""
        work = self._work
        if work is None or not work.done() or work.cancelled():
            return ""
        error = work.exception()
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if error is None or isinstance(error, ApxError):
            return str(error or "")
        return f"{type(error).__name__}: a fault in apx"

    async def aclose(self) -> None:
        """End a run; what it did so far stays."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait([self._work])

    async def _run(self) -> None:
        await self._indexer.catch_up()
        await self._spaces.fill(self._count)
        await self._engine.save()

    def _count(self, many: int) -> None:
        self._done += many
