"""How a turn ends, and what was accepted before it began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.message import NO_USAGE, Usage

if TYPE_CHECKING:
    from apx.domain.turn import TurnState


@dataclass(frozen=True, slots=True)
class Ending:
    """The terminal state of a turn; `parts` go to the outbox with it.

    `is_plain` says that they are no Markdown: what we say ourselves quotes people.
    `tainted` says that the model read other people's words for it.
    """

    state: TurnState
    final: str | None = None
    error: str = ""
    model: str = ""
    usage: Usage = NO_USAGE
    parts: tuple[str, ...] = ()
    is_plain: bool = True
    tainted: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """A request as the ledger has it: `turn` is None while it waits for one.

    `is_new` is false for a message that was there already.
    """

    key: str
    turn: int | None
    is_new: bool
