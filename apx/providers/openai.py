"""OpenAI, and every server that speaks its chat completions."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from apx.domain.errors import ProviderUnavailable
from apx.providers.answer import in_time, whole
from apx.providers.client import LazyClient
from apx.providers.failure import Asked, blocked, check_key, transport, unreadable
from apx.providers.openai_format import Reading, to_messages, to_tools
from apx.providers.prompt import call_ids, unseen
from apx.providers.report import Report, reported, retry_after
from apx.providers.windows import DEADLINE, Window, in_list, in_props

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from openai import APIError, AsyncOpenAI

    from apx.domain.errors import ProviderError
    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec

VENDOR: Final = "https://api.openai.com/v1"
# What the vendor documents for the models of the gpt-4o age; later ones have more,
# and what stands behind another address says itself when it is full.
_WINDOW: Final = 128_000
_CONNECT: Final = 10.0
_ERROR_STATUSES: Final = range(400, 600)


class OpenAIModel:
    """A model behind OpenAI's protocol; without a `base_url` it is OpenAI's own."""

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str,
        num_ctx: int = 0,
        sees: bool = True,
    ) -> None:
        self._model = model
        self._sees = sees
        self._asked = Asked("openai", model, base_url or VENDOR)
        self._client = LazyClient(
            "openai",
            lambda: connect(self._asked, api_key),
            disconnect,
        )
        # Who wrote a size into config.json is believed, and nobody is asked.
        self._window = Window(num_ctx or _WINDOW)
        self._asks = not num_ctx and self._asked.base_url != VENDOR

    @property
    def name(self) -> str:
        """`openai:model`."""
        return self._asked.name

    @property
    def window(self) -> int:
        """How much the model reads: as config or its server says, else assumed."""
        return self._window.size

    async def measure(self, deadline: float = DEADLINE) -> None:
        """Ask the server once how much the model reads; OpenAI itself does not tell."""
        if self._asks:
            await self._window.measure(self._client, self._told_window, deadline)

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        """Answer a prompt piece by piece, or raise a `ProviderError`."""
        deltas = self._deltas(self._request(messages, tools, options))
        answer = whole(deltas, self._asked, call_ids(messages))
        return in_time(answer, options.deadline, self._asked)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _told_window(self) -> int:
        import openai  # noqa: PLC0415 -- as below

        try:
            client = self._client.get()
            models = (await client.models.list()).data
            # A server of one model answers with that, whatever it was asked for.
            alone = len(models) == 1
            ours = [model for model in models if alone or model.id == self._model]
            told = in_list(ours[0].model_dump(warnings=False)) if ours else 0
            if told or len(models) > 1:
                return told
            root = self._asked.base_url.rstrip("/").removesuffix("/v1")
            return in_props(await client.get(f"{root}/props", cast_to=object))
        except (ValueError, TypeError, AttributeError, openai.OpenAIError):
            return 0

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> dict[str, Any]:
        shown = messages if self._sees else unseen(messages)
        request: dict[str, Any] = {
            "model": self._model,
            "messages": to_messages(shown),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if tools:
            request["tools"] = to_tools(tools)
        if options.max_tokens is not None:
            # OpenAI's newer models reject the old word, other servers the new one.
            own = self._asked.base_url == VENDOR
            word = "max_completion_tokens" if own else "max_tokens"
            request[word] = options.max_tokens
        return request

    async def _deltas(self, request: dict[str, Any]) -> AsyncGenerator[Delta, None]:
        reading = Reading()
        try:
            async with aclosing(self._chunks(request)) as chunks:
                async for chunk in chunks:
                    for delta in reading.take(chunk):
                        yield delta
                    if reading.blocked:
                        raise blocked(self._asked, reading.blocked)
        except ProviderUnavailable:
            # After the finish all is said; some servers close without a goodbye.
            if reading.finish is None:
                raise
        for delta in reading.rest():
            yield delta

    async def _chunks(
        self, request: dict[str, Any]
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        await self._client.load()
        import openai  # noqa: PLC0415 -- the SDK costs 0.6 s to import

        began = False
        try:
            client = self._client.get()
            async with await client.chat.completions.create(**request) as parts:
                # A web page with status 200 is to the SDK a stream of no events.
                kind = parts.response.headers.get("content-type", "")
                async for part in parts:
                    began = True
                    yield part.model_dump(warnings=False)
        except openai.APIError as error:
            raise told(self._asked, error) from error
        except (ValueError, TypeError, AttributeError, openai.OpenAIError) as error:
            raise unreadable(self._asked, began=began) from error
        if not began and "event-stream" not in kind:
            raise unreadable(self._asked, began=False)


def connect(asked: Asked, api_key: str) -> AsyncOpenAI:
    """Make a client that leaves retries and deadlines to us."""
    import openai  # noqa: PLC0415 -- as above

    # A port that is none is a ValueError here, and in the SDK's library no such thing.
    _ = urlsplit(asked.base_url).port
    if asked.base_url == VENDOR or api_key:
        check_key(asked, api_key)
    return openai.AsyncOpenAI(
        # A server at home often wants no key, but the SDK does.
        api_key=api_key or "none",
        base_url=asked.base_url,
        max_retries=0,
        timeout=openai.Timeout(None, connect=_CONNECT),
    )


async def disconnect(client: AsyncOpenAI) -> None:
    """Close a client's connections."""
    await client.close()


def told(asked: Asked, error: APIError) -> ProviderError:
    """Give our error for the SDK's, whether a status, a stream or a socket said it."""
    import openai  # noqa: PLC0415 -- as above

    if isinstance(error, openai.APIConnectionError):
        return transport(asked, error)
    code = error.code or error.type or ""
    status, wait = 0, None
    if isinstance(error, openai.APIStatusError):
        status, wait = error.status_code, retry_after(error.response.headers)
    elif code.isdigit() and int(code) in _ERROR_STATUSES:
        status = int(code)  # OpenRouter puts the status into the stream's error
    return reported(asked, Report(status, code, error.message, wait, error.body))
