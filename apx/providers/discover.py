"""Owns the question which models an engine has."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from apx.domain.errors import ProviderUnavailable
from apx.providers import gemini, ollama, openai
from apx.providers.client import LazyClient
from apx.providers.failure import Asked, nobody, transport, unreadable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

# Seconds for a list; the start of the program waits for it.
_DEADLINE: Final = 2.0
_KNOCK: Final = 0.3


async def ollama_models(base_url: str, *, deadline: float = _DEADLINE) -> list[str]:
    """Give the installed models, as Ollama lists them."""
    asked = Asked("ollama", base_url=base_url, has_key=False)
    await _knock(asked)
    client = LazyClient("ollama", lambda: ollama.connect(base_url), ollama.disconnect)
    await client.load()
    import httpx  # noqa: PLC0415 -- with the SDK, a third of a second
    import ollama as sdk  # noqa: PLC0415 -- as above

    try:
        async with _in_time(asked, client, deadline):
            listed = await client.get().list()
            return [model.model for model in listed.models if model.model]
    except sdk.ResponseError as error:
        raise ollama.told(asked, error) from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise transport(asked, error) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise unreadable(asked, began=False) from error


async def openai_models(
    *, api_key: str, base_url: str, deadline: float = _DEADLINE
) -> list[str]:
    """Give the models of OpenAI, or of the server that speaks as it does."""
    asked = Asked("openai", base_url=base_url or openai.VENDOR)
    client = LazyClient(
        "openai", lambda: openai.connect(asked, api_key), openai.disconnect
    )
    await client.load()
    import openai as sdk  # noqa: PLC0415 -- the SDK costs 0.6 s to import

    try:
        async with _in_time(asked, client, deadline):
            return [model.id async for model in client.get().models.list()]
    except sdk.APIError as error:
        raise openai.told(asked, error) from error
    except (ValueError, TypeError, AttributeError, sdk.OpenAIError) as error:
        raise unreadable(asked, began=False) from error


async def gemini_models(
    *, api_key: str, base_url: str, deadline: float = _DEADLINE
) -> list[str]:
    """Give Google's models that answer prompts."""
    asked = Asked("gemini", base_url=base_url or gemini.VENDOR)
    client = LazyClient(
        "google.genai", lambda: gemini.connect(asked, api_key), gemini.disconnect
    )
    await client.load()
    import aiohttp  # noqa: PLC0415 -- with the SDK, over half a second
    from google.genai import errors  # noqa: PLC0415 -- as above

    try:
        async with _in_time(asked, client, deadline):
            pages = await client.get().client.aio.models.list()
            return [
                (model.name or "").removeprefix("models/")
                async for model in pages
                if "generateContent" in (model.supported_actions or ())
            ]
    except errors.APIError as error:
        raise gemini.told(asked, error) from error
    except (aiohttp.ClientError, OSError) as error:
        raise transport(asked, error) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise unreadable(asked, began=False) from error


@asynccontextmanager
async def _in_time(
    asked: Asked, client: LazyClient[Any], seconds: float
) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise ProviderUnavailable(
            f"{asked.name} did not list its models within {seconds:g} s",
            provider=asked.name,
        ) from error
    finally:
        await client.aclose()


async def _knock(asked: Asked) -> None:
    """Raise if nobody listens on this machine; that is cheaper than the import."""
    try:
        address = urlsplit(asked.base_url)
        port = address.port or (443 if address.scheme == "https" else 80)
    except ValueError as error:
        raise unreadable(asked, began=False) from error
    host = address.hostname or ""
    if not _is_here(host):
        return
    try:
        async with asyncio.timeout(_KNOCK):
            _, writer = await asyncio.open_connection(host, port)
    except OSError as error:
        raise nobody(asked) from error
    writer.close()


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
