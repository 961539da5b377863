"""Ollama, on this machine or another."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from apx.domain.message import Finish, FinishReason, TextDelta, ToolCall, Usage
from apx.providers.answer import in_time, whole
from apx.providers.client import LazyClient
from apx.providers.failure import Asked, overflow, transport, unreadable
from apx.providers.ollama_format import to_deltas, to_messages, to_tools
from apx.providers.openai_format import opened_once
from apx.providers.prompt import call_ids, unseen
from apx.providers.report import Report, reported, retry_after
from apx.providers.windows import DEADLINE, Window, in_show

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from ollama import AsyncClient, ResponseError

    from apx.domain.errors import ProviderError
    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec

# Seconds to connect; then no limit but the call's own, as loading a model from a
# slow disk takes minutes before the first header.
_TIMEOUT: Final = (10.0, None, None, None)


class OllamaModel:
    """A model that an Ollama server runs."""

    def __init__(
        self, model: str, *, base_url: str, num_ctx: int, keep_alive: str
    ) -> None:
        self._model = model
        self._asked = Asked("ollama", model, base_url, has_key=False)
        self._num_ctx = num_ctx
        self._keep_alive = keep_alive
        self._client = LazyClient("ollama", lambda: connect(base_url), disconnect)
        self._window = Window(num_ctx)
        self._sees = True

    @property
    def name(self) -> str:
        """`ollama:model`."""
        return self._asked.name

    @property
    def window(self) -> int:
        """The context that every call asks for, or less if the model reads less."""
        return self._window.size

    async def measure(self, deadline: float = DEADLINE) -> None:
        """Ask the server once how much the model can read."""
        await self._window.measure(self._client, self._told_window, deadline)

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        """Answer a prompt piece by piece, or raise a `ProviderError`."""
        deltas = self._deltas(messages, tools, options)
        answer = whole(deltas, self._asked, call_ids(messages))
        return in_time(answer, options.deadline, self._asked)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _told_window(self) -> int:
        import httpx  # noqa: PLC0415 -- as below
        import ollama  # noqa: PLC0415 -- as below

        try:
            shown = await self._client.get().show(self._model)
            # Servers of before 2025 do not say; then the pictures are sent.
            able = shown.capabilities or ["vision"]
            self._sees = "vision" in able
            return min(in_show(shown.modelinfo or {}), self._num_ctx)
        except (ollama.ResponseError, httpx.HTTPError, httpx.InvalidURL, OSError):
            return 0
        except (ValueError, TypeError, AttributeError):
            return 0

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> dict[str, Any]:
        # Without num_ctx the server cuts the beginning of the prompt off at its own
        # small default, and says nothing. It is the same for all calls, as another
        # number has the model loaded anew.
        limits = {"num_ctx": self._num_ctx}
        if options.max_tokens is not None:
            limits["num_predict"] = options.max_tokens
        if not self._sees:
            messages = unseen(messages)
        return {
            "model": self._model,
            "messages": to_messages(opened_once(messages)),
            "tools": to_tools(tools),
            "options": limits,
            "keep_alive": self._keep_alive,
        }

    async def _deltas(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        said, usage = False, Usage()
        if any(message.images for message in messages):
            await self.measure()
        request = self._request(messages, tools, options)
        async with aclosing(self._chunks(request)) as chunks:
            async for chunk in chunks:
                for delta in to_deltas(chunk):
                    if isinstance(delta, Usage):
                        usage = delta
                    elif isinstance(delta, Finish):
                        self._check_room(delta, usage, said=said)
                    said = said or isinstance(delta, TextDelta | ToolCall)
                    yield delta

    def _check_room(self, finish: Finish, usage: Usage, *, said: bool) -> None:
        # The prompt left no room to answer in, which Ollama reports as a mere length.
        full = usage.prompt + usage.completion >= self.window
        if finish.reason is FinishReason.LENGTH and full and not said:
            raise overflow(self._asked)

    async def _chunks(
        self, request: dict[str, Any]
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        await self._client.load()
        import httpx  # noqa: PLC0415 -- with the SDK, a third of a second
        import ollama  # noqa: PLC0415 -- as above

        began = False
        try:
            client = self._client.get()
            parts: Any = await client.chat(stream=True, **request)
            async with aclosing(parts):
                async for part in parts:
                    began = True
                    yield part.model_dump()
        except ollama.ResponseError as error:
            raise told(self._asked, error) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise transport(self._asked, error) from error
        except (ValueError, TypeError, AttributeError) as error:
            # The SDK trusts each line to be an object of Ollama's; a web page is not.
            raise unreadable(self._asked, began=began) from error


def connect(base_url: str) -> AsyncClient:
    """Make a client; its own patience never ends before ours."""
    import ollama  # noqa: PLC0415 -- as above

    return ollama.AsyncClient(base_url, timeout=_TIMEOUT)


async def disconnect(client: AsyncClient) -> None:
    """Close a client's connections."""
    await client.close()  # type: ignore[no-untyped-call]  # as the SDK has it


def told(asked: Asked, error: ResponseError) -> ProviderError:
    """Give our error for Ollama's; the SDK marks one inside a stream with -1."""
    # The SDK hides the response, and with it how long to wait.
    response = getattr(error.__context__, "response", None)
    wait = retry_after(response.headers) if response is not None else None
    report = Report(max(error.status_code, 0), "", str(error.error), wait)
    return reported(asked, report)
