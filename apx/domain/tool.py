"""What a model may ask to be done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from apx.domain.thread import Thread


class Effect(StrEnum):
    """How far a tool reaches, and so whether a turn may be run again after it."""

    NONE = "none"
    HOME = "home"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    effect: Effect = Effect.NONE
    # Whether it brings what was not known before; what it quotes from memory is.
    brings_news: bool = False


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool gave: text for the model, and whether it worked."""

    text: str
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and for whom a tool runs. `op` is unique to this very call."""

    thread: Thread
    turn: int
    person: str
    audience: str
    at: datetime
    op: str
