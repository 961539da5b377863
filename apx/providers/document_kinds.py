"""Owns what a file is by its first bytes, in plain words; runs in the child."""

from __future__ import annotations

from typing import Final

UNKNOWN: Final = "a kind of file that I cannot read"
_INSIDE: Final = "I do not look inside"
_BLANK: Final = b"\xef\xbb\xbf\0 \t\r\n"  # what some programs put before

# Beginnings of what holds no text for us.
_KINDS: Final = (
    (b"Rar!\x1a\x07", f"a RAR archive: {_INSIDE}"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7z archive: {_INSIDE}"),
    (b"\x1f\x8b", f"a gzip archive: {_INSIDE}"),
    (b"\xfd7zXZ\x00", f"an xz archive: {_INSIDE}"),
    (b"\x28\xb5\x2f\xfd", f"a zstd archive: {_INSIDE}"),
    (b"BZh", f"a bzip2 archive: {_INSIDE}"),
    (b"{\\rtf", "an RTF document, which I cannot read: save it as PDF or .docx"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"8BPS", "a picture"),
    (b"ID3", "a recording"),
    (b"OggS", "a recording"),
    (b"fLaC", "a recording"),
    (b"\x1a\x45\xdf\xa3", "a video"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "a database, which I cannot read"),
)
_RIFF: Final = {b"WEBP": "a picture", b"WAVE": "a recording", b"AVI ": "a video"}
_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED: Final = "EncryptedPackage".encode("utf-16-le")
# Names inside a ZIP file that say what it is.
_PACKED: Final = (
    ("xl/workbook", "an Excel file, which I cannot read: save the sheet as CSV"),
    ("ppt/presentation", "a PowerPoint file, which I cannot read: save it as PDF"),
    ("content.xml", "an OpenDocument file, which I cannot read: save it as PDF"),
    ("META-INF/container.xml", "an e-book, which I cannot read: save it as PDF"),
    ("AndroidManifest.xml", "an Android app"),
)


def is_pdf(head: bytes) -> bool:
    """Whether these are the first bytes of a PDF document."""
    return head.lstrip(_BLANK).startswith(b"%PDF-")


def is_zip(head: bytes) -> bool:
    """Whether these are the first bytes of a ZIP file, a Word document among them."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_office(head: bytes) -> bool:
    """Whether it is what Office wrote before 2007, or what it locks with a password."""
    return head.startswith(_OFFICE)


def office(data: bytes) -> str:
    """Say which of the two it is."""
    if _LOCKED in data:
        return "it is locked with a password"
    return "an old Office file, which I cannot read: save it as PDF or .docx"


def words(head: bytes) -> str:
    """Say what a file is that holds no text for us; nothing where it may be text."""
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return "a picture" if head[8:11] in {b"hei", b"avi", b"mif"} else "a video"
    if head[257:262] == b"ustar":
        return f"a tar archive: {_INSIDE}"
    return next((said for begin, said in _KINDS if head.startswith(begin)), "")


def packed(names: list[str]) -> str:
    """Say what a ZIP file is by the names in it."""
    for begin, said in _PACKED:
        if any(name.startswith(begin) for name in names):
            return said
    return f"a ZIP archive: {_INSIDE}"
