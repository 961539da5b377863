"""What a screen is told while it watches a thread; each can travel as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of the reply that is being written."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Working:
    """Which tools are at work, by name."""

    turn: int
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a person who waits should know, such as that a model is being loaded."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A part of a reply as it stays; the screen answers that it showed it.

    `is_plain` says that it is no Markdown. `request` is the beginning of what it
    answers; `is_late` says that this was asked before the screen was there.
    """

    part: int
    turn: int
    text: str
    is_repeat: bool = False
    is_plain: bool = False
    request: str = ""
    is_late: bool = False


Sign = Shown | Working | Noticed | Arrived

_KINDS: Final[dict[str, Callable[..., Sign]]] = {
    kind.__name__.lower(): kind for kind in (Shown, Working, Noticed, Arrived)
}


def to_json(sign: Sign) -> dict[str, Any]:
    """Write a sign down."""
    return {"sign": type(sign).__name__.lower(), **asdict(sign)}


def from_json(value: dict[str, Any]) -> Sign:
    """Read a sign that `to_json` wrote."""
    fields = dict(value)
    return _KINDS[fields.pop("sign")](**fields)
