"""Grapheme clusters: where a text may be cut without cutting what a person sees."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from wcwidth import iter_graphemes

_ANY: Final = b"\x01"


def borders(text: str) -> bytes:
    """Give a 1 for each index of `text`, and its end, where a visible character begins.

    A joined emoji, a flag, a syllable of Hangul or Devanagari is one character.
    """
    # Of ASCII only CR and LF stick together, and nobody cuts there.
    if text.isascii():
        return _ANY * (len(text) + 1)
    found = bytearray(len(text) + 1)
    found[0] = 1
    for end in accumulate(map(len, iter_graphemes(text))):
        found[end] = 1
    return bytes(found)
