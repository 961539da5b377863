"""What the three model servers have in common when they embed."""

from __future__ import annotations

import asyncio
import json
import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from aiohttp import web

from apx.providers.hashing import hashed
from tests.servers.brain import Brain, echo
from tests.servers.faults import Answer, Drop, Hang, Raw
from tests.servers.server import ModelServer, _whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

Row = Sequence[float]
Rows = Sequence[Row]

# What a real model knows to ignore.
_PREFIX: Final = re.compile(r"^(search_(document|query)|query|passage): ")
_SCALE: Final = 10_000
# Writing numbers is most of the work of such a server: each is looked up.
_WRITTEN: Final = {
    number / _SCALE: repr(number / _SCALE) for number in range(-_SCALE, _SCALE + 1)
}


@dataclass(frozen=True, slots=True)
class Embedding:
    """A request for vectors, read from the vendor's format."""

    model: str
    texts: list[str]
    dims: int | None
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drip:
    """The answer comes byte by byte, with so many seconds between them."""

    seconds: float


class EmbeddingServer(ModelServer):
    """A server that embeds: shared words make vectors alike.

    `embeds` counts requests, `embedded` holds their texts. A request with more than
    `most_items` texts or `most_bytes` bytes gets `refusal`, one with a word of
    `taboo` too. `spoil` changes the vectors before they are sent. Each answer takes
    `delay` seconds, the work on it included, and at most so many as `parallel` lets
    through are made at the same time.
    """

    def __init__(
        self, brain: Brain = echo, *, models: Sequence[str] = ("tiny",), dims: int = 64
    ):
        super().__init__(brain, models=models)
        self.dims = dims
        self.delay = 0.0
        self.parallel = asyncio.Semaphore(1000)
        self.most_items = 1_000_000
        self.most_bytes = 1 << 30
        self.taboo = ""
        self.refusal = self.error(400, "too many")
        self.spoil: Callable[[Embedding, list[list[float]]], Rows] | None = None
        self.embeds = 0
        self.embedded: list[Embedding] = []

    @abstractmethod
    def _asked(self, http: web.Request, body: dict[str, Any]) -> Embedding:
        """Read a request for vectors."""

    @abstractmethod
    def _answered(self, asked: Embedding, rows: Rows) -> str:
        """Write an answer."""

    def _refusal(self, asked: Embedding, size: int) -> Answer | None:
        """Give the answer to what is too much, or to a model that is not there."""
        if asked.model not in self.models:
            return self.error(404, f"model '{asked.model}' not found")
        if len(asked.texts) > self.most_items or size > self.most_bytes:
            return self.refusal
        if self.taboo and any(self.taboo in text for text in asked.texts):
            return self.refusal
        return None

    async def _embed(self, http: web.Request) -> web.StreamResponse:
        data = await http.read()
        asked = self._asked(http, json.loads(data))
        self.embeds += 1
        self.embedded.append(asked)
        fault = self.faults.popleft() if self.faults else None
        self.active += 1
        self._changed.set()
        try:
            async with self.parallel:
                return await self._embedding(http, asked, len(data), fault)
        finally:
            self.active -= 1
            self._changed.set()

    async def _embedding(
        self, http: web.Request, asked: Embedding, size: int, fault: Any
    ) -> web.StreamResponse:
        answer = fault if isinstance(fault, Answer) else self._refusal(asked, size)
        if answer is not None:
            return _whole(answer)
        if isinstance(fault, Hang) and not fault.after:
            await asyncio.Event().wait()
        ready = asyncio.get_running_loop().time() + self.delay
        body = self._answered(asked, self._rows(asked)).encode()
        await asyncio.sleep(ready - asyncio.get_running_loop().time())
        if isinstance(fault, Raw):
            body = b"".join(fault.pieces)
        if isinstance(fault, Drop | Hang | Drip):
            return await _torn(http, body, fault)
        return web.Response(body=body, content_type="application/json")

    def _rows(self, asked: Embedding) -> Rows:
        vectors = vectors_of(asked.texts, asked.dims or self.dims)
        rows: list[list[float]] = (np.rint(vectors * _SCALE) / _SCALE).tolist()
        return rows if self.spoil is None else self.spoil(asked, rows)


def vectors_of(texts: Sequence[str], dims: int) -> NDArray[np.float32]:
    """Embed texts as the servers do, before the numbers are rounded."""
    vectors = hashed([_PREFIX.sub("", text) for text in texts], dims)
    # Both sides of a search are served alike, so no number may mark documents.
    vectors[:, 0] = np.where(vectors[:, 0] > 0.9999, 1, 0)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    return vectors


def numbers(row: Row) -> str:
    """Write a vector as JSON; NaN as Python writes it."""
    try:
        return f"[{','.join([_WRITTEN[number] for number in row])}]"
    except KeyError:
        return json.dumps(list(row))


async def _torn(
    http: web.Request, body: bytes, fault: Drop | Hang | Drip
) -> web.StreamResponse:
    """Begin an answer as if all were well."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(body)
    if isinstance(fault, Drop) and not fault.after:
        assert http.transport is not None
        http.transport.close()
        return response
    await response.prepare(http)
    if isinstance(fault, Drip):
        for place in range(len(body)):
            await response.write(body[place : place + 1])
            await asyncio.sleep(fault.seconds)
    await response.write(body[:20])
    if isinstance(fault, Hang):
        await asyncio.Event().wait()
    assert http.transport is not None
    http.transport.close()
    return response
