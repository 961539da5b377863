"""Embeddings from Ollama, on this machine or another."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from apx.domain.errors import ProviderMisconfigured, TextsRefused
from apx.providers import ollama
from apx.providers.client import LazyClient
from apx.providers.embedding import (
    SECONDS,
    RemoteEmbedder,
    embeddings_key,
    refusal,
)
from apx.providers.failure import Asked, nobody, transport, unreadable
from apx.providers.preparation import preparation_of

if TYPE_CHECKING:
    from httpx import Response
    from numpy.typing import ArrayLike
    from ollama import AsyncClient, ResponseError

    from apx.domain.errors import ProviderError

# The server fails as a whole when a model made a number that JSON does not have.
_NO_NUMBER: Final = re.compile(r"unsupported value|\bNaN\b")
_NO_EMBEDDER: Final = re.compile(r"does not support embed", re.IGNORECASE)


async def opened_ollama(
    model: str, *, base_url: str, keep_alive: str = "30m", seconds: float = SECONDS
) -> OllamaEmbedder:
    """Give the embedder of a model that Ollama has, or raise a `ProviderError`."""
    embedder = OllamaEmbedder(
        model, base_url=base_url, keep_alive=keep_alive, seconds=seconds
    )
    return await embedder.opened()


class OllamaEmbedder(RemoteEmbedder):
    """An embedding model that an Ollama server runs; see `opened_ollama`."""

    def __init__(
        self, model: str, *, base_url: str, keep_alive: str, seconds: float
    ) -> None:
        asked = Asked(
            "ollama",
            model,
            base_url,
            has_key=False,
            model_key=embeddings_key("ollama"),
        )
        client = LazyClient("ollama", lambda: _connect(base_url), ollama.disconnect)
        super().__init__(asked, preparation_of(model), client, seconds=seconds)
        self._model = model
        self._keep_alive = keep_alive

    async def _ask(self, texts: list[str], *, query: bool) -> ArrayLike:
        del query
        import httpx  # noqa: PLC0415 -- with the SDK, a third of a second
        import ollama as sdk  # noqa: PLC0415 -- as above

        try:
            answer = await self._client.get().embed(
                self._model, texts, keep_alive=self._keep_alive
            )
        except sdk.ResponseError as error:
            raise _told(self._asked, error) from error
        except ConnectionError as error:
            # The SDK's own word for a connection that was refused; it hides the cause.
            raise nobody(self._asked) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport(self._asked, error) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise unreadable(self._asked, began=bool(self._dims)) from error
        rows: ArrayLike = answer.embeddings
        self._costs(answer.prompt_eval_count)
        return rows


def _connect(base_url: str) -> AsyncClient:
    """Make a client that reads numbers five times as fast as it does by itself."""
    client = ollama.connect(base_url)
    hooks = client._client.event_hooks  # noqa: SLF001 -- the SDK has no seam for it
    client._client.event_hooks = {**hooks, "response": [_read]}  # noqa: SLF001 -- the same
    return client


async def _read(response: Response) -> None:
    from pydantic_core import from_json  # noqa: PLC0415 -- with the SDK

    await response.aread()
    response.json = partial(from_json, response.content)  # type: ignore[method-assign]  # as said above


def _told(asked: Asked, error: ResponseError) -> ProviderError:
    said = str(error.error)
    if _NO_EMBEDDER.search(said):
        return ProviderMisconfigured(
            f"{asked.name} cannot embed: change {asked.model_key}",
            provider=asked.name,
            key=asked.model_key,
        )
    if _NO_NUMBER.search(said):
        return TextsRefused(
            f"{asked.name} made no number of a text", provider=asked.name
        )
    return refusal(asked, ollama.told(asked, error), status=error.status_code)
