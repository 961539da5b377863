"""What stands at a place behind the name of a credential: its value, or a word."""
# ruff: noqa: RUF001 -- punctuation of other scripts looks like that of Latin

from __future__ import annotations

from apx.domain.secret_links import EAST_LINKS, INTO, OF, words
from apx.domain.secret_pattern import pattern
from apx.domain.secret_values import Link, is_lone_word, is_quoted_value, is_value
from apx.domain.secret_words import STOP, Named

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Final

_EAST: Final = f"\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef{STOP}"
_LONG_RUN: Final = 12
_EAST_RUN: Final = rf"[{_EAST}]{{1,{_LONG_RUN}}}"
# Longer ones are judged by their beginning: a hostile text may be one long word.
_LONGEST: Final = 128
_TOKEN: Final = rf"[^\s{_EAST}]{{1,{_LONGEST}}}"
_REST: Final = rf"[^\s{_EAST}]*"
_QUOTED: Final = (
    r"\\?\"([^\"\n]{1,200}?)\\?\"|'([^'\n]{1,200})'(?!\w)|`{1,3}([^`\n]{1,200})`"
    r"|[“„]([^“”\n]{1,200})[“”]|«\s?([^»\n]{1,200}?)\s?»|‘([^’\n]{1,200})’"
    r"|「([^」\n]{1,200})」|『([^』\n]{1,200})』"
)
_OPENERS: Final = "\"'`“„«‘「『(<[{*_|\\"
_CLOSERS: Final = "\"'`”“»’」』)>]}*_|\\.,;:"
_LABEL: Final = rf"([^\s:={_EAST}]{{1,40}})[:=：＝]"
_LONE_END: Final = r"[\"'`*_)\]]{0,3}[.,;]?(?:\s*$|\s*\n|(?<=[.,;])\s)"
_CODE: Final = r"\w\W{0,2}[({\[=]|[{}\\]"
_REFERENCE: Final = r"[$#]?\{|\$\("
_STOPS: Final = (STOP, ".", "!", "?", ";", ",", "。", "，", "！", "？", "；", "、", "،")
_GROUPED: Final = r"\d{2,4}(?:[ -]\d{2,4}){1,3}(?![\w-])"
_A_WORD_FOLLOWS: Final = r"\s{1,3}[^\W\d_]{3,}"
_NUMBER: Final = r"(?:\d{1,2}[.):]?\s{1,3})?"
_PHRASE: Final = (
    rf"{_NUMBER}[^\W\d_]{{3,9}}(?:[\s,]{{1,4}}{_NUMBER}[^\W\d_]{{3,9}}){{2,23}}(?!\w)"
)
_SEED: Final = 12  # words at least, in a recovery phrase that is not behind a colon
_PROSE: Final = words(
    "the and was are for but his her our they were has had not from wrote written"
    " you must stored never not enter your please this that with can cannot may"
    " should"
)
_PASSPHRASE: Final = 3  # words at least, behind its colon
# These also mean other things: what merely follows is not their value.
_AMBIGUOUS: Final = frozenset(
    ("pass", "secret", "clave", "parola", "wpa", "wpa2", "wpa3")
)
_APART: Final = r"[\s,]+"
_VERSION: Final = r"[^\W\d_]+[-_]?\d*$"
_EXPECTS: Final = 2  # words in `от вайфая`


