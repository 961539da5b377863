"""A chat command as it was given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apx.agent.run import Run
    from apx.domain.heard import Button
    from apx.domain.person import Sight
    from apx.domain.turn import Inbound


@dataclass(frozen=True, slots=True)
class Asked:
    """Its words, the turn that ran when it came, and what its person sees there."""

    heard: Inbound
    rest: str
    run: Run | None
    sight: Sight


Command = Callable[[Asked], Awaitable[str]]
# What may be pressed under the answer of a command.
Choices = Callable[[Asked], Awaitable[tuple["Button", ...]]]
