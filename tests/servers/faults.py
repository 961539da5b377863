"""What may go wrong at a model server, one fault a request: `faults.append(...)`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Answer:
    """Another answer than the model's, whole and at once."""

    status: int
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Raw:
    """These very bytes, in place of what the brain would say, as a proper stream."""

    pieces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """The stream ends in good order after so many pieces, without a finish."""

    after: int = 1


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection breaks after so many pieces; with 0, before the headers.

    The pieces are these, if any are given, else what the brain says.
    """

    after: int = 1
    pieces: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing more comes after so many pieces; with 0, not even headers."""

    after: int = 0


Fault = Answer | Raw | Cut | Drop | Hang


def failing(status: int, body: Any = None, **headers: str) -> Answer:
    """Answer with an error: `failing(429, retry_after="3")`."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    error = {"error": "it failed"} if body is None else body
    return Answer(status, json.dumps(error), named)


def web_page(status: int = 200) -> Answer:
    """Answer as a hotspot's login page, or a wrong address, does."""
    page = "<!doctype html>\n<html><head><title>Log in</title></head></html>\n"
    return Answer(status, page, content_type="text/html")


def events(*objects: Any) -> Raw:
    """Send these objects as server-sent events; text goes out as it is."""
    return Raw(
        tuple(
            item.encode() if isinstance(item, str) else b"data: " + _line(item) + b"\n"
            for item in objects
        )
    )


def lines(*objects: Any) -> Raw:
    """Send these objects as Ollama does, one a line; text goes out as it is."""
    return Raw(
        tuple(
            item.encode() if isinstance(item, str) else _line(item) for item in objects
        )
    )


def _line(item: Any) -> bytes:
    return json.dumps(item).encode() + b"\n"
