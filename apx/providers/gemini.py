"""Gemini, through Google's SDK."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import ProviderUnavailable
from apx.providers.answer import in_time, whole
from apx.providers.client import LazyClient
from apx.providers.failure import Asked, blocked, check_key, transport, unreadable
from apx.providers.gemini_format import (
    FAILURES,
    block_of,
    finish_of,
    to_contents,
    to_deltas,
    to_instruction,
    to_tools,
)
from apx.providers.prompt import call_ids
from apx.providers.report import Report, reported, retry_after
from apx.providers.windows import DEADLINE, Window

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from aiohttp import ClientResponse, ClientSession, TraceRequestEndParams
    from google.genai import Client
    from google.genai.errors import APIError

    from apx.domain.errors import ProviderError
    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec

VENDOR: Final = "https://generativelanguage.googleapis.com"
# What every current Gemini model reads at least.
_WINDOW: Final = 1_000_000
# The SDK's own default is v1, which lacks JSON schemas and the system text.
_API_VERSION: Final = "v1beta"
_READ_BUFFER: Final = 1 << 20  # a picture comes as one line
# The responses of the call that runs in this context.
_OPENED: Final = ContextVar["list[ClientResponse]"]("_OPENED")


class GeminiModel:
    """A model of Google's; without a `base_url` it is asked at Google's own address."""

    def __init__(self, model: str, *, api_key: str, base_url: str) -> None:
        self._model = model
        self._asked = Asked("gemini", model, base_url or VENDOR)
        self._client = LazyClient(
            "google.genai", lambda: connect(self._asked, api_key), disconnect
        )
        self._window = Window(_WINDOW)

    @property
    def name(self) -> str:
        """`gemini:model`."""
        return self._asked.name

    @property
    def window(self) -> int:
        """How much the model reads: as Google told, else as an assumption."""
        return self._window.size

    async def measure(self, deadline: float = DEADLINE) -> None:
        """Ask Google once how much the model reads."""
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

    async def _told_window(self) -> int | None:
        import aiohttp  # noqa: PLC0415 -- as below
        from google.genai import errors  # noqa: PLC0415 -- as below

        # Whoever runs this may be inside of a call, whose end closes what it opened.
        _OPENED.set([])
        try:
            models = self._client.get().client.aio.models
            return (await models.get(model=self._model)).input_token_limit
        except (errors.APIError, aiohttp.ClientError, OSError):
            return None
        except (ValueError, TypeError, AttributeError):
            return None

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> dict[str, Any]:
        config: dict[str, Any] = {"automatic_function_calling": {"disable": True}}
        if instruction := to_instruction(messages):
            config["system_instruction"] = instruction
        if tools:
            config["tools"] = to_tools(tools)
        if options.max_tokens is not None:
            config["max_output_tokens"] = options.max_tokens
        contents = to_contents(messages, self._model)
        return {"model": self._model, "contents": contents, "config": config}

    async def _deltas(self, request: dict[str, Any]) -> AsyncGenerator[Delta, None]:
        async with aclosing(self._chunks(request)) as chunks:
            async for chunk in chunks:
                for delta in to_deltas(chunk):
                    yield delta
                if why := block_of(chunk):
                    raise blocked(self._asked, why)
                if finish_of(chunk) in FAILURES:
                    raise ProviderUnavailable(
                        f"{self.name} gave up ({finish_of(chunk)})", provider=self.name
                    )

    async def _chunks(
        self, request: dict[str, Any]
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        await self._client.load()
        import aiohttp  # noqa: PLC0415 -- with the SDK, over half a second
        from google.genai import errors  # noqa: PLC0415 -- as above

        began = False
        opened: list[ClientResponse] = []
        _OPENED.set(opened)
        try:
            models = self._client.get().client.aio.models
            parts: Any = await models.generate_content_stream(**request)
            async with aclosing(parts):
                async for part in parts:
                    began = True
                    yield part.model_dump(exclude_none=True)
        except errors.APIError as error:
            raise told(self._asked, error) from error
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            # The SDK lets its HTTP library's errors through as they are.
            raise transport(self._asked, error) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise unreadable(self._asked, began=began) from error
        finally:
            # Left before its end, the SDK's stream waits for the garbage collector.
            for response in opened:
                response.close()


@dataclass(frozen=True, slots=True)
class Line:
    """A client with the session that it uses: ours, as the SDK's own warns."""

    client: Client
    session: ClientSession


def connect(asked: Asked, api_key: str) -> Line:
    """Make a client that leaves retries and deadlines to us."""
    import aiohttp  # noqa: PLC0415 -- as above
    from google import genai  # noqa: PLC0415 -- as above
    from google.genai import types  # noqa: PLC0415 -- as above

    check_key(asked, api_key)
    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(_note)
    session = aiohttp.ClientSession(
        # Many threads may stream at once; the default makes the 101st wait.
        connector=aiohttp.TCPConnector(limit=0),
        trust_env=True,
        read_bufsize=_READ_BUFFER,
        trace_configs=[trace],
    )
    client = genai.Client(
        api_key=api_key,
        vertexai=False,  # else the environment may decide
        http_options=types.HttpOptions(
            base_url=asked.base_url,
            api_version=_API_VERSION,
            # Without this, a lost connection is tried again after up to 10 s.
            retry_options=types.HttpRetryOptions(attempts=1),
            aiohttp_client=session,
        ),
    )
    return Line(client, session)


async def disconnect(line: Line) -> None:
    """Close the session, and both halves of the client; one was never used."""
    await line.client.aio.aclose()
    line.client.close()
    await line.session.close()


def told(asked: Asked, error: APIError) -> ProviderError:
    """Give our error for the SDK's."""
    headers = getattr(error.response, "headers", None) or {}
    wait = retry_after(headers)
    if wait is None:
        wait = _retry_info(error.details)
    text = f"{error.message} {_reasons(error.details)}"
    return reported(asked, Report(error.code or 0, error.status or "", text, wait))


async def _note(
    _session: object, _context: object, params: TraceRequestEndParams
) -> None:
    _OPENED.get([]).append(params.response)


def _retry_info(details: object) -> float | None:
    """Find `retryDelay`, such as `32s`, where Google puts what a header could say."""
    for detail in _details(details):
        delay = str(detail.get("retryDelay") or "")
        if delay.endswith("s"):
            return retry_after({"retry-after": delay[:-1]})
    return None


def _reasons(details: object) -> str:
    return " ".join(str(detail.get("reason") or "") for detail in _details(details))


def _details(told_by_google: object) -> list[Mapping[str, Any]]:
    if not isinstance(told_by_google, Mapping):
        return []
    error = told_by_google.get("error") or told_by_google
    found = error.get("details") if isinstance(error, Mapping) else None
    listed = found if isinstance(found, list) else []
    return [detail for detail in listed if isinstance(detail, Mapping)]
