"""What the model servers think with: a brain reads a request and says its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `arguments` may be text, to send broken JSON."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of a request, the same for every vendor; `name` is a result's tool."""

    role: str
    text: str
    name: str = ""
    images: tuple[bytes, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """A request, read from the vendor's format; `body` is what really came."""

    model: str
    messages: tuple[Heard, ...]
    tools: tuple[str, ...]
    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def last(self) -> Heard:
        """The message that waits for an answer."""
        return self.messages[-1]

    @property
    def system(self) -> str:
        """All system text."""
        return "\n".join(m.text for m in self.messages if m.role == "system")

    def results(self) -> list[str]:
        """The tool results since the last thing a person said."""
        found: list[str] = []
        for message in self.messages:
            if message.role == "user":
                found = []
            elif message.role == "tool":
                found.append(message.text)
        return found


Piece = str | Call
Brain = Callable[[Request], AsyncIterator[Piece]]


async def echo(request: Request) -> AsyncIterator[Piece]:
    """Repeat the last message, word by word."""
    yield "Echo:"
    for word in request.last.text.split():
        yield f" {word}"


def saying(*pieces: Piece) -> Brain:
    """Say the same each time."""

    async def brain(_request: Request) -> AsyncIterator[Piece]:
        for piece in pieces:
            yield piece

    return brain


def stepping(*steps: tuple[Piece, ...]) -> Brain:
    """Give the first step to a person, and one more after each round of results."""

    async def brain(request: Request) -> AsyncIterator[Piece]:
        rounds, called = 0, False
        for message in request.messages:
            if message.role == "user":
                rounds = 0
            rounds += called and message.role == "tool"
            called = bool(message.calls)
        for piece in steps[min(rounds, len(steps) - 1)]:
            yield piece

    return brain


def calling(name: str, arguments: Mapping[str, Any], then: str = "Done.") -> Brain:
    """Call one tool, then answer: `calling("remember", {"text": "..."})`."""
    return stepping((Call(name, arguments),), (then,))
