"""Embeddings from OpenAI, and from every server that speaks as it does."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from apx.domain.errors import TextsRefused
from apx.providers import openai
from apx.providers.client import LazyClient
from apx.providers.embedding import (
    SECONDS,
    RemoteEmbedder,
    embeddings_key,
    refusal,
)
from apx.providers.failure import Asked, unreadable
from apx.providers.preparation import preparation_of
from apx.providers.vectors import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from apx.ports import Vectors

_UNREADABLE: Final = (ValueError, TypeError, AttributeError, LookupError)
_PLAIN: Final = {"encoding_format": "float"}


async def opened_openai(
    model: str,
    *,
    api_key: str,
    base_url: str = "",
    dims: int | None = None,
    seconds: float = SECONDS,
) -> OpenAIEmbedder:
    """Give the embedder of a model, or raise a `ProviderError`.

    `dims` shortens the vectors of models that can do so (text-embedding-3-...).
    """
    embedder = OpenAIEmbedder(
        model, api_key=api_key, base_url=base_url, dims=dims, seconds=seconds
    )
    return await embedder.opened()


class OpenAIEmbedder(RemoteEmbedder):
    """An embedding model behind OpenAI's protocol; see `opened_openai`."""

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str,
        dims: int | None,
        seconds: float,
    ) -> None:
        asked = Asked(
            "openai",
            model,
            base_url or openai.VENDOR,
            model_key=embeddings_key("openai"),
        )
        client = LazyClient(
            "openai", lambda: openai.connect(asked, api_key), openai.disconnect
        )
        super().__init__(asked, preparation_of(model), client, seconds=seconds)
        # The SDK asks for base64 by itself, which is a third of the bytes.
        self._request: dict[str, Any] = {"model": model}
        if dims is not None:
            self._request["dimensions"] = dims

    async def _first(self, word: str) -> Vectors:
        try:
            return await self.query(word)
        except TextsRefused:
            # Some servers know no base64, and reject the request for it.
            self._request |= _PLAIN
        return await super()._first(word)

    async def _ask(self, texts: list[str], *, query: bool) -> ArrayLike:
        del query
        import openai as sdk  # noqa: PLC0415 -- the SDK costs 0.6 s to import

        try:
            # The SDK's own reading makes an object of each number, and the loop waits.
            embeddings = self._client.get().embeddings.with_raw_response
            # And its writing goes through each text several times; what is in the extra
            # body it leaves alone.
            answer = await embeddings.create(
                input="", extra_body={"input": texts}, **self._request
            )
            told = json.loads(answer.content)
            self._costs((told.get("usage") or {}).get("prompt_tokens"))
            return _rows(told["data"])
        except sdk.APIError as error:
            status = error.status_code if isinstance(error, sdk.APIStatusError) else 0
            told = openai.told(self._asked, error)
            raise refusal(self._asked, told, status=status) from error
        except (*_UNREADABLE, sdk.OpenAIError) as error:
            raise unreadable(self._asked, began=bool(self._dims)) from error


def _rows(items: Sequence[dict[str, Any]]) -> ArrayLike:
    rows = [_row(item["embedding"]) for item in items]
    ordered: Any = in_order([item.get("index") for item in items], rows)
    return cast("ArrayLike", ordered)


def _row(told: str | list[float]) -> ArrayLike:
    """Read a vector that was packed as asked, or came as plain numbers anyhow."""
    return np.frombuffer(b64decode(told), "<f4") if isinstance(told, str) else told
