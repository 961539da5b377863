"""The Markdown that is understood: CommonMark where models mean it, else literally."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_block import blockquote, list_block, table
from markdown_it.rules_inline import image, link
from markdown_it.rules_inline.state_inline import Delimiter

from channels.telegram.markdown_escapes import escapes
from channels.telegram.markdown_links import is_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    _Block = Callable[[StateBlock, int, int, bool], bool]
    _Inline = Callable[[StateInline, bool], bool]

# These would take away what a person should read: addresses in pointed brackets,
# tags, the `&lt;` that is being explained, references, dashes below a text.
_UNWANTED: Final = ("autolink", "entity", "html_inline")
_UNWANTED_BLOCKS: Final = ("html_block", "lheading", "reference")
# A list in a list is two levels each. Below, markers are text like any other; the
# parser would give up at its own bound and drop the rest.
_DEEPEST: Final = 24
_ROOM: Final = 8
_COLUMN: Final = re.compile(r"(?<!\\)\|")
_ENCLOSING: Final = re.compile(r"^\||\|$")
# So many cells may be missing that the parser fills: of `a`, line by line, below a
# wide head it would make a table of thousands.
_MISSING: Final = 500
_WIDE: Final = frozenset("WF")
# What stands right behind a name: `f[0](a.b)` is code, also in prose.
_CALL: Final = re.compile(r"\[[^\[\]]{0,200}\]\((?!https?://|tg://|mailto:)")
_BRACKET: Final = re.compile(r"[\[\]]")
# So many brackets may be open, so that each is looked through in vain.
_OPEN: Final = 32


def parse(text: str) -> list[Token]:
    """Give the blocks of a text, in order, each with its inline tokens."""
    return _PARSER.parse(text)


def readable(address: str) -> str:
    """Give an address as a person reads it, without escapes."""
    return _PARSER.normalizeLinkText(address)


def _shallow(rule: _Block) -> _Block:
    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < _DEEPEST and rule(state, start, end, silent)

    return bounded


def _even_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table whose rows fit its head; the parser drops what is too much."""
    if not table(state, start, end, True):
        return False
    return silent or (_is_even(state, start, end) and table(state, start, end, False))


def _is_even(state: StateBlock, start: int, end: int) -> bool:
    head, missing = _cells(state, start), 0
    for line in range(start + 2, end):
        if state.isEmpty(line):
            break
        short = head - _cells(state, line)
        missing += short
        if short < 0 or missing > _MISSING:
            return False
    return True


def _cells(state: StateBlock, line: int) -> int:
    row = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    return len(_COLUMN.findall(_ENCLOSING.sub("", row.strip()))) + 1


def _complete(rule: _Inline) -> _Inline:
    """Look for a link only where one may be: brackets alone are costly."""

    def bounded(state: StateInline, silent: bool) -> bool:
        text, at = state.src, state.pos
        if text[at] not in "![" or at >= _last_link(text):
            return False
        is_code = _is_ascii_word(text[at - 1 : at]) and _CALL.match(text, at)
        return not is_code and rule(state, silent)

    return bounded


@lru_cache(maxsize=4)
def _last_link(text: str) -> int:
    """Give where no link begins any more: it has no middle, or too much is open."""
    middle, depth = text.rfind("]("), 0
    for bracket in _BRACKET.finditer(text, 0, max(middle, 0)):
        depth = depth + 1 if bracket[0] == "[" else max(depth - 1, 0)
        if depth > _OPEN:
            return bracket.start()
    return middle


def _asterisks(state: StateInline, silent: bool) -> bool:
    """Take asterisks for emphasis, but `2*3*4` literally."""
    return _marks(state, silent, "*", range(1, 1 << 30))


def _bars(state: StateInline, silent: bool) -> bool:
    """Take `||` for the border of a spoiler, but `a||b` literally."""
    return _marks(state, silent, "||", range(2, 3))


def _marks(state: StateInline, silent: bool, mark: str, lengths: range) -> bool:
    """Note a run of marks that may begin or end something; pairs are made later."""
    start, text = state.pos, state.src
    if silent or text[start] != mark[0]:
        return False
    end = start
    while end < state.posMax and text[end] == mark[0]:
        end += 1
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    state.pos = end
    literal = _is_ascii_word(before) and _is_ascii_word(after)
    if literal or end - start not in lengths:
        state.pending += text[start:end]
        return True
    opens, closes = _clings(after, before), _clings(before, after)
    for _ in range(start, end, len(mark)):
        state.push("text", "", 0).content = mark
        length = end - start if mark == "*" else 0
        last = len(state.tokens) - 1
        state.delimiters.append(
            Delimiter(ord(mark[0]), length, last, -1, opens, closes)
        )
    return True


def _clings(inner: str, outer: str) -> bool:
    """Whether marks between the two belong to `inner`.

    CommonMark wants a space or a stop outside where there is a stop inside; Chinese
    and Japanese have no spaces, so that their letters count as such.
    """
    if isWhiteSpace(ord(inner)):
        return False
    return not _is_stop(inner) or isWhiteSpace(ord(outer)) or _parts(outer)


def _parts(character: str) -> bool:
    wide = unicodedata.east_asian_width(character) in _WIDE
    return wide or _is_stop(character)


def _is_stop(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


def _is_ascii_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _spoilers(state: StateInline) -> None:
    """Make tokens of the bars that found each other."""
    for delimiters in _delimiters(state):
        for first in delimiters:
            if first.marker != ord("|") or first.end == -1:
                continue
            last = delimiters[first.end]
            opened, closed = state.tokens[first.token], state.tokens[last.token]
            opened.type, opened.content, opened.nesting = "spoiler_open", "", 1
            closed.type, closed.content, closed.nesting = "spoiler_close", "", -1


def _delimiters(state: StateInline) -> Iterator[list[Delimiter]]:
    yield state.delimiters
    for meta in state.tokens_meta:
        if meta and "delimiters" in meta:
            yield meta["delimiters"]


def _parser() -> MarkdownIt:
    nesting = _DEEPEST + _ROOM
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": nesting})
    parser.enable(["strikethrough", "table"])
    parser.disable([*_UNWANTED, *_UNWANTED_BLOCKS])
    blocks, inline = parser.block.ruler, parser.inline
    ends = ["paragraph", "reference", "blockquote", "list"]
    blocks.at("blockquote", _shallow(blockquote), {"alt": ends})
    blocks.at("list", _shallow(list_block), {"alt": ends[:3]})
    blocks.at("table", _even_table, {"alt": ends[:2]})
    inline.ruler.at("escape", escapes)
    inline.ruler.at("emphasis", _asterisks)
    inline.ruler.at("link", _complete(link))
    inline.ruler.at("image", _complete(image))
    inline.ruler.push("spoiler", _bars)
    inline.ruler2.after("strikethrough", "spoiler", _spoilers)
    inline.add_terminator_char("|")
    # What is no address leaves its brackets to be read.
    parser.validateLink = is_address  # type: ignore[assignment]
    return parser


_PARSER: Final = _parser()
