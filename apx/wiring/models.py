"""Which model answers: what config.json names, or the first engine that does."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, Self

import structlog

from apx.domain.errors import ConfigError, ProviderError
from apx.providers import choose, discover
from apx.providers.chain import Chain
from apx.providers.gemini import GeminiModel
from apx.providers.metered import Metered
from apx.providers.offline import OfflineModel
from apx.providers.ollama import OllamaModel
from apx.providers.openai import OpenAIModel
from apx.providers.windows import Measurable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from apx.config import Config
    from apx.domain.usage import Call
    from apx.ports import ChatModel

log = structlog.get_logger(__name__)

# With "auto" and no engine that answers, look again after so many seconds.
_LOOK_AGAIN: Final = 60.0


class Models:
    """Builds each model once, and keeps what is known of their failures.

    `count` hears of every call to one of them; the offline model costs nothing.
    """

    def __init__(
        self,
        config: Config,
        clock: Callable[[], float] = time.monotonic,
        *,
        count: Callable[[Call], None] = lambda _: None,
    ) -> None:
        self._config = config
        self._clock = clock
        self._count = count
        self._built: dict[str, ChatModel] = {}
        self._stack = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._usual: ChatModel | None = None
        self._looked_at = 0.0
        self._measuring: set[asyncio.Task[None]] = set()
        self.failures: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        """Nothing is contacted before the first turn."""
        await self._stack.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection; what is still being asked about is given up."""
        for task in self._measuring:
            task.cancel()
        try:
            await asyncio.gather(*self._measuring, return_exceptions=True)
        finally:
            await self._stack.__aexit__(kind, error, trace)

    async def get(self, name: str = "") -> ChatModel:
        """Give the model with this name, or the usual one; raises `ConfigError`.

        Whoever takes it will ask it: in the background it tells how much it reads.
        """
        model = await self._found(name)
        self._measure(model)
        return model

    async def among(self, names: Sequence[str]) -> ChatModel:
        """Give these models as one, and none but these; raises `ConfigError`."""
        models = [self._named(name) for name in names]
        model: ChatModel = Chain(models, observe=self._observe)
        self._measure(model)
        return model

    async def name(self) -> str:
        """Name the usual model and those behind it."""
        model = await self._found()
        return model.name

    async def _found(self, name: str = "") -> ChatModel:
        if name:
            return Chain([self._named(name)], observe=self._observe)
        async with self._lock:
            if self._usual is None or self._should_look_again():
                self._usual = await self._choose()
                self._looked_at = self._clock()
            return self._usual

    def _measure(self, model: ChatModel) -> None:
        # Not in a TaskGroup: what goes wrong here must not end the house around it.
        if isinstance(model, Measurable):
            task = asyncio.ensure_future(model.measure())
            self._measuring.add(task)
            task.add_done_callback(self._measuring.discard)

    def _should_look_again(self) -> bool:
        return (
            self._usual is not None
            and self._usual.name == "offline"
            and self._config.super_agent.model == "auto"
            and bool(self._config.configured_engines())
            and self._clock() - self._looked_at > _LOOK_AGAIN
        )

    async def _choose(self) -> ChatModel:
        agent = self._config.super_agent
        names = list(agent.fallback_models)
        if agent.model != "auto":
            names.insert(0, agent.model)
        elif found := await self._first_engine():
            names = [found, *names, "offline"]
        else:
            names.append("offline")
        if names[0] == "offline":
            # It cannot fail, and alone it needs no chain.
            return self._named("offline")
        models = [self._named(name) for name in dict.fromkeys(names)]
        return Chain(models, observe=self._observe)

    async def _first_engine(self) -> str | None:
        for engine in self._config.configured_engines():
            try:
                model = await self._first_model(engine)
            except ProviderError as error:
                self._observe(engine, error)
                continue
            if model is not None:
                return f"{engine}:{model}"
            self.failures[engine] = "has no chat model"
        return None

    async def _first_model(self, engine: str) -> str | None:
        engines = self._config.engines
        if engine == "ollama":
            names = await discover.ollama_models(engines.ollama.base_url)
            return choose.choose_ollama(names)
        if engine == "openai":
            names = await discover.openai_models(
                api_key=engines.openai.api_key, base_url=engines.openai.base_url
            )
            return choose.choose_openai(names)
        names = await discover.gemini_models(
            api_key=engines.gemini.api_key, base_url=engines.gemini.base_url
        )
        return choose.choose_gemini(names)

    def _named(self, name: str) -> ChatModel:
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def _build(self, name: str) -> ChatModel:
        provider, _, model = name.partition(":")
        engines = self._config.engines
        if name == "offline":
            return OfflineModel(self._config.user.language)
        if not model or provider not in {"ollama", "openai", "gemini"}:
            raise ConfigError(
                f"model {name!r}: write ollama:NAME, openai:NAME or gemini:NAME"
            )
        built: OllamaModel | OpenAIModel | GeminiModel
        if provider == "ollama":
            built = OllamaModel(
                model,
                base_url=engines.ollama.base_url,
                num_ctx=engines.ollama.num_ctx,
                keep_alive=engines.ollama.keep_alive,
            )
        elif provider == "openai":
            built = OpenAIModel(
                model,
                api_key=engines.openai.api_key,
                base_url=engines.openai.base_url,
                num_ctx=engines.openai.num_ctx,
                sees=engines.openai.sees_pictures,
            )
        else:
            built = GeminiModel(
                model, api_key=engines.gemini.api_key, base_url=engines.gemini.base_url
            )
        self._stack.push_async_callback(built.aclose)
        return Metered(built, self._count)

    def _observe(self, name: str, error: ProviderError | None) -> None:
        if error is None:
            self.failures.pop(name, None)
            return
        self.failures[name] = str(error)
        log.warning("model_failed", model=name, kind=type(error).__name__)
