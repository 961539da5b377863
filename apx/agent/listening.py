"""What is said in a recording, written down within what may be spent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.attachment import Attachment, Medium
from apx.domain.errors import ProviderError
from apx.domain.message import Usage
from apx.domain.quoted import Provenance, Quoted
from apx.domain.secrets import mask
from apx.domain.text import estimate_tokens
from apx.domain.usage import Call, account

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from apx.ports import Transcriber

_TOO_LONG: Final = "longer than I listen to (transcription.max_seconds)"
_USED_UP: Final = "not listened to: what may be spent today is used up"


@dataclass(frozen=True, slots=True)
class Read:
    """An attachment with what was read of it.

    `added` are words that the person spoke; `quoted` is what others wrote.
    """

    file: Attachment
    added: str = ""
    quoted: Quoted | None = None


class Listening:
    """Listens for people; `may` says whether one may still spend, `count` is told."""

    def __init__(
        self,
        transcriber: Transcriber,
        language: str,
        seconds: int,
        may: Callable[[str], Awaitable[bool]],
        count: Callable[[Call], None],
    ) -> None:
        self._transcriber = transcriber
        self._language = language
        self._seconds = seconds
        self._may = may
        self._count = count

    async def heard(self, file: Attachment, path: Path) -> Read:
        """Write down what is said; the person is the one who spends."""
        if file.seconds > self._seconds:
            return Read(replace(file, note=_TOO_LONG))
        if not await self._may(account().person):
            return Read(replace(file, note=_USED_UP))
        try:
            text = await self._transcriber.transcribe(
                path, file.title, file.media_type, self._language
            )
        except ProviderError as error:
            return Read(replace(file, note=str(error)))
        # Vendors bill seconds; counted is what came of them.
        spent = Usage(completion=estimate_tokens(text))
        self._count(Call(account(), self._transcriber.name, spent))
        return _said(file, text.strip())


def _said(file: Attachment, text: str) -> Read:
    """Take what was heard; only what a person says into the microphone is theirs."""
    if not text:
        return Read(replace(file, note="nothing is said in it"))
    if file.is_others or file.medium is not Medium.VOICE:
        return Read(file, quoted=attached(file, text))
    return Read(file, added=text)


def attached(file: Attachment, text: str) -> Quoted:
    """Give the words of an attachment as what they are: others'."""
    return Quoted(Provenance.ATTACHED, file.title or str(file.medium), mask(text))
