"""Models that follow a script, and a clock that follows the sleeper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
)
from apx.domain.message import (
    Delta,
    Finish,
    FinishReason,
    Message,
    Options,
    TextDelta,
    Usage,
)
from apx.providers.chain import Chain

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from apx.domain.tool import ToolSpec

ANSWER: tuple[Delta, ...] = (TextDelta("hi"), Usage(), Finish(FinishReason.STOP))


@dataclass
class Scripted:
    """A model that says or raises what its script holds, then answers."""

    name: str
    script: list[Delta | ProviderError | list[Delta | ProviderError]]
    window: int = 1000
    cost: float = 0.0
    clock: Clockwork | None = None
    deadlines: list[float] = field(default_factory=list)

    async def stream(
        self, _messages: Sequence[Message], _tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        self.deadlines.append(options.deadline)
        if self.clock:
            self.clock.now += self.cost
        step = self.script.pop(0) if self.script else list(ANSWER)
        for part in step if isinstance(step, list) else [step]:
            if isinstance(part, ProviderError):
                raise part
            yield part


@dataclass
class Clockwork:
    """Time that passes only when somebody sleeps."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Board:
    """What the observer heard."""

    seen: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, model: str, problem: ProviderError | None) -> None:
        self.seen.append((model, str(problem or "")))


def away(text: str = "away", wait: float | None = None) -> ProviderUnavailable:
    return ProviderUnavailable(text, provider="x", retry_after=wait)


def refused() -> ProviderUnavailable:
    return ProviderUnavailable("refused", provider="x", refused=True)


def wrong(text: str = "wrong", key: str = "engines.openai.api_key") -> ProviderError:
    return ProviderMisconfigured(text, provider="x", key=key)


def chained(*models: Scripted, board: Board | None = None) -> tuple[Chain, Clockwork]:
    clock = Clockwork()
    for model in models:
        model.clock = clock
    observe = board or Board()
    return Chain(models, observe=observe, sleep=clock.sleep, clock=clock), clock
