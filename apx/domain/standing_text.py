"""Which sentences of a message are its writer's own word."""
# ruff: noqa: RUF001 -- quotation marks of many languages

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

# A pasted text may have no stop for pages; a piece of it is as verbatim.
_LONGEST: Final = 600
# No mark that opens a quote is within one, so that a row of them is read once.
_BLOCK: Final = re.compile(r"```.*?```|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)
_QUOTE: Final = re.compile(
    r'`[^`\n]*`|"[^"\n]*"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|»[^«»\n]*«'
    r"|「[^「」\n]*」|『[^『』\n]*』"
)
_INK: Final = re.compile(r"\S")
_STOPS: Final = re.compile(r"[.!?…]{9,}")
_LOG: Final = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d"
    r"|\[\d{1,2}[:/.]\d{1,2}[^\]\n]{0,24}\] "
    r"|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)[\]:| ]"
    r'|Traceback \(|File "|at [\w.$<>]{1,80}\(|[$#] \w|diff --git|@@ '
    r"|(?:---|\+\+\+) [ab]/"
    r")[^\n]*$",
    re.MULTILINE,
)
_SHORT_SIZE: Final = 10
# A stop behind one of these ends no sentence; `12. Juni` is a day.
_SHORT: Final = re.compile(
    r"(?:^|[\s(])(?:\d{1,2}|max|min|approx|aprox|appr|ca|circa|env|e\.g|i\.e|z\.\s?b|d\.\s?h|bzw"
    r"|inkl|exkl|ggf|evtl|usw|nr|no|núm|num|tel|mr|mrs|ms|dr|dra|sr|sra|st|vs|incl|excl"
    r"|p\.\s?ej|por ej|p\.\s?ex|mind|höchst|bijv|o\.a|m\.in|np|tzn|ok|tys|zł|т\.е|т\.к"
    r"|напр|мин|макс|руб|тыс|стр|г|ул|örn|vb|yakl|est)\.$",
    re.IGNORECASE,
)
_POINT: Final = re.compile(r"[-*•·–—‣▪◦☐☑✅✓]\s*\S|\(?\d{1,2}[.)、]|[a-z]\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it was written, and `spoken`: the same without what it quotes."""

    text: str
    spoken: str
    is_point: bool

    @property
    def is_heading(self) -> bool:
        """Whether what comes below belongs to it."""
        return self.text.endswith((":", "："))


def own_sentences(text: str) -> Iterator[Sentence]:
    """Give the sentences and points of lists that the writer did not quote."""
    spoken = _QUOTE.sub(_as_word, _LOG.sub(_blank, _BLOCK.sub(_blank, text)))
    spoken = _STOPS.sub(_as_one, spoken.replace("؟", "?"))
    last, is_point = 0, False
    for first, end in _spans(spoken):
        if not last or "\n" in spoken[last:first]:
            is_point = _POINT.match(spoken, first, end) is not None
        last = end
        yield Sentence(text[first:end], spoken[first:end], is_point)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Give where sentences begin and end."""
    first = end = 0
    for part in sentences(text):
        place = text.index(part, end)
        if end == first or not _goes_on(text, first, end, place):
            yield from _pieces(text, first, end)
            first = place
        end = place + len(part)
    yield from _pieces(text, first, end)


def _goes_on(text: str, first: int, end: int, then: int) -> bool:
    """Whether what ended was a short word, or a number: of a point, of a day."""
    if "\n" in text[end:then]:
        return False
    return _SHORT.search(text[max(first, end - _SHORT_SIZE) : end]) is not None


def _pieces(text: str, first: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what is too long between words, or anywhere."""
    while end - first > _LONGEST:
        space = text.rfind(" ", first + _LONGEST // 2, first + _LONGEST)
        cut = space if space >= 0 else first + _LONGEST
        yield first, first + len(text[first:cut].rstrip())
        rest = _INK.search(text, cut, end)
        first = rest.start() if rest else end
    if first < end:
        yield first, end


def _blank(found: re.Match[str]) -> str:
    """Keep the places of what is behind, and the ends of lines."""
    return re.sub(r"[^\n]", " ", found[0])


def _as_one(found: re.Match[str]) -> str:
    """Let a row of stops be one stop: reading a row costs the square of its length."""
    return "_" * (len(found[0]) - 1) + found[0][-1]


def _as_word(found: re.Match[str]) -> str:
    """Let a quote be a word that says nothing: `call me "Max"` needs one."""
    return "_" * len(found[0])
