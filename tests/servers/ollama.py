"""A loopback Ollama."""

from __future__ import annotations

import json
from base64 import b64decode
from collections import deque
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.brain import Call, Heard, Request
from tests.servers.embedding import Embedding, EmbeddingServer, numbers
from tests.servers.faults import Answer, failing
from tests.servers.openai import aside

if TYPE_CHECKING:
    from tests.servers.embedding import Rows
    from tests.servers.faults import Fault

_MOMENT = "2026-11-30T09:41:00.000000Z"


class OllamaServer(EmbeddingServer):
    """Speaks `/api/chat`, `/api/embed`, `/api/tags` and `/api/show`.

    `info` is what it shows of a model, `asides` spoils that alone.
    """

    content_type = "application/x-ndjson"

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.able = ["tools", "vision"]
        self.info: Any = {"general.architecture": "llama", "llama.context_length": 8192}
        self.asides: deque[Fault] = deque()
        self.asked: list[str] = []

    def error(self, status: int, text: str, **headers: str) -> Answer:
        """Give an error as Ollama writes it."""
        return failing(status, {"error": text}, **headers)

    def _route(self, router: web.UrlDispatcher) -> None:
        router.add_post("/api/chat", self._chat)
        router.add_post("/api/embed", self._embed)
        router.add_get("/api/tags", self._tags)
        router.add_post("/api/show", self._show)

    async def _tags(self, _http: web.Request) -> web.StreamResponse:
        models = [
            {"name": name, "model": name, "modified_at": _MOMENT, "size": 1}
            for name in self.models
        ]
        return await self._listing({"models": models})

    async def _show(self, http: web.Request) -> web.StreamResponse:
        self.asked.append(http.path)
        asked = (await http.json())["model"]
        if asked not in self.models:
            return web.json_response(
                {"error": f"model '{asked}' not found"}, status=404
            )
        shown = {"model_info": self.info, "capabilities": self.able}
        return await aside(self.asides, shown)

    def _asked(self, http: web.Request, body: dict[str, Any]) -> Embedding:
        del http
        given = body["input"]
        texts = [given] if isinstance(given, str) else given
        return Embedding(body["model"], texts, body.get("dimensions"), body)

    def _answered(self, asked: Embedding, rows: Rows) -> str:
        head = f'"model": {json.dumps(asked.model)}, "total_duration": 1000'
        vectors = ",".join(map(numbers, rows))
        return f'{{{head}, "load_duration": 10, "embeddings": [{vectors}]}}'

    def _read(self, http: web.Request, body: dict[str, Any]) -> Request:
        messages = tuple(
            Heard(
                told["role"],
                told.get("content", ""),
                told.get("tool_name", ""),
                tuple(b64decode(image) for image in told.get("images", ())),
                tuple(
                    Call(call["function"]["name"], call["function"]["arguments"])
                    for call in told.get("tool_calls", ())
                ),
            )
            for told in body["messages"]
        )
        tools = tuple(tool["function"]["name"] for tool in body.get("tools", ()))
        return Request(body["model"], messages, tools, body, http.headers)

    def _text(self, request: Request, text: str) -> bytes:
        return _line(request, {"role": "assistant", "content": text})

    def _call(self, request: Request, call: Call, number: int) -> bytes:
        function = {"name": call.name, "arguments": call.arguments, "index": number}
        calls = [{"id": call.id or f"call_{number}", "function": function}]
        return _line(request, {"role": "assistant", "content": "", "tool_calls": calls})

    def _end(self, request: Request, _calls: int) -> bytes:
        usage = self.usage and {
            "prompt_eval_count": self.usage.prompt,
            "eval_count": self.usage.completion,
        }
        ended = {"done": True, "done_reason": "stop", **(usage or {})}
        return _line(request, {"role": "assistant", "content": ""}, **ended)


def _line(request: Request, message: dict[str, Any], **more: Any) -> bytes:
    told = {"model": request.model, "created_at": _MOMENT, "message": message}
    return json.dumps({**told, "done": False, **more}).encode() + b"\n"
