"""Owns the reading of what is packed as a ZIP file; runs in the child."""

from __future__ import annotations

import zlib
from lzma import LZMAError
from typing import TYPE_CHECKING, BinaryIO, Final
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

from apx.providers import document_docx, document_kinds
from apx.providers.document_note import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAULTS: Final = (
    *(BadZipFile, ExpatError, zlib.error, LZMAError, EOFError, LookupError),
    *(NotImplementedError, OSError, RuntimeError, ValueError),
)
_LOCKED: Final = 0x1


def pieces(file: BinaryIO) -> Iterator[str]:
    """Give the text of a Word document; of anything else, say what it is."""
    try:
        with ZipFile(file) as archive:
            name = document_docx.main_part(archive)
            if not name:
                raise Ended(document_kinds.packed(archive.namelist()))
            if archive.getinfo(name).flag_bits & _LOCKED:
                raise Ended("it is locked with a password")
            yield from document_docx.pieces(archive)
    except _FAULTS as error:
        raise Ended("it is broken: I cannot read all of it") from error
