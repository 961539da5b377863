"""How the offline model tells a person what its tools answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apx.domain.text import content_terms, excerpt, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.providers.phrases import Phrases

_BEST: Final = 3
_LONGEST_QUOTE: Final = 400
_SAVED: Final = re.compile(r"saved as note (\d+):\s*(.*)", re.DOTALL)
_FORGOT: Final = re.compile(r"forgot note (\d+):\s*(.*)", re.DOTALL)
_MEMORY: Final = re.compile(
    r"[•*-]\s*\[(\d{4}-\d\d-\d\d)[^\]]*\](?:\[([^\]]*)\])?\s*(.*?)"
    r"\s*\((note|turn) (\d+)\)"
)
# A single letter of grammar, which is in every Japanese sentence.
_PARTICLE: Final = re.compile("~[\u3041-\u309f]")


def tell_saved(result: str, say: Phrases) -> str:
    """Tell that a note was written, with its number."""
    found = _SAVED.search(result)
    if found is None:
        return say.not_saved.format(reason=quote(result))
    return say.saved.format(number=found[1], text=quote(found[2]))


def tell_found(result: str, say: Phrases) -> str:
    """Tell the best of what a search brought."""
    if result.startswith("nothing found"):
        return say.nothing_found
    lines = _memories(result, say)[:_BEST]
    if not lines:
        return say.search_failed.format(reason=quote(result))
    return "\n".join([say.found, *lines])


def tell_notes(result: str, say: Phrases) -> str:
    """Tell the notes."""
    if result.startswith("no notes"):
        return say.no_notes
    lines = _memories(result, say)
    if not lines:
        return say.notes_failed.format(reason=quote(result))
    return "\n".join([say.notes, *lines])


def tell_forgotten(result: str, say: Phrases) -> str:
    """Tell which note is forgotten, or why none is."""
    if found := _FORGOT.search(result):
        return say.forgotten.format(number=found[1], text=quote(found[2]))
    if result.startswith("no note matches"):
        return say.not_forgotten
    lines = _memories(result, say)
    if not lines:
        return say.forget_failed.format(reason=quote(result))
    [first, *_] = _MEMORY.finditer(result)
    return "\n".join([say.several.format(number=first[5]), *lines])


def _memories(result: str, say: Phrases) -> list[str]:
    """Rewrite the lines of a tool for a person, and leave out all others."""
    found = (_MEMORY.fullmatch(line.strip()) for line in result.splitlines())
    return [_memory(line, say) for line in found if line]


def _memory(line: re.Match[str], say: Phrases) -> str:
    date, channel, text, kind, number = line.groups()
    ref = say.note if kind == "note" else say.turn
    origin = [
        date,
        say.terminal if channel == "terminal" else (channel or "").title(),
        ref.format(number=number),
    ]
    return f"• {quote(text)} ({' · '.join(filter(None, origin))})"


def quote(text: str) -> str:
    """Give the beginning of what a person said."""
    return excerpt(text, _LONGEST_QUOTE)


def fresh(question: str, results: Sequence[str], say: Phrases) -> list[str]:
    """Give the notes of the same request that a question is about, the likest.

    A search leaves out what is being said right now.
    """
    wanted = set(content_terms(question))
    wanted = {term for term in wanted if not _PARTICLE.fullmatch(term)}
    saved = [found for found in map(_SAVED.search, results) if found]
    shared = [len(wanted & set(terms(found[2]))) for found in saved]
    most = max(shared, default=0)
    likest = [one for one, many in zip(saved, shared, strict=True) if most == many > 0]
    return [
        f"• {quote(one[2])} ({say.note.format(number=one[1])})"
        for one in likest[-_BEST:]
    ]


def with_fresh(told: str, lines: Sequence[str], say: Phrases) -> str:
    """Put notes of the same request before what a search brought."""
    if not lines:
        return told
    if told == say.nothing_found:
        return "\n".join([say.found, *lines])
    if not told.startswith(say.found):
        return "\n".join([say.found, *lines, told])
    return "\n".join([say.found, *lines, *told.split("\n")[1:]][: _BEST + 1])
