"""Counts the calls of a chat model where they leave, each attempt once."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.domain.budget import cost, tools_cost
from apx.domain.errors import ProviderError, ProviderRefused
from apx.domain.message import TextDelta, ToolCall, Usage
from apx.domain.text import estimate_tokens
from apx.domain.usage import Call, account
from apx.providers.windows import Measurable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.domain.usage import Account
    from apx.ports import ChatModel


class Metered:
    """A chat model of which every call is counted, however it ends."""

    def __init__(self, model: ChatModel, count: Callable[[Call], None]) -> None:
        self._model = model
        self._count = count

    @property
    def name(self) -> str:
        """`provider:model`, as config.json writes it."""
        return self._model.name

    @property
    def window(self) -> int:
        """How many tokens prompt and reply may have together."""
        return self._model.window

    async def measure(self) -> None:
        """Ask the model how much it reads, where it can be asked."""
        if isinstance(self._model, Measurable):
            await self._model.measure()

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        """Answer a prompt piece by piece, or raise a `ProviderError`."""
        # Whose call it is must be known now: the generator runs in its reader's place.
        return self._counted(account(), messages, tools, options)

    async def _counted(
        self,
        whose: Account,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        options: Options,
    ) -> AsyncGenerator[Delta, None]:
        heard = _Heard()
        stream = self._model.stream(messages, tools, options)
        try:
            async with aclosing(stream):
                async for delta in stream:
                    heard.take(delta)
                    yield delta
        except ProviderError as error:
            heard.fail(error)
            raise
        finally:
            # Also for who leaves in the middle: what was sent and made is paid for.
            usage = heard.usage(messages, tools)
            self._count(Call(whose, self.name, usage))


@dataclass(slots=True)
class _Heard:
    """What came of a call so far."""

    told: Usage | None = None
    said: list[str] = field(default_factory=list)
    is_free: bool = False

    def take(self, delta: Delta) -> None:
        match delta:
            case TextDelta(text):
                self.said.append(text)
            case ToolCall():
                self.said.append(delta.name + delta.arguments)
            case Usage():
                self.told = delta

    def fail(self, error: ProviderError) -> None:
        """Note whether a failure costs: who could not begin is not paid.

        One that was too slow, that would not say what it had made, or that made
        nothing of its answer had read the prompt all the same.
        """
        self.told = self.told or error.usage
        is_late = isinstance(error.__cause__, TimeoutError)
        has_read = is_late or isinstance(error, ProviderRefused)
        self.is_free = not (self.said or self.told or has_read)

    def usage(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Usage:
        """Give what the provider told, else what is likely."""
        if self.is_free:
            return Usage()
        told = self.told or Usage(known=False)
        if told.known:
            return told
        return Usage(
            told.prompt or cost(messages) + tools_cost(tools),
            told.completion or estimate_tokens("".join(self.said)),
            told.cached,
            known=False,
        )
