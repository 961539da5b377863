"""Owns the process that reads one document: `python -m`, and the file is its input.

What it finds it says at once, in lines of JSON: `{"text": ...}` as often as it likes,
then one `{"note": ...}`. Where the note does not come, the process was killed.

The file may be made to harm. So there is a bound to memory and time, and before it is
read, the ways to write a file, to call somebody and to start a process are shut.
"""

from __future__ import annotations

import resource
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

from apx.providers import document_kinds, document_text
from apx.providers.child_side import limit, say, stay_inside, write_nothing
from apx.providers.document_note import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each line is short, so that whoever reads them is never busy for long.
_LINE: Final = 8192


def main(most: int, memory: int, seconds: int) -> None:
    """Read the document on the standard input."""
    limit(resource.RLIMIT_AS, memory)
    limit(resource.RLIMIT_CPU, seconds)
    try:
        # This looks at its first bytes, and imports what it takes. Python may want to
        # write down what it compiled, so the ways out are shut only then.
        text = _text(sys.stdin.buffer)
        write_nothing()
        stay_inside()
        note = _told(text, most)
    except Ended as error:
        note = str(error)
    except MemoryError:
        note = "it takes more memory to read than I give it"
    say({"note": note})


def _text(file: BinaryIO) -> Iterator[str]:
    """Give what reads a document, which begins when it is asked for the first piece."""
    head = document_text.sample(file)
    if not head:
        raise Ended("it is empty")
    if document_kinds.is_pdf(head):
        from apx.providers import document_pdf  # noqa: PLC0415 -- costs 0.1 s

        return document_pdf.pieces(file)
    if document_kinds.is_zip(head):
        from apx.providers import document_zip  # noqa: PLC0415 -- few need it

        return document_zip.pieces(file)
    if document_kinds.is_office(head):
        raise Ended(document_kinds.office(file.read()))
    return document_text.pieces(file, _encoding(head))


def _encoding(head: bytes) -> str:
    if said := document_kinds.words(head):
        raise Ended(said)
    found = document_text.encoding(head)
    if found is None:
        raise Ended(document_kinds.UNKNOWN)
    return found


def _told(pieces: Iterator[str], most: int) -> str:
    """Say so many characters of a text; gives what is to be noted."""
    left = most
    for piece in pieces:
        for place in range(0, min(len(piece), left), _LINE):
            say({"text": piece[place : min(place + _LINE, left)]})
        if len(piece) > left:
            return f"it is longer: these are its first {most:,} characters"
        left -= len(piece)
    return ""


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
