"""Owns what the embedders behind a connection have in common."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
    TextsRefused,
)
from apx.domain.message import Usage
from apx.domain.text import estimate_tokens
from apx.domain.usage import Account, Call, Purpose, account
from apx.providers.vectors import true_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import ArrayLike

    from apx.ports import Vectors
    from apx.providers.client import LazyClient
    from apx.providers.failure import Asked
    from apx.providers.preparation import Preparation

# Long enough for a server at home that loads its model first.
SECONDS: Final = 60.0
_WORD: Final = "hello"
_REFUSALS: Final = frozenset({400, 413, 422})


class RemoteEmbedder(ABC):
    """An embedder that asks a server; `opened` makes one that knows its dimensions."""

    def __init__(
        self,
        asked: Asked,
        preparation: Preparation,
        client: LazyClient[Any],
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._asked = asked
        self._preparation = preparation
        self._client = client
        self._seconds = seconds
        self._dims = 0
        # Before anybody counts, it was asked for one word or two: see `opened`.
        self._early: deque[Call] = deque(maxlen=4)
        self._count: Callable[[Call], None] = self._early.append
        self._tokens: int | None = None

    @property
    def identity(self) -> str:
        """`provider:model@dims`, and `+preparation` where texts are prepared."""
        model = self._asked.name.removesuffix(":latest")
        return f"{model}@{self._dims}{self._preparation.suffix}"

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return self._dims

    def counted(self, count: Callable[[Call], None]) -> None:
        """Tell of every call from now on, and of those that opened it."""
        for call in self._early:
            count(call)
        self._early.clear()
        self._count = count

    async def opened(self) -> Self:
        """Embed a word to learn the dimensions; closes itself when that fails."""
        try:
            self._dims = len(await self._first(_WORD))
        except BaseException:
            await self.aclose()
            raise
        return self

    async def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be found, one row each, or raise a `ProviderError`."""
        if not texts:
            return np.empty((0, self._dims), dtype=np.float32)
        dressed = [self._preparation.as_document(text) for text in texts]
        return await self._vectors(dressed, query=False)

    async def query(self, text: str) -> Vectors:
        """Embed a text to find others with."""
        dressed = self._preparation.as_query(text)
        vectors = await self._vectors([dressed], query=True)
        first: Vectors = vectors[0]
        return first

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    @abstractmethod
    async def _ask(self, texts: list[str], *, query: bool) -> ArrayLike:
        """Ask the server, and translate what its SDK raises."""

    async def _first(self, word: str) -> Vectors:
        """Embed a word with a server that may not be what config.json says."""
        try:
            return await self.query(word)
        except TextsRefused as error:
            raise ProviderMisconfigured(
                f"{self._asked.name} does not embed a single word: "
                f"change {self._asked.model_key}",
                provider=self._asked.name,
                key=self._asked.model_key,
            ) from error

    async def _vectors(self, texts: list[str], *, query: bool) -> Vectors:
        # The first import of an SDK is no fault of the server's.
        await self._client.load()
        try:
            async with asyncio.timeout(self._seconds):
                with self._counting(texts, query=query):
                    rows = await self._ask(texts, query=query)
        except TimeoutError as error:
            raise ProviderUnavailable(
                f"{self._asked.name} did not embed within {self._seconds:g} s",
                provider=self._asked.name,
            ) from error
        return true_vectors(rows, self._asked, count=len(texts), dims=self._dims)

    def _costs(self, tokens: int | None) -> None:
        """Note what the provider says that the call cost; the last act of `_ask`.

        It is taken at once, before another call that is under way can say its own.
        """
        self._tokens = tokens

    def _taken(self) -> int | None:
        tokens, self._tokens = self._tokens, None
        return tokens

    @contextmanager
    def _counting(self, texts: Sequence[str], *, query: bool) -> Iterator[None]:
        """Count a call; one that was given up was read, one that failed was not."""
        usage = Usage(sum(map(estimate_tokens, texts)), known=False)
        try:
            yield
        except ProviderError:
            usage = Usage()
            raise
        else:
            if (tokens := self._taken()) is not None:
                usage = Usage(tokens)
        finally:
            self._count(Call(_account(query=query), self._asked.name, usage))


def _account(*, query: bool) -> Account:
    """Tell a person's question from what is embedded behind the conversation."""
    now = account()
    if query and now.purpose is not Purpose.EMBEDDING:
        return Account(Purpose.QUESTION, now.person)
    return Account(Purpose.EMBEDDING, now.person)


def embeddings_key(engine: str) -> str:
    """Give the config key of an engine's embedding model."""
    return f"memory.embeddings.{engine}.model"


def refusal(asked: Asked, error: ProviderError, *, status: int) -> ProviderError:
    """Tell a refusal of these texts from what no other text would cure.

    A vendor's limits are known by the status alone: the words come in any language,
    and often there are none.
    """
    about_texts = isinstance(error, ContextOverflow | ProviderRefused) or (
        isinstance(error, ProviderMisconfigured)
        and error.key == asked.model_key
        and status in _REFUSALS
    )
    if not about_texts:
        return error
    return TextsRefused(
        f"{asked.name} does not take these texts ({status})", provider=asked.name
    )
