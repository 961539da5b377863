"""Loopback servers that speak as the model vendors do.

async with OllamaServer(calling("remember", {"text": "tea"}, "Noted.")) as server:
    model = OllamaModel("tiny", base_url=server.base_url, ...)
"""

from tests.servers.brain import (
    Brain,
    Call,
    Heard,
    Request,
    calling,
    echo,
    saying,
    stepping,
)
from tests.servers.gemini import GeminiServer
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.server import ModelServer

__all__ = [
    "Brain",
    "Call",
    "GeminiServer",
    "Heard",
    "ModelServer",
    "OllamaServer",
    "OpenAIServer",
    "Request",
    "calling",
    "echo",
    "saying",
    "stepping",
]
