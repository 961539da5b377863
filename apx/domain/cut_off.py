"""Whether a summary stops in the middle of what it was saying."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from typing import Final

from apx.domain.summary import names_section

_FENCE: Final = re.compile(r"\s{0,8}(?:`{3,}+(?!.*`)|~{3,})")
_BULLET: Final = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)]) +")
_ENDED: Final = re.compile(r"[.!?…。！？؟।:;)\]}\"'”’»」』】`*_|>~]\s*$")
_OPEN_END: Final = re.compile(r"(?:[,，、،]|\w-)$")
# Words that nothing ends with, unless it was cut: they want another word.
_WANTING_SAID: Final = """
and or but the of with because which und oder aber weil dass der einen einem
pero porque del las los una unas et ou mais des du parce que qui dont
perché che della delle degli nel nella gli porém pelo pela en het een omdat
oraz ale lub który że ve ile için и или но что который с в на для к و أو في من على
"""
_WANTING: Final = frozenset(_WANTING_SAID.split())
_LAST_WORD: Final = re.compile(r"(?<=\s)[^\W\d_]{1,12}$")
_LEAST: Final = 5  # lines that show how the others end
_SENTENCE: Final = 30  # characters


def is_cut_off(text: str) -> bool:
    """Tell by clear signs that the end of a text is missing.

    A list may end without a full stop, and so may a text whose other lines do.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    if not lines:
        return False
    last = lines[-1]
    if sum(bool(_FENCE.match(line)) for line in lines) % 2:
        return True
    if _FENCE.match(last) or names_section(last):
        return False
    return _is_open(last) or _is_unlike(lines)


def _is_open(last: str) -> bool:
    """Whether a line wants to go on: a comma, an "and", a bold word not closed."""
    if _OPEN_END.search(last) or last.endswith((":", "：")):
        return True
    if last.count("**") % 2 or last.count("`") % 2:
        return True
    if any(last.count(a) > last.count(b) for a, b in ("()", "[]", "（）", "「」")):
        return True
    word = _LAST_WORD.search(last)
    return word is not None and word[0] in _WANTING


def _is_unlike(lines: list[str]) -> bool:
    """Whether the last line alone has no full stop although it is a sentence."""
    *others, last = [line for line in lines if not names_section(line)]
    told = [line for line in others if len(line) >= _SENTENCE]
    if len(told) < _LEAST or len(last) < _SENTENCE or _ENDED.search(last):
        return False
    ends_in_word = last.split()[-1].isalpha()
    return ends_in_word and all(_ENDED.search(line) for line in told)
