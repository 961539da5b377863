"""A loopback OpenAI, as the vendor and its many imitators speak."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode, b64encode
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
from aiohttp import web

from tests.servers.brain import Call, Heard, Request
from tests.servers.embedding import Embedding, EmbeddingServer, numbers
from tests.servers.faults import Answer, Hang

if TYPE_CHECKING:
    from tests.servers.embedding import Row, Rows
    from tests.servers.faults import Fault


class OpenAIServer(EmbeddingServer):
    """Speaks `/v1/chat/completions`, `/v1/embeddings`, `/v1/models` and `/props`.

    `entry` is what else its list says of each model, `props` is llama.cpp's answer,
    None at any other server. `asides` spoils these two: they may be asked while a
    prompt is, and must not take a fault that waits for the prompt.

    `knows_base64` says whether a vector may be asked for so; an old server gives
    numbers whatever was asked, and a strict one refuses.
    """

    knows_base64 = True
    is_strict = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.entry: dict[str, Any] = {}
        self.props: Any = None
        self.asides: deque[Fault] = deque()
        self.asked: list[str] = []

    @property
    def base_url(self) -> str:
        """What config.json would hold."""
        return f"{self.origin}/v1"

    def _route(self, router: web.UrlDispatcher) -> None:
        router.add_post("/v1/chat/completions", self._chat)
        router.add_post("/v1/embeddings", self._embed)
        router.add_get("/v1/models", self._models)
        router.add_get("/props", self._props)

    async def _models(self, http: web.Request) -> web.StreamResponse:
        self.asked.append(http.path)
        models = [
            {"id": name, "object": "model", "created": 0, "owned_by": "us"} | self.entry
            for name in self.models
        ]
        return await aside(self.asides, {"object": "list", "data": models})

    async def _props(self, http: web.Request) -> web.StreamResponse:
        self.asked.append(http.path)
        if self.props is None:
            raise web.HTTPNotFound
        return await aside(self.asides, self.props)

    def _asked(self, http: web.Request, body: dict[str, Any]) -> Embedding:
        del http
        given = body["input"]
        texts = [given] if isinstance(given, str) else given
        return Embedding(body["model"], texts, body.get("dimensions"), body)

    def _refusal(self, asked: Embedding, size: int) -> Answer | None:
        if self.is_strict and asked.body.get("encoding_format") == "base64":
            return self.error(400, "encoding_format: Input should be 'float'")
        return super()._refusal(asked, size)

    def _answered(self, asked: Embedding, rows: Rows) -> str:
        packed = self.knows_base64 and asked.body.get("encoding_format") == "base64"
        items = [
            f'{{"object": "embedding", "index": {place}, "embedding": {told}}}'
            for place, told in enumerate(map(_base64 if packed else numbers, rows))
        ]
        usage = '"usage": {"prompt_tokens": 3, "total_tokens": 3}'
        head = f'"object": "list", "model": {json.dumps(asked.model)}, {usage}'
        # Backwards, as nobody promises an order but the index.
        return f'{{{head}, "data": [{",".join(reversed(items))}]}}'

    def _read(self, http: web.Request, body: dict[str, Any]) -> Request:
        names: dict[str, str] = {}
        messages = []
        for told in body["messages"]:
            calls = told.get("tool_calls") or ()
            names.update((call["id"], call["function"]["name"]) for call in calls)
            messages.append(_heard(told, names))
        tools = tuple(tool["function"]["name"] for tool in body.get("tools", ()))
        return Request(body["model"], tuple(messages), tools, body, http.headers)

    def _text(self, request: Request, text: str) -> bytes:
        return event(request.model, {"content": text})

    def _call(self, request: Request, call: Call, number: int) -> bytes:
        given = call.arguments
        arguments = given if isinstance(given, str) else json.dumps(given)
        call_id = f"call_{len(self.requests)}_{number}" if call.id is None else call.id
        head = {"name": call.name, "arguments": ""}
        opening = {"index": number, "id": call_id, "type": "function", "function": head}
        pieces = [opening]
        # In pieces, as the vendor sends them.
        pieces += [
            {"index": number, "function": {"arguments": arguments[at : at + 8]}}
            for at in range(0, len(arguments), 8)
        ]
        return b"".join(
            event(request.model, {"tool_calls": [piece]}) for piece in pieces
        )

    def _end(self, request: Request, calls: int) -> bytes:
        finish = event(request.model, {}, "tool_calls" if calls else "stop")
        return finish + self._usage(request) + b"data: [DONE]\n\n"

    def _usage(self, request: Request) -> bytes:
        wanted = request.body.get("stream_options", {}).get("include_usage")
        if not (wanted and self.usage):
            return b""
        usage = {
            "prompt_tokens": self.usage.prompt,
            "completion_tokens": self.usage.completion,
            "total_tokens": self.usage.prompt + self.usage.completion,
            "prompt_tokens_details": {"cached_tokens": self.usage.cached},
        }
        told = {**_chunk(request.model), "choices": [], "usage": usage}
        return b"data: " + json.dumps(told).encode() + b"\n\n"


async def aside(faults: deque[Fault], body: Any) -> web.StreamResponse:
    """Answer a question that is no prompt, where a fault of its own may wait."""
    fault = faults.popleft() if faults else None
    if isinstance(fault, Hang):
        await asyncio.Event().wait()
    if isinstance(fault, Answer):
        kind = fault.content_type
        return web.Response(status=fault.status, text=fault.body, content_type=kind)
    return web.json_response(body)


def event(model: str, delta: dict[str, Any], finish: str | None = None) -> bytes:
    """Write a chunk as the vendor does."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    told = {**_chunk(model), "choices": [choice]}
    return b"data: " + json.dumps(told).encode() + b"\n\n"


def _base64(row: Row) -> str:
    return f'"{b64encode(np.asarray(row, dtype="<f4").tobytes()).decode()}"'


def _chunk(model: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
    }


def _heard(told: dict[str, Any], names: dict[str, str]) -> Heard:
    content = told.get("content") or ""
    parts: list[dict[str, Any]]
    parts = content if isinstance(content, list) else [{"text": content}]
    images = tuple(
        b64decode(part["image_url"]["url"].partition("base64,")[2])
        for part in parts
        if "image_url" in part
    )
    calls = tuple(
        Call(call["function"]["name"], call["function"]["arguments"], call["id"])
        for call in told.get("tool_calls") or ()
    )
    text = "".join(part.get("text", "") for part in parts)
    name = names.get(told.get("tool_call_id", ""), "")
    return Heard(told["role"], text, name, images, calls)
