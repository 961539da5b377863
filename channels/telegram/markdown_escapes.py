"""Which backslashes take a mark's meaning away, and which are meant to be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it.rules_inline import escape

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

# These act wherever they stand; others only where a line or a link begins.
_MARKS: Final = "*_`~|"
_STARTS: Final = "#>+-"
_NUMBER: Final = re.compile(r"[ \t]*\d{1,9}")
_LINK: Final = re.compile(r"\\\[[^\[\]\n]{0,200}\]\(")
# What no one writes for the sake of a mark: of a path, a pattern, a formula.
_LITERAL: Final = re.compile(r"\\[^\s*_`~|\[\]#>+\-]|\\\[.+\\\]|^[A-Za-z]:\\")
_SPACE: Final = re.compile(r"\s")
# A word of any length need not be looked at: nobody's path is so long.
_AROUND: Final = 100


def escapes(state: StateInline, silent: bool) -> bool:
    """Leave a backslash out only where the mark behind it would act."""
    text, at = state.src, state.pos
    if text[at] != "\\":
        return False
    mark = text[at + 1 : at + 2]
    if not mark or mark.isspace() or _is_escape(text, at, mark):
        return bool(escape(state, silent))
    if not silent:
        state.pending += text[at : at + 2]
    state.pos += 2
    return True


def _is_escape(text: str, at: int, mark: str) -> bool:
    if mark == "[":
        return _LINK.match(text, at) is not None
    if mark == "]":
        return text.startswith("(", at + 2) and "\\[" in text[max(at - 200, 0) : at]
    if mark in _MARKS:
        return not _is_in_word(text, at, mark) and not _is_literal(text, at)
    before = text[text.rfind("\n", 0, at) + 1 : at]
    if mark in ".)":
        is_spaced = text[at + 2 : at + 3].isspace()
        return is_spaced and _NUMBER.fullmatch(before) is not None
    return mark in _STARTS and not before.strip() and not _is_literal(text, at)


def _is_in_word(text: str, at: int, mark: str) -> bool:
    """Whether it would not act anyway; an underscore is escaped for all that."""
    before, after = text[at - 1 : at] if at else "", text[at + 2 : at + 3]
    return mark != "_" and before.isalnum() and after.isalnum()


def _is_literal(text: str, at: int) -> bool:
    """Whether it is in a word with backslashes that are no escapes."""
    before = _SPACE.split(text[max(at - _AROUND, 0) : at])[-1]
    after = _SPACE.split(text[at : at + _AROUND], maxsplit=1)[0]
    return _LITERAL.search(before + after) is not None
