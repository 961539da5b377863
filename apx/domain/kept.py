"""What of a range of turns stays word for word when it is condensed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.reading import anchors
from apx.domain.budget import within
from apx.domain.condensation import Quote, affordable
from apx.domain.message import Role
from apx.domain.standing import Statement, statements
from apx.domain.text import cut_bytes, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apx.domain.condensation import Condensation
    from apx.domain.history import PastTurn

# Of a longer message that opened a thread, its beginning.
_OPENING: Final = 600
# What a person laid down may take so many tokens in all.
STANDING_TOKENS: Final = 1_500
_LONGEST: Final = 600
# A longer message holds what was pasted; people say what they want before or behind it.
_PASTED: Final = 2_000
_END: Final = 500
# So many statements of one message are its writer's own; more are a list of something.
_MOST: Final = 12


def opening(
    base: Condensation | None, turns: Sequence[PastTurn], keep_first: int
) -> tuple[Quote, ...]:
    """Give the messages that a thread began with; they never change."""
    if base is not None:
        return base.opening
    wanted = [past for past in turns if past.count and past.is_own]
    said = [
        Quote(role, within(text, _OPENING))
        for past in wanted[:keep_first]
        for role, text in _spoken(past)
    ]
    return tuple(said[:keep_first])


def _spoken(past: PastTurn) -> list[tuple[Role, str]]:
    """Give the person's words, and the answer unless it may hand on those of others."""
    said = [(Role.USER, past.turn.request)]
    return said if past.is_tainted else [*said, (Role.ASSISTANT, past.answer)]


def standing(
    base: Condensation | None, turns: Iterable[PastTurn]
) -> tuple[Statement, ...]:
    """Give what the person laid down up to the end of a range, oldest first."""
    found = list(base.standing if base else ())
    for past in turns:
        if past.count and past.is_own:
            found += laid_down(past)
    return affordable(_once(found), STANDING_TOKENS)


def pushed_out(base: Condensation | None, turns: Sequence[PastTurn]) -> tuple[str, ...]:
    """Give what was word for word in a condensation, and is not in the next one."""
    if base is None:
        return ()
    kept = {told.text for told in standing(base, turns)}
    return tuple(
        dict.fromkeys(told.text for told in base.standing if told.text not in kept)
    )


def laid_down(past: PastTurn) -> list[Statement]:
    """Give what the person laid down in a turn, with its time."""
    at = past.turn.began_at
    return [
        replace(
            told,
            text=cut_bytes(told.text, _LONGEST),
            at=at,
            is_exact=bool(anchors(told.text)),
        )
        for part in own_words(past.turn.request)
        for told in statements(part)[:_MOST]
    ]


def own_words(text: str) -> tuple[str, ...]:
    """Give what of a message its writer probably wrote: of a paste, the two ends."""
    if len(text) <= _PASTED:
        return (text,)
    return text[:_END].rpartition("\n")[0] or text[:_END], text[-_END:]


def _once(found: Sequence[Statement]) -> list[Statement]:
    """Keep of what was said again the last time."""
    last = {(told.kind, normal(told.text)): told for told in found}
    chosen = {id(told) for told in last.values()}
    return [told for told in found if id(told) in chosen]
