"""Embeddings from Gemini, through Google's SDK."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import ProviderMisconfigured
from apx.providers import gemini
from apx.providers.client import LazyClient
from apx.providers.embedding import (
    SECONDS,
    RemoteEmbedder,
    embeddings_key,
    refusal,
)
from apx.providers.failure import Asked, transport, unreadable
from apx.providers.preparation import TITLED, preparation_of

if TYPE_CHECKING:
    from google.genai.errors import APIError
    from numpy.typing import ArrayLike

    from apx.domain.errors import ProviderError

# In the id of the quota that was exceeded; what is counted by the minute passes.
_DAILY: Final = re.compile(r"PerDay")


async def opened_gemini(
    model: str,
    *,
    api_key: str,
    base_url: str = "",
    dims: int | None = None,
    seconds: float = SECONDS,
) -> GeminiEmbedder:
    """Give the embedder of a model, or raise a `ProviderError`.

    `dims` shortens the vectors (gemini-embedding-001 gives 3072 otherwise).
    """
    embedder = GeminiEmbedder(
        model, api_key=api_key, base_url=base_url, dims=dims, seconds=seconds
    )
    return await embedder.opened()


class GeminiEmbedder(RemoteEmbedder):
    """An embedding model of Google's; see `opened_gemini`."""

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str,
        dims: int | None,
        seconds: float,
    ) -> None:
        model = model.removeprefix("models/")
        asked = Asked(
            "gemini",
            model,
            base_url or gemini.VENDOR,
            model_key=embeddings_key("gemini"),
        )
        preparation = preparation_of(model)
        # The models before the second age are told the purpose by a field instead.
        self._says_task = preparation is not TITLED
        if self._says_task:
            preparation = replace(preparation, name="retrieval")
        client = LazyClient(
            "google.genai",
            lambda: gemini.connect(asked, api_key),
            gemini.disconnect,
        )
        super().__init__(asked, preparation, client, seconds=seconds)
        self._model = model
        self._config: dict[str, Any] = {}
        if dims is not None:
            self._config["output_dimensionality"] = dims

    async def _ask(self, texts: list[str], *, query: bool) -> ArrayLike:
        import aiohttp  # noqa: PLC0415 -- with the SDK, over half a second
        from google.genai import errors, types  # noqa: PLC0415 -- as above

        contents: Any = texts
        if not self._says_task:
            # For these models strings would be the parts of a single text.
            contents = [types.Content(parts=[types.Part(text=text)]) for text in texts]
        try:
            answer = await self._client.get().client.aio.models.embed_content(
                model=self._model,
                contents=contents,
                config=types.EmbedContentConfig(**self._configured(query)),
            )
            return [item.values or [] for item in answer.embeddings or []]
        except errors.APIError as error:
            raise _told(self._asked, error) from error
        except (aiohttp.ClientError, ConnectionError) as error:
            # The SDK lets its HTTP library's errors through as they are.
            raise transport(self._asked, error) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise unreadable(self._asked, began=bool(self._dims)) from error

    def _configured(self, query: bool) -> dict[str, Any]:
        if not self._says_task:
            return self._config
        task = "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT"
        return {**self._config, "task_type": task}


def _told(asked: Asked, error: APIError) -> ProviderError:
    if _DAILY.search(str(error.details)):
        return ProviderMisconfigured(
            f"{asked.name} has used up its quota of today: wait, or change "
            f"{asked.auth_key}",
            provider=asked.name,
            key=asked.auth_key,
        )
    return refusal(asked, gemini.told(asked, error), status=error.code or 0)
