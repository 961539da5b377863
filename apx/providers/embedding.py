"""Owns what the embedders behind a connection have in common."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
    TextsRefused,
)
from apx.providers.vectors import true_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from apx.domain.errors import ProviderError
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

    @property
    def identity(self) -> str:
        """`provider:model@dims`, and `+preparation` where texts are prepared."""
        model = self._asked.name.removesuffix(":latest")
        return f"{model}@{self._dims}{self._preparation.suffix}"

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return self._dims

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
                rows = await self._ask(texts, query=query)
        except TimeoutError as error:
            raise ProviderUnavailable(
                f"{self._asked.name} did not embed within {self._seconds:g} s",
                provider=self._asked.name,
            ) from error
        return true_vectors(rows, self._asked, count=len(texts), dims=self._dims)


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
