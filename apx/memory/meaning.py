"""Owns the vectors of questions: asked for in time, or kept for the next turn."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import ProviderError, ProviderUnavailable
from apx.memory.recall.asking import both_ends
from apx.memory.recall.search import Meaning
from apx.providers.breaker import Breaker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from apx.domain.space import Space
    from apx.ports import Embedder, Vectors

_REMEMBERED: Final = 256
# A call that outlives its turn may still help the next one, for a while; more of them
# than this are not begun. One that was given up counts until the next answer: where
# it hung in the resolver, it left a thread there, and all share a few.
_LONGEST: Final = 2.0
_AT_ONCE: Final = 4


class Meanings:
    """Embeds questions with the embedder of the space that serves.

    Callers give up at their own deadline; the call behind goes on for two seconds in
    all, then it is cancelled with its connection. Its vector is there for the next
    turn that asks the same.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._breaker = Breaker(clock)
        self._space: Space | None = None
        self._embedder: Embedder | None = None
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._calls: dict[str, asyncio.Task[Vectors | None]] = {}
        self._given_up = 0
        self._coming: asyncio.Task[None] | None = None
        self._expected_at = 0.0
        self._come: Callable[[], Coroutine[Any, Any, Embedder | None]] | None = None

    @property
    def has_embedder(self) -> bool:
        """Whether there is an embedder, be it up or down."""
        return self._embedder is not None

    @property
    def lacks_embedder(self) -> bool:
        """Whether questions are to be asked and nobody is there for them."""
        return self._is_away()

    @property
    def cannot_ask(self) -> bool:
        """Whether questions are to be asked, and their embedder is away or down."""
        return self._is_away() or self._breaker.is_open

    @property
    def state(self) -> str:
        """What went wrong last; empty when all is well."""
        return self._breaker.reason

    def use(self, space: Space, embedder: Embedder | None) -> None:
        """Ask this embedder from now on, on behalf of this space."""
        self._space, self._embedder = space, embedder
        self._breaker = Breaker(self._clock)
        self._given_up = 0
        self._come = None
        self._known.clear()
        if self._coming is not None:
            self._coming.cancel()
        for call in self._calls.values():
            call.cancel()
        self._calls = {}

    def expect(
        self, space: Space, come: Callable[[], Coroutine[Any, Any, Embedder | None]]
    ) -> None:
        """Ask whoever comes of this; the first questions wait for that too."""
        self.use(space, None)
        self._expected_at = self._clock()
        self._coming = asyncio.ensure_future(self._receive(come))

    def expect_when_asked(
        self, space: Space, come: Callable[[], Coroutine[Any, Any, Embedder | None]]
    ) -> None:
        """Send for whoever comes of this only with the first question."""
        self.use(space, None)
        self._come = come

    def send_for(self) -> None:
        """Send for whoever is expected when a question comes."""
        if self._come is not None and self._space is not None:
            self.expect(self._space, self._come)

    async def _receive(
        self, come: Callable[[], Coroutine[Any, Any, Embedder | None]]
    ) -> None:
        # Called here: who closes at once cancels this before it has begun.
        self._embedder = await come()

    async def arrived(self, seconds: float | None = None) -> None:
        """Wait until an embedder that is expected is there, or will not come."""
        if self._coming is not None and not self._coming.done():
            await asyncio.wait([self._coming], timeout=seconds)

    async def of(self, text: str) -> Meaning | None:
        """Embed a question; None if nobody can. May be cancelled at a deadline."""
        self.send_for()
        await self.arrived(max(0.0, self._expected_at + _LONGEST - self._clock()))
        text = both_ends(text)
        space, vector = self._space, await self._vector(text)
        if space is not self._space:
            # Another space serves since: the question is one for its embedder.
            space, vector = self._space, await self._vector(text)
        if vector is None or space is None or space is not self._space:
            return None
        is_hashed = space.identity.startswith("tf:")
        return Meaning(space.id, vector, space.usual, is_hashed)

    def _is_away(self) -> bool:
        """Whether nobody is there for the questions, nor sent for, nor coming."""
        if self._space is None or self._embedder is not None:
            return False
        is_coming = self._coming is not None and not self._coming.done()
        return self._come is None and not is_coming

    async def _vector(self, text: str) -> Vectors | None:
        if text in self._known:
            self._known.move_to_end(text)
            return self._known[text]
        call = self._call(text)
        return None if call is None else await _shielded(call)

    async def aclose(self) -> None:
        """Cancel what is under way."""
        work = [*self._calls.values(), *([self._coming] if self._coming else [])]
        for one in work:
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    def _call(self, text: str) -> asyncio.Task[Vectors | None] | None:
        if text in self._calls:
            return self._calls[text]
        embedder = self._embedder
        if embedder is None or self._is_busy() or not self._breaker.allows():
            return None
        call = asyncio.ensure_future(self._ask(embedder, self._breaker, text))
        self._calls[text] = call
        call.add_done_callback(lambda done: self._forget(text, done))
        return call

    def _is_busy(self) -> bool:
        # An open breaker lets a single one through, however many were given up.
        many = len(self._calls) + self._given_up
        return many >= _AT_ONCE and not self._breaker.is_open

    def _forget(self, text: str, call: asyncio.Task[Vectors | None]) -> None:
        if self._calls.get(text) is call:
            del self._calls[text]

    async def _ask(
        self, embedder: Embedder, breaker: Breaker, text: str
    ) -> Vectors | None:
        try:
            async with asyncio.timeout(_LONGEST):
                vector = await embedder.query(text)
        except TimeoutError:
            late = f"{embedder.identity} did not embed a question within {_LONGEST:g} s"
            breaker.record(ProviderUnavailable(late, provider=embedder.identity))
            self._given_up += 1
            return None
        except ProviderError as error:
            self._given_up = 0  # it answered
            breaker.record(error)
            return None
        breaker.record(None)
        self._given_up = 0
        if embedder is self._embedder:
            self._known[text] = vector
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return vector


async def _shielded(call: asyncio.Task[Vectors | None]) -> Vectors | None:
    """Wait for a call; when it was cancelled itself, there is no vector."""
    await asyncio.wait([call])
    return None if call.cancelled() else call.result()
