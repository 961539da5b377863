"""Owns the way of many texts to an embedder: in batches that it takes, never faster."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    TextsRefused,
)
from apx.domain.text import estimate_tokens
from apx.providers.limits import Limits, limits_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tenacity import RetryCallState

    from apx.ports import Embedder, Vectors

_ATTEMPTS: Final = 3
# What a provider asks for beyond this is for the caller's queue to wait.
_LONGEST_WAIT: Final = 30.0
_BACKOFF: Final = wait_exponential_jitter(initial=0.5, max=8.0, jitter=0.5)
_ABOUT_TEXTS: Final = (TextsRefused, ContextOverflow, ProviderRefused)
_WORD: Final = "hello"


@dataclass(frozen=True, slots=True)
class Refused:
    """In place of a vector: the embedder will not take this text."""

    reason: str


class Batches:
    """Embeds many texts with one embedder, as fast as its provider lets us.

    A refused batch is halved until the texts that are to blame stand alone; a size
    that turned out too large is remembered. What may pass is tried three times. While
    the provider asks for a pause, no call of ours begins.
    """

    def __init__(
        self,
        embedder: Embedder,
        limits: Limits | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._embedder = embedder
        self._limits = limits or limits_of(embedder.identity)
        self._items = self._limits.items
        self._gate = _Gate(sleep)
        self._room = asyncio.Semaphore(self._limits.concurrency)

    @property
    def items(self) -> int:
        """How many texts a call has at most, as far as is known by now."""
        return self._items

    async def documents(
        self,
        texts: Sequence[str],
        arrived: Callable[[int, Vectors | Refused], None] = lambda *_: None,
    ) -> list[Vectors | Refused]:
        """Embed texts, in their order, or raise the `ProviderError` that ended it.

        `arrived` hears of each text at once, so that an error loses nothing that was
        embedded before it. Several may be under way; they share what is let through.
        """
        work = _Work(texts, arrived)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._limits.concurrency):
                    group.create_task(self._labour(work))
        except ExceptionGroup as errors:
            # The first one ended all others, and says why.
            raise errors.exceptions[0] from None
        return [work.outcomes[place] for place in range(len(texts))]

    async def _labour(self, work: _Work) -> None:
        while places := self._take(work):
            await self._embed(work, places)

    def _take(self, work: _Work) -> list[int]:
        """Take the next texts that fit into one call; one always does."""
        places: list[int] = []
        size = tokens = 0
        while work.waiting and len(places) < self._items:
            text = work.texts[work.waiting[0]]
            size += len(text.encode("utf-8", "surrogatepass"))
            tokens += estimate_tokens(text)
            full = size > self._limits.bytes or tokens > self._limits.tokens
            if places and full:
                break
            places.append(work.waiting.popleft())
        return places

    async def _embed(self, work: _Work, places: list[int]) -> None:
        try:
            vectors = await self._asked([work.texts[place] for place in places])
        except _ABOUT_TEXTS as error:
            await self._halve(work, places, error)
        else:
            work.embedded(places, vectors)

    async def _halve(
        self, work: _Work, places: list[int], error: ProviderError
    ) -> None:
        if len(places) == 1:
            await self._check(work)
            work.put(places[0], Refused(str(error)))
            return
        refused = work.refused
        queue = deque(places)
        half = (len(places) + 1) // 2
        while queue:
            # The halves of the first half may have taught us more.
            many = min(half, self._items, len(queue))
            await self._embed(work, [queue.popleft() for _ in range(many)])
        if work.refused == refused:
            # Nobody was to blame but the number of them.
            self._items = max(1, min(self._items, half))

    async def _check(self, work: _Work) -> None:
        """Make sure that it was the text: a server may come to refuse everything."""
        if work.has_vectors:
            return
        try:
            await self._asked([_WORD])
        except _ABOUT_TEXTS as error:
            raise ProviderUnavailable(
                f"{error.provider} refuses every text", provider=error.provider
            ) from error
        work.has_vectors = True

    async def _asked(self, texts: list[str]) -> Vectors:
        policy = AsyncRetrying(
            retry=retry_if_exception(_may_pass),
            stop=stop_after_attempt(_ATTEMPTS),
            wait=_wait,
            sleep=self._gate.rest,
            reraise=True,
        )
        return await policy(self._once, texts)

    async def _once(self, texts: list[str]) -> Vectors:
        name = self._embedder.identity
        try:
            async with self._room:
                await self._gate.passed()
                async with asyncio.timeout(self._limits.seconds):
                    vectors = await self._embedder.documents(texts)
        except TimeoutError as error:
            raise ProviderUnavailable(
                f"{name} did not embed within {self._limits.seconds:g} s", provider=name
            ) from error
        if vectors.shape != (len(texts), self._embedder.dims):
            raise TextsRefused(f"{name} gave too few vectors", provider=name)
        return vectors


@dataclass(slots=True)
class _Work:
    """The texts of one request, by place, and what became of them."""

    texts: Sequence[str]
    arrived: Callable[[int, Vectors | Refused], None]
    outcomes: dict[int, Vectors | Refused] = field(default_factory=dict)
    waiting: deque[int] = field(init=False)
    refused: int = 0
    has_vectors: bool = False

    def __post_init__(self) -> None:
        self.waiting = deque(range(len(self.texts)))

    def embedded(self, places: Sequence[int], vectors: Vectors) -> None:
        self.has_vectors = True
        for place, vector in zip(places, vectors, strict=True):
            self.put(place, vector)

    def put(self, place: int, outcome: Vectors | Refused) -> None:
        self.refused += isinstance(outcome, Refused)
        self.outcomes[place] = outcome
        self.arrived(place, outcome)


class _Gate:
    """Is shut while a call waits for its next attempt."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._sleep = sleep
        self._resting = 0
        self._open = asyncio.Event()
        self._open.set()

    async def passed(self) -> None:
        await self._open.wait()

    async def rest(self, seconds: float) -> None:
        self._resting += 1
        self._open.clear()
        try:
            await self._sleep(seconds)
        finally:
            self._resting -= 1
            if not self._resting:
                self._open.set()


def _may_pass(error: BaseException) -> bool:
    if not isinstance(error, ProviderUnavailable) or error.refused:
        return False
    return (error.retry_after or 0.0) <= _LONGEST_WAIT


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = getattr(error, "retry_after", None)
    return _BACKOFF(state) if asked is None else float(asked)
