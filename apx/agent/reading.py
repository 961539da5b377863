"""What of an attachment can be read: its text, or what is said in it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.agent.listening import Read, attached
from apx.domain.attachment import SPOKEN, Attachment, Medium
from apx.domain.errors import InputError
from apx.providers.pictures import MOST, picture

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from apx.agent.listening import Listening
    from apx.providers.documents import Extract

NOBODY_LISTENS: Final = (
    "I cannot listen to recordings here: transcription.provider in config.json"
)
_VIDEO: Final = "I do not watch videos"


class Reading:
    """Reads documents, and recordings where somebody can."""

    def __init__(
        self,
        extract: Callable[[Path, str, str], Awaitable[Extract]],
        listening: Listening | None = None,
    ) -> None:
        self._extract = extract
        self._listening = listening

    async def read(self, file: Attachment, path: Path) -> Read:
        """Read an attachment whose bytes are at a path."""
        if file.medium in SPOKEN:
            if self._listening is None:
                return Read(replace(file, note=NOBODY_LISTENS))
            return await self._listening.heard(file, path)
        if file.medium is Medium.DOCUMENT and not file.media_type.startswith("image/"):
            return await self._document(file, path)
        if file.medium is Medium.VIDEO:
            return Read(replace(file, note=_VIDEO))
        return await asyncio.to_thread(_seen, file, path)

    async def _document(self, file: Attachment, path: Path) -> Read:
        found = await self._extract(path, file.title, file.media_type)
        read = replace(file, note=found.note)
        return Read(read, quoted=attached(file, found.text) if found.text else None)


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
