"""The numbers that a turn is run by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.agent.speech import PATIENCE

if TYPE_CHECKING:
    from apx.agent.prompt import Setting


@dataclass(frozen=True, slots=True)
class Policy:
    """What config.json says about turns, in the agent's words."""

    setting: Setting
    max_iterations: int = 16
    hits: int = 5
    recalls: bool = True
    patience: float = PATIENCE
