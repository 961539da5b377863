"""How the offline model tells a person what its tools answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.text import content_terms, excerpt, normal, terms

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
# What was kept on purpose, as the block before the newest message quotes it.
_CURATED: Final = re.compile(r"• \[(\d{4}-\d\d-\d\d)\]\[mem ([a-z]+)\] (.+)")
_RULE: Final = "constraint"
_TITLE_ENDS: Final = " — "
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
    wanted = _wanted(question)
    saved = [found for found in map(_SAVED.search, results) if found]
    shared = [len(wanted & set(terms(found[2]))) for found in saved]
    most = max(shared, default=0)
    likest = [one for one, many in zip(saved, shared, strict=True) if most == many > 0]
    return [
        f"• {quote(one[2])} ({say.note.format(number=one[1])})"
        for one in likest[-_BEST:]
    ]


@dataclass(frozen=True, slots=True)
class Kept:
    """A curated memory of the prompt: how it is told, and what it says."""

    line: str
    text: str
    is_rule: bool

    def is_about(self, question: str) -> bool:
        """Whether it has a word of a question."""
        return not _wanted(question).isdisjoint(terms(self.text))

    def is_said(self, line: str) -> bool:
        """Whether a line of a search is what it was made of, or the wish to keep it."""
        title = normal(self.text.partition(_TITLE_ENDS)[0])
        said = normal(line.removeprefix("• ").rpartition(" (")[0])
        return title in said and len(said) <= 2 * len(title)


def curated(block: str) -> list[Kept]:
    """Read the curated memories of a prompt: what was found, then the rules."""
    found = filter(None, map(_CURATED.fullmatch, block.splitlines()))
    every = [
        Kept(f"• {quote(one[3])} ({one[1]} · /mem)", one[3], one[2] == _RULE)
        for one in found
    ]
    return sorted(every, key=lambda one: one.is_rule)


def with_curated(told: str, kept: Sequence[Kept], say: Phrases) -> str:
    """Put curated memories before what a search brought, and each thing once."""
    lines = [
        line for line in told.split("\n") if not any(one.is_said(line) for one in kept)
    ]
    rest = "\n".join(lines) if lines != [say.found] else say.nothing_found
    return with_fresh(rest, [one.line for one in kept[:_BEST]], say)


def _wanted(question: str) -> set[str]:
    """Give the words by which something is about a question."""
    every = set(content_terms(question))
    return {term for term in every if not _PARTICLE.fullmatch(term)}


def with_fresh(told: str, lines: Sequence[str], say: Phrases) -> str:
    """Put notes of the same request before what a search brought."""
    if not lines:
        return told
    if told == say.nothing_found:
        return "\n".join([say.found, *lines])
    if not told.startswith(say.found):
        return "\n".join([say.found, *lines, told])
    return "\n".join([say.found, *lines, *told.split("\n")[1:]][: _BEST + 1])
