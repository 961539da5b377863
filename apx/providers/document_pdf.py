"""Owns the reading of PDF documents; runs in the child."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, BinaryIO, Final

from pypdf import PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from apx.providers.document_note import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypdf import PageObject

# What pypdf lets through where a file is not what it says. One page of it does not
# cost the others.
_FAULTS: Final = (
    *(PyPdfError, DependencyError, ArithmeticError, AttributeError, LookupError),
    *(NotImplementedError, RecursionError, TypeError, ValueError, AssertionError),
)

_BROKEN: Final = "it is broken: I cannot read it"


def pieces(file: BinaryIO) -> Iterator[str]:
    """Give the text of a document page by page, or say why there is none."""
    logging.disable()
    pages = _pages(file)
    read = broken = 0
    for page in pages:
        try:
            text = page.extract_text().strip()
        except _FAULTS:
            broken += 1
            continue
        if text:
            yield f"\n\n{text}" if read else text
            read += 1
    if broken == len(pages):
        raise Ended(_BROKEN)
    if broken:
        raise Ended(f"I cannot read {broken} of its {len(pages)} pages")
    if not read:
        raise Ended(_wordless(pages))


def _pages(file: BinaryIO) -> list[PageObject]:
    """Give the pages; what a document claims to have is not believed."""
    try:
        reader = PdfReader(file)
        # Many are locked against changes alone, and open with no password.
        if reader.is_encrypted and not reader.decrypt(""):
            raise Ended("it is locked with a password")
        return list(reader.pages)
    except DependencyError as error:
        raise Ended(
            "it is locked in a way that I cannot open, perhaps with a password"
        ) from error
    except LimitReachedError as error:
        raise Ended("there is too much in it for me") from error
    except _FAULTS as error:
        raise Ended(_BROKEN) from error


def _wordless(pages: list[PageObject]) -> str:
    if any(map(_has_pictures, pages)):
        return "it has no text in it, only pictures"
    return "it has no text in it"


def _has_pictures(page: PageObject) -> bool:
    try:
        return len(page.images) > 0
    except _FAULTS:
        return False
