"""What of an attachment can be read: its text, or what is said in it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.attachment import SPOKEN, Attachment, Medium
from apx.domain.errors import InputError, ProviderError
from apx.domain.quoted import Provenance, Quoted
from apx.domain.secrets import mask
from apx.providers.pictures import MOST, picture

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from apx.ports import Transcriber
    from apx.providers.documents import Extract

NOBODY_LISTENS: Final = (
    "I cannot listen to recordings here: transcription.provider in config.json"
)
_TOO_LONG: Final = "longer than I listen to (transcription.max_seconds)"
_VIDEO: Final = "I do not watch videos"


@dataclass(frozen=True, slots=True)
class Read:
    """An attachment with what was read of it.

    `added` are words that the person spoke; `quoted` is what others wrote.
    """

    file: Attachment
    added: str = ""
    quoted: Quoted | None = None


class Reading:
    """Reads documents, and recordings where somebody can."""

    def __init__(
        self,
        extract: Callable[[Path, str, str], Awaitable[Extract]],
        transcriber: Transcriber | None,
        language: str = "",
        seconds: int = 1800,
    ) -> None:
        self._extract = extract
        self._transcriber = transcriber
        self._language = language
        self._seconds = seconds

    async def read(self, file: Attachment, path: Path) -> Read:
        """Read an attachment whose bytes are at a path."""
        if file.medium in SPOKEN:
            return await self._heard(file, path)
        if file.medium is Medium.DOCUMENT and not file.media_type.startswith("image/"):
            return await self._document(file, path)
        if file.medium is Medium.VIDEO:
            return Read(replace(file, note=_VIDEO))
        return await asyncio.to_thread(_seen, file, path)

    async def _heard(self, file: Attachment, path: Path) -> Read:
        if self._transcriber is None:
            return Read(replace(file, note=NOBODY_LISTENS))
        if file.seconds > self._seconds:
            return Read(replace(file, note=_TOO_LONG))
        try:
            text = await self._transcriber.transcribe(
                path, file.title, file.media_type, self._language
            )
        except ProviderError as error:
            return Read(replace(file, note=str(error)))
        return _said(file, text.strip())

    async def _document(self, file: Attachment, path: Path) -> Read:
        found = await self._extract(path, file.title, file.media_type)
        read = replace(file, note=found.note)
        return Read(read, quoted=_attached(file, found.text) if found.text else None)


def _seen(file: Attachment, path: Path) -> Read:
    """Look whether a picture is one that models see."""
    try:
        # The first bytes tell; a large one is not read whole for that.
        with path.open("rb") as opened:
            beginning = opened.read(MOST + 1)
        picture(beginning)
    except InputError as error:
        return Read(replace(file, note=str(error)))
    return Read(file)


def _said(file: Attachment, text: str) -> Read:
    """Take what was heard; only what a person says into the microphone is theirs."""
    if not text:
        return Read(replace(file, note="nothing is said in it"))
    if file.is_others or file.medium is not Medium.VOICE:
        return Read(file, quoted=_attached(file, text))
    return Read(file, added=text)


def _attached(file: Attachment, text: str) -> Quoted:
    return Quoted(Provenance.ATTACHED, file.title or str(file.medium), mask(text))
