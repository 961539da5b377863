"""A reply that claims to have saved something must have saved it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from apx.domain.claims import claims_saved
from apx.domain.intent import Wish, read

if TYPE_CHECKING:
    from apx.agent.toolbox import Toolbox

_SAVES: Final = "remember"
_SAVING: Final = frozenset({_SAVES, "memory_add", "memory_update"})
# A claim, and a wish, stand near the beginning; nobody waits for more to be read.
_READ: Final = 20_000
_NOTHING: Final = (
    "(Correction: nothing was saved as a note. Say “remember …” to have it kept.)"
)


async def corrected(reply: str, words: str, toolbox: Toolbox) -> str:
    """Make a claim true where the person's own words asked for it, else correct it."""
    if toolbox.done & _SAVING or not claims_saved(reply[:_READ]):
        return reply
    wish = read(words[:_READ])
    if wish.kind is Wish.REMEMBER and wish.subject:
        arguments = json.dumps({"text": wish.subject}, ensure_ascii=False)
        outcome = await toolbox.use(_SAVES, arguments)
        if outcome.ok:
            return f"{reply}\n\n({outcome.text})"
    return f"{reply}\n\n{_NOTHING}"
