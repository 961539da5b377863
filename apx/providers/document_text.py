"""Owns the reading of plain text, whatever its encoding; runs in the child."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, BinaryIO, Final

from apx.providers.document_note import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

# The long mark first: that of UTF-16 is its beginning.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GUESS: Final = "cp1252"  # what "Latin-1" is in most files
_SAMPLE: Final = 64 * 1024
_CHUNK: Final = 64 * 1024
# Of what plain text never holds, one in so many characters is a slip.
_STRANGE: Final = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_SLIPS: Final = 100


def encoding(sample: bytes) -> str | None:
    """Tell the encoding of a file by its beginning; None where it is no text."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    if wide := _wide(sample):
        return wide
    if sum(byte in _STRANGE for byte in sample) * _SLIPS > len(sample):
        return None
    try:
        # The sample may end inside a character.
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return _GUESS
    return "utf-8"


def pieces(file: BinaryIO, name: str) -> Iterator[str]:
    """Give the text of a file in pieces; what is broken in it is a question mark."""
    decoder = codecs.getincrementaldecoder(name)("replace")
    is_first = True
    while data := file.read(_CHUNK):
        text = decoder.decode(data)
        yield text.removeprefix("\ufeff") if is_first else text
        is_first = False
    yield decoder.decode(b"", final=True)
    if name == _GUESS:
        raise Ended("its encoding is a guess: accents and the like may be wrong")


def sample(file: BinaryIO) -> bytes:
    """Give the beginning of a file, to look at; it is read from there again."""
    file.seek(0)
    data = file.read(_SAMPLE)
    file.seek(0)
    return data


def _wide(sample: bytes) -> str:
    """Tell UTF-16 without a mark: of most scripts every other byte is the same."""
    pairs = len(sample) // 2
    even, odd = sample[: pairs * 2 : 2].count(0), sample[1 : pairs * 2 : 2].count(0)
    if odd * 2 > pairs and not even:
        return "utf-16-le"
    if even * 2 > pairs and not odd:
        return "utf-16-be"
    return ""