# No dataclasses: to load them takes as long as all these rules.
class Tie:
    """How a name and the place that the walk has come to hang together.

    `start` is where the name ends, `query` tells of an address, where `&` ends a value,
    and `first` is the first of the fillers.
    """

    __slots__ = ("fillers", "first", "kind", "link", "name", "query", "start")

    def __init__(  # noqa: PLR0913 -- what a dataclass would write by itself
        self,
        kind: Named,
        name: str,
        start: int,
        link: Link,
        fillers: int,
        *,
        query: bool = False,
        first: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.start = start
        self.link = link
        self.fillers = fillers
        self.query = query
        self.first = first

    @property
    def is_polish(self) -> bool:
        """Tell whether `to` means `is`."""
        return self.name.startswith("has")

    def tied(self, link: Link) -> Tie:
        """Tie it as firmly as this."""
        if link is self.link:
            return self
        return self._but(link, self.fillers, self.first)

    def filled(self, word: str) -> Tie:
        """Count one more word between the name and the value."""
        return self._but(self.link, self.fillers + 1, self.first or word)

    def _but(self, link: Link, fillers: int, first: str) -> Tie:
        named = self.kind, self.name, self.start
        return Tie(*named, link, fillers, query=self.query, first=first)


class Said:
    """A word that is no value: where it ends, and whether it links or stops."""

    __slots__ = ("end", "links", "stops", "word")

    def __init__(self, word: str, end: int, links: bool, stops: bool) -> None:
        self.word = word
        self.end = end
        self.links = links
        self.stops = stops


def said_at(low: str, at: int) -> Said | None:
    """Read the word at a place, if there is one on this line."""
    if run := pattern(_EAST_RUN).match(low, at):
        word = run.group()
        links = any(c in word for c in EAST_LINKS[:4]) or word[0] in EAST_LINKS[4:6]
        stops = len(word) == _LONG_RUN or any(stop in word for stop in _STOPS)
        return Said(word, run.end(), (links or word in EAST_LINKS) and not stops, stops)
    token = pattern(_TOKEN).match(low, at)
    if token is None:
        return None
    label = pattern(_LABEL).match(low, at)
    if pattern(_CODE).search(label.group(1) if label else token.group()):
        return None
    if label and not low.startswith("://", label.end(1)):
        return Said(label.group(1).strip(_OPENERS), label.end(1), False, False)
    word = token.group().strip(_OPENERS + _CLOSERS)
    stops = token.group().rstrip("\"'`)*_").endswith(_STOPS)
    return Said(word, token.end(), False, stops)


def value_at(text: str, at: int, tie: Tie) -> tuple[int, int] | None:
    """Find where the value at a place starts and ends, if it is one."""
    if tie.kind is Named.PHRASE:
        return _phrase(text, at, tie)
    if tie.link and (quoted := pattern(_QUOTED).match(text, at)):
        span = quoted.span(quoted.lastindex or 0)
        return span if is_quoted_value(text[slice(*span)], tie.kind) else None
    if tie.kind is Named.CODE and (grouped := pattern(_GROUPED).match(text, at)):
        fits = tie.fillers == 0 or tie.link
        return (
            grouped.span()
            if fits and is_value(grouped.group(), tie.kind, tie.link)
            else None
        )
    token = pattern(_TOKEN).match(text, at)
    return _token(text, token, tie) if token else None


def _token(text: str, token: re.Match[str], tie: Tie) -> tuple[int, int] | None:
    written = token.group()
    if pattern(_REFERENCE).match(written):
        return None
    start = token.end() - len(written.lstrip(_OPENERS))
    written = written.lstrip(_OPENERS)
    for stop in ("</", "&") if tie.query else ("</",):
        written = written.split(stop, 1)[0]
    bare = written.rstrip(_CLOSERS + "#" if tie.kind is Named.CODE else _CLOSERS)
    end = start + len(bare)
    if not bare or not (
        _fits(text, bare, end, tie) or _stands_alone(text, start, end, tie)
    ):
        return None
    if len(token.group()) == _LONGEST and bare == written and not tie.query:
        rest = pattern(_REST).match(text, end)
        end = rest.end() if rest else end
    return start, end


def _fits(text: str, bare: str, end: int, tie: Tie) -> bool:
    # `pass`, the verb and the statement, is a password only right before a value.
    if not is_value(bare, tie.kind, tie.link) or (tie.name == "pass" and tie.fillers):
        return False
    if tie.link:
        counted = tie.fillers and bare.isdigit() and tie.kind is Named.PASSWORD
        return not (counted and pattern(_A_WORD_FOLLOWS).match(text, end))
    if tie.fillers == 0 or tie.name in _AMBIGUOUS:
        return tie.name not in _AMBIGUOUS
    # `пароль от вайфая Abc123x`: a word more, and no doubt about the value.
    if bare in (bare.lower(), bare.upper()) or pattern(_VERSION).match(bare):
        return False
    return tie.first in (INTO if tie.fillers == 1 else OF) and tie.fillers <= _EXPECTS


def _stands_alone(text: str, start: int, end: int, tie: Tie) -> bool:
    """`password: sunshine`, and nothing else on the line."""
    if tie.link is not Link.EQUALS or tie.fillers or tie.name in _AMBIGUOUS:
        return False
    between = text[tie.start : start]
    is_code = " =" in between and (tie.kind is Named.TOKEN or "_" in text[start:end])
    is_code = is_code or (" =" in between and text[end : end + 1] == ",")
    if is_code or "<" in between:
        return False
    is_setting = text[tie.start - 1 : tie.start].isupper() and "=" in between
    if tie.kind is not Named.PASSWORD and not is_setting:
        return False
    return (
        "\n" not in between
        and is_lone_word(text[start:end])
        and bool(pattern(_LONE_END).match(text, end))
    )


def _phrase(text: str, at: int, tie: Tie) -> tuple[int, int] | None:
    quoted = pattern(_QUOTED).match(text, at)
    if quoted and tie.link:
        at = quoted.start(quoted.lastindex or 0)
    found = pattern(_PHRASE).match(text, at)
    if not found or not tie.link:
        return None
    told_words = [w for w in pattern(_APART).split(found.group()) if w.isalpha()]
    told = tie.name == "passphrase" and pattern(_LONE_END).match(text, found.end())
    least = _PASSPHRASE if quoted or (told and tie.link is Link.EQUALS) else _SEED
    if len(told_words) < least or not _PROSE.isdisjoint(told_words):
        return None
    return found.span() if found.group().islower() else None
