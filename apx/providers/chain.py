"""Owns the order in which models are asked."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Final

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.message import Served
from apx.providers.retry import again, retrying
from apx.providers.windows import Measurable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.ports import ChatModel

_REST: Final = 30.0


class Chain:
    """Several models that answer as one: the first that can.

    It falls to the next model while nothing was said, when one is unavailable or
    misconfigured. It does not when one *refuses*: the person should hear that their
    question was refused, not have it carried from vendor to vendor until one takes
    it. Nor when the prompt is too long: that is for the caller to cure.

    `observe` hears of each model that failed, and, with None, of the one that answered.
    """

    def __init__(
        self,
        models: Sequence[ChatModel],
        *,
        observe: Callable[[str, ProviderError | None], None] = lambda *_: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not models:
            raise ValueError("A chain needs a model")
        self._models = tuple(models)
        self._observe = observe
        self._sleep = sleep
        self._clock = clock
        self._resting: dict[str, float] = {}
        self._was_measured = False

    @property
    def name(self) -> str:
        """The name of the model that is asked first."""
        return self._models[0].name

    @property
    def window(self) -> int:
        """The smallest window: a prompt is built before it is known who answers."""
        return min(model.window for model in self._models)

    async def measure(self) -> None:
        """Ask the first model how much it reads; called again, those behind it too.

        To ask one is to load its SDK, for up to a second. A command that is over after
        one turn should not pay that for models that it never needs.
        """
        models = self._models if self._was_measured else self._models[:1]
        self._was_measured = True
        for model in models:
            if isinstance(model, Measurable):
                await model.measure()

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        """Say which model answers, then its answer; raise when none does."""
        failures: list[tuple[str, ProviderError]] = []
        for model in self._order():
            served = False
            ask = partial(model.stream, messages, tools)
            answer = retrying(
                again(ask) if failures else ask,
                options,
                sleep=self._sleep,
                clock=self._clock,
            )
            try:
                async with aclosing(answer):
                    async for delta in answer:
                        if not served:
                            served = True
                            self._observe(model.name, None)
                            yield Served(model.name)
                        yield delta
            except ProviderError as error:
                self._failed(model.name, error)
                if served or isinstance(error, ContextOverflow | ProviderRefused):
                    raise
                failures.append((model.name, error))
            else:
                return
        raise combined(failures)

    def _order(self) -> list[ChatModel]:
        """Give those last whose address refused a moment ago."""
        now = self._clock()
        return sorted(
            self._models, key=lambda model: self._resting.get(model.name, now) > now
        )

    def _failed(self, name: str, error: ProviderError) -> None:
        if isinstance(error, ProviderUnavailable) and error.refused:
            self._resting[name] = self._clock() + _REST
        if not isinstance(error, ContextOverflow):
            self._observe(name, error)


def combined(failures: Sequence[tuple[str, ProviderError]]) -> ProviderError:
    """Make one error of several: it names each model, and is the most useful kind.

    What a person can mend comes before what may pass by itself.
    """
    if len(failures) == 1:
        return failures[0][1]
    reasons = "; ".join(_reason(name, error) for name, error in failures)
    message = f"No model could answer. {reasons}"
    for _, error in failures:
        if isinstance(error, ProviderMisconfigured):
            return ProviderMisconfigured(
                message, provider=error.provider, key=error.key
            )
    errors = [error for _, error in failures]
    waits = [
        error.retry_after
        for error in errors
        if isinstance(error, ProviderUnavailable) and error.retry_after is not None
    ]
    return ProviderUnavailable(
        message,
        provider=errors[0].provider,
        retry_after=min(waits, default=None),
        refused=all(getattr(error, "refused", False) for error in errors),
    )


def _reason(name: str, error: ProviderError) -> str:
    said = str(error)
    return said if said.startswith(name) else f"{name}: {said}"
