"""Condenses turns by rule, where no model can: what counts stays, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.anchors.reading import anchors
from apx.domain.budget import within
from apx.domain.condensation import Condensation
from apx.domain.kept import opening, pushed_out, standing
from apx.domain.standing import Standing
from apx.domain.summary import Section
from apx.domain.text import estimate_tokens, excerpt, sentences
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apx.domain.history import PastTurn

# What a section may hold, in tokens.
_SECTION: Final = 400
_LINE: Final = 160  # characters
_READ: Final = 1_000  # characters that are looked at for a line
# A sentence of a pasted log is nobody's task.
_PASTED: Final = 2_000
_KEEP_FIRST: Final = 2


def digest(
    base: Condensation | None, turns: Sequence[PastTurn], keep_first: int = _KEEP_FIRST
) -> Condensation:
    """Fold turns into a condensation: the person's words, ids, and open questions.

    What stood in the one before stays, as far as there is room. Nothing of what others
    wrote gets into it.
    """
    laid = standing(base, turns)
    before = base.sections if base else {}
    new = {
        Section.TASK_TRACKING: _tracked(base, turns, {told.text for told in laid}),
        Section.COMPLETED: [t.text for t in laid if t.kind is Standing.DONE],
        Section.PENDING: _unanswered(turns),
        Section.CURRENT_STATE: _said(turns),
    }
    sections = {
        section: _joined(before.get(section, ""), new.get(section, ()), section)
        for section in Section
    }
    last = turns[-1].turn
    return Condensation(
        first=base.first if base else turns[0].turn.ordinal,
        last=last.ordinal,
        at=last.ended_at or last.began_at,
        sections={name: text for name, text in sections.items() if text},
        opening=opening(base, turns, keep_first),
        standing=laid,
        degraded=True,
        tainted=is_tainted(base, turns),
    )


def is_tainted(base: Condensation | None, turns: Sequence[PastTurn]) -> bool:
    """Whether other people's words are among what is folded."""
    before = base is not None and base.tainted
    return before or any(past.is_tainted for past in turns if past.count)


def _tracked(
    base: Condensation | None, turns: Sequence[PastTurn], laid: set[str]
) -> list[str]:
    """Give the person's sentences that name something exactly, but for those laid."""
    said = [
        sentence
        for past in turns
        if past.count and past.is_own and len(past.turn.request) <= _PASTED
        for sentence in sentences(past.turn.request)
    ]
    # Last, as the last lines are those that a flood of others does not wash away.
    every = [*said, *pushed_out(base, turns)]
    return [one for one in every if one not in laid and anchors(one)]


def _unanswered(turns: Sequence[PastTurn]) -> list[str]:
    return [
        past.turn.request
        for past in turns
        if past.turn.state in {TurnState.FAILED, TurnState.INTERRUPTED} and past.is_own
    ]


def _said(turns: Sequence[PastTurn]) -> list[str]:
    """Give what the person said, the newest first, and what was answered last."""
    wanted = [past for past in reversed(turns) if past.count and past.is_own]
    answered = [
        f"assistant: {excerpt(past.answer[:_READ], _LINE)}"
        for past in wanted[:1]
        if not past.is_tainted
    ]
    return [*answered, *(past.turn.request for past in wanted)]


def _joined(before: str, lines: Iterable[str], section: Section) -> str:
    """Add lines to a section; where things stand is told anew."""
    written = list(dict.fromkeys(f"- {excerpt(line[:_READ], _LINE)}" for line in lines))
    if section is Section.CURRENT_STATE:
        return "\n".join(_first(written, _SECTION)) or before
    known = set(before.splitlines())
    fresh = [line for line in written if line not in known]
    newest = list(_first(reversed(fresh), _SECTION))[::-1]
    spare = 2 * _SECTION - estimate_tokens("\n".join(newest))
    return "\n".join(filter(None, [_end(before, spare), *newest]))


def _end(text: str, tokens: int) -> str:
    """Keep the last lines of a text, or of a single line its beginning."""
    kept = list(_first(reversed(text.splitlines()), tokens))[::-1]
    return "\n".join(kept) if kept else within(text, tokens)


def _first(lines: Iterable[str], tokens: int) -> Iterator[str]:
    spare = tokens
    for line in lines:
        spare -= estimate_tokens(line) + 1
        if spare < 0:
            return
        yield line
