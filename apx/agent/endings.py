"""How a turn ends that went wrong, in words for its person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.ending import Ending
from apx.domain.errors import ApxError
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from apx.domain.errors import InputError, ProviderError


def failed(error: ProviderError, model: str) -> Ending:
    """End a turn that no model answered."""
    return Ending(
        state=TurnState.FAILED,
        error=str(error),
        model=model,
        parts=(f"⚠ {error}\nYour message is kept: /retry asks again.",),
    )


def refused(error: InputError) -> Ending:
    """End a turn that asked for what its person may not have."""
    return Ending(TurnState.FAILED, error=str(error), parts=(f"⚠ {error}",))


def broken(error: Exception) -> Ending:
    """End a turn that a fault of ours broke; what it quotes is nobody's words."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    said = str(error) if isinstance(error, ApxError) else type(error).__name__
    return Ending(
        TurnState.FAILED,
        error=said,
        parts=(
            f"⚠ Something in apx failed ({said}); apx.log has the details."
            " Your message is kept: /retry runs it again.",
        ),
    )
