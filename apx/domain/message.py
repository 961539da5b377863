"""The conversation as a language model sees it, and what a model says back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """Who speaks a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture for models that see; `media_type` such as `image/png`."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool.

    `arguments` is the JSON text exactly as the model wrote it, possibly broken.
    `signature` is an opaque mark that some vendors want back with the call.
    """

    id: str
    name: str
    arguments: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt. A TOOL message answers the call `call_id`.

    `own` is what its person said in the newest one, without a name before it and the
    blocks behind it, for a model that goes by rules. No vendor is sent it.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    images: tuple[Image, ...] = ()
    own: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply's text, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of many; `known` is false once any part is not known."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    known: bool = True

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.cached + other.cached,
            self.known and other.known,
        )


class FinishReason(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    TOOLS = "tools"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a stream; a stream without one was cut off."""

    reason: FinishReason


@dataclass(frozen=True, slots=True)
class Served:
    """Which model answers; a chain of models says it before anything else."""

    model: str


NO_USAGE: Final = Usage()

Delta = TextDelta | ToolCall | Usage | Finish | Served


@dataclass(frozen=True, slots=True)
class Options:
    """What a call may cost: seconds in all, tokens of the reply."""

    deadline: float = 300.0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer of a model, put together from its stream."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    reason: FinishReason = FinishReason.STOP
