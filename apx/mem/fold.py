"""How texts are written when they are compared."""

from __future__ import annotations

from itertools import groupby

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Scripts that put no blank between words: Thai, Lao, Burmese, Khmer, kana, Chinese.
_DENSE: Final = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
# Phones write these for the plain ones, as people type.
_CURLY: Final = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u02bc"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f"), '"'),
}
# The points of Hebrew, which few texts have; its hyphen and its bars are none.
_POINTS: Final = dict.fromkeys(
    {*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7}
)


def straight(text: str) -> str:
    """Give a text with plain quotes."""
    return text if text.isascii() else text.translate(_CURLY)


def fold(text: str) -> str:
    """Give a text on one line without case, accents, width and curly quotes.

    What is equal to a reader is equal here, in any script.
    """
    if text.isascii():
        return " ".join(text.casefold().replace("\0", " ").split())
    from apx.domain.normal import normal  # noqa: PLC0415 -- ASCII needs none

    whole = text.encode("utf-8", "replace").decode()
    return straight(normal(whole.replace("\0", " "))).translate(_POINTS)


def pieces(word: str) -> list[str]:
    """Cut a word into what another text may share with it.

    Where no blanks part words, a run of letters is cut into pairs of neighbours.
    """
    if word.isascii():
        return [word]
    found = []
    for is_dense, letters in groupby(word, _is_dense):
        run = "".join(letters)
        is_cut = is_dense and len(run) > 1
        found += [run[at : at + 2] for at in range(len(run) - 1)] if is_cut else [run]
    return found


def _is_dense(letter: str) -> bool:
    return any(first <= letter <= last for first, last in _DENSE)
