"""A loopback Gemini."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import deque
from typing import TYPE_CHECKING, Any

from tests.servers.brain import Call, Heard, Request
from tests.servers.embedding import Embedding, EmbeddingServer, numbers
from tests.servers.openai import aside

if TYPE_CHECKING:
    from aiohttp import web

    from tests.servers.embedding import Rows
    from tests.servers.faults import Fault


class GeminiServer(EmbeddingServer):
    """Speaks `streamGenerateContent`, `batchEmbedContents`, and knows its models.

    All of them as v1beta alone. `entry` is what else it tells of one model, `asides`
    spoils that alone.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.entry: dict[str, Any] = {}
        self.asides: deque[Fault] = deque()
        self.asked: list[str] = []

    def _route(self, router: web.UrlDispatcher) -> None:
        router.add_get("/v1beta/models", self._models)
        router.add_get("/v1beta/models/{model:.*}", self._model)
        router.add_post("/v1beta/models/{model:.*}", self._post)

    async def _post(self, http: web.Request) -> web.StreamResponse:
        embeds = http.match_info["model"].endswith(":batchEmbedContents")
        return await (self._embed(http) if embeds else self._chat(http))

    def _asked(self, http: web.Request, body: dict[str, Any]) -> Embedding:
        model = http.match_info["model"].partition(":")[0]
        asked = body["requests"]
        texts = [
            "".join(part["text"] for part in one["content"]["parts"]) for one in asked
        ]
        return Embedding(model, texts, asked[0].get("outputDimensionality"), body)

    def _answered(self, asked: Embedding, rows: Rows) -> str:
        if asked.dims is not None:
            # Only the full length is normalised.
            rows = [[number * 0.625 for number in row] for row in rows]
        values = ",".join(f'{{"values": {numbers(row)}}}' for row in rows)
        return f'{{"embeddings": [{values}]}}'

    async def _models(self, _http: web.Request) -> web.StreamResponse:
        models = [
            {
                "name": f"models/{name}",
                "supportedGenerationMethods": [
                    "embedContent" if "embedding" in name else "generateContent"
                ],
            }
            for name in self.models
        ]
        return await self._listing({"models": models})

    async def _model(self, http: web.Request) -> web.StreamResponse:
        self.asked.append(http.path)
        name = f"models/{http.match_info['model']}"
        return await aside(self.asides, {"name": name, **self.entry})

    def _read(self, http: web.Request, body: dict[str, Any]) -> Request:
        model, _, verb = http.match_info["model"].partition(":")
        assert verb == "streamGenerateContent", verb
        told = (
            [("system", body["systemInstruction"])]
            if "systemInstruction" in body
            else []
        )
        told += [(content.get("role", "user"), content) for content in body["contents"]]
        messages = [_heard(role, content["parts"]) for role, content in told]
        tools = tuple(
            declared["name"]
            for tool in body.get("tools", ())
            for declared in tool.get("functionDeclarations", ())
        )
        return Request(model, tuple(messages), tools, body, http.headers)

    def _text(self, _request: Request, text: str) -> bytes:
        return event({"text": text})

    def _call(self, _request: Request, call: Call, number: int) -> bytes:
        part: dict[str, Any] = {
            "functionCall": {"name": call.name, "args": call.arguments}
        }
        if call.id is not None:
            part["functionCall"]["id"] = call.id
        if number == 0:
            part["thoughtSignature"] = signature(len(self.requests))
        return event(part)

    def _end(self, _request: Request, _calls: int) -> bytes:
        usage = self.usage and {
            "promptTokenCount": self.usage.prompt,
            "candidatesTokenCount": self.usage.completion - 2,
            "thoughtsTokenCount": 2,
            "cachedContentTokenCount": self.usage.cached,
        }
        told = {"usageMetadata": usage} if usage else {}
        return event({"text": ""}, finishReason="STOP", told=told)


def signature(step: int) -> str:
    """Give the mark of the calls that answer the `step`th request."""
    return b64encode(b"\x00mark\xff%d" % step).decode()


def event(
    part: dict[str, Any], *, told: dict[str, Any] | None = None, **candidate: Any
) -> bytes:
    """Write a chunk as the vendor does."""
    content = {"role": "model", "parts": [part]}
    chunk = {"candidates": [{"index": 0, "content": content, **candidate}]}
    return b"data: " + json.dumps({**chunk, **(told or {})}).encode() + b"\n\n"


def _heard(role: str, parts: list[dict[str, Any]]) -> Heard:
    results = [part["functionResponse"] for part in parts if "functionResponse" in part]
    if results:
        text = "\n".join(result["response"]["result"] for result in results)
        return Heard("tool", text, results[0]["name"])
    images = tuple(
        b64decode(part["inlineData"]["data"].replace("-", "+").replace("_", "/"))
        for part in parts
        if "inlineData" in part
    )
    calls = tuple(
        Call(
            part["functionCall"]["name"],
            part["functionCall"].get("args", {}),
            part["functionCall"].get("id"),
        )
        for part in parts
        if "functionCall" in part
    )
    text = "".join(part.get("text", "") for part in parts)
    return Heard({"model": "assistant"}.get(role, role), text, "", images, calls)
