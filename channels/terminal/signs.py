"""What a screen is told while it watches a thread; each can travel as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of the reply that is being written."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """What is going on, such as a tool at work."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A part of a reply as it stays; the screen answers that it showed it."""

    part: int
    turn: int
    text: str
    is_repeat: bool


Sign = Shown | Noticed | Arrived

_KINDS: Final[dict[str, type[Shown] | type[Noticed] | type[Arrived]]] = {
    kind.__name__.lower(): kind for kind in (Shown, Noticed, Arrived)
}


def to_json(sign: Sign) -> dict[str, Any]:
    """Write a sign down."""
    return {"sign": type(sign).__name__.lower(), **asdict(sign)}


def from_json(value: dict[str, Any]) -> Sign:
    """Read a sign that `to_json` wrote."""
    fields = dict(value)
    return _KINDS[fields.pop("sign")](**fields)
