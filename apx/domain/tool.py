"""What a model may ask to be done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from apx.domain.person import OWNERS_SIGHT, Sight

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
    # Whether what it gives was written by nobody here: pages, files.
    brings_untrusted: bool = False


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool gave: text for the model, and whether it worked.

    `is_untrusted` says that this time it quotes words that are nobody's here.
    """

    text: str
    ok: bool = True
    is_untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and for whom a tool runs. `op` is unique to this very call.

    `words` are its person's own, none of a guest. In a `tainted` turn the model has
    read other people's words: what is not in `words` may be theirs.
    """

    thread: Thread
    turn: int
    person: str
    audience: str
    at: datetime
    op: str
    words: str = ""
    tainted: bool = False
    sight: Sight = OWNERS_SIGHT
