"""Writes down recordings with OpenAI, or a server that takes them as it does."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.text import clean
from apx.providers import openai
from apx.providers.client import LazyClient
from apx.providers.failure import Asked, unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from apx.domain.errors import ProviderError

MODEL: Final = "whisper-1"
# Half an hour of talk is written down in about one minute, and is sent before.
SECONDS: Final = 180.0
_UNREADABLE: Final = (ValueError, TypeError, AttributeError, LookupError)
_REFUSALS: Final = frozenset(
    {
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
    }
)
# Servers tell the format by the name, and know few: Telegram's `.oga` is Ogg.
_MAGIC: Final = (
    (0, b"OggS", "ogg"),
    (0, b"ID3", "mp3"),
    (0, b"fLaC", "flac"),
    (8, b"WAVE", "wav"),
    (4, b"ftypM4A", "m4a"),
    (4, b"ftyp", "mp4"),
    (0, b"\x1a\x45\xdf\xa3", "webm"),
)
_HEAD: Final = 32
_TYPES: Final = {
    "ogg": "audio/ogg",
    "mp3": "audio/mpeg",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "m4a": "audio/mp4",
    "mp4": "video/mp4",
    "webm": "video/webm",
}


@dataclass(frozen=True, slots=True)
class _Asked(Asked):
    """Who was asked, where another section of config.json says so."""

    section: str = "transcription"

    @property
    def url_key(self) -> str:
        """The config key of the address."""
        return f"{self.section}.base_url"

    @property
    def auth_key(self) -> str:
        """The config key of what opens the door."""
        return f"{self.section}.api_key"


class OpenAITranscriber:
    """A model behind OpenAI's protocol; without a `base_url` it is OpenAI's own.

    `section` is where config.json has address and key, for what is said of them.
    """

    def __init__(
        self,
        model: str = "",
        *,
        api_key: str,
        base_url: str = "",
        section: str = "transcription",
        seconds: float = SECONDS,
    ) -> None:
        self._asked = _Asked(
            "openai",
            model or MODEL,
            base_url or openai.VENDOR,
            model_key="transcription.model",
            section=section,
        )
        self._client = LazyClient(
            "openai", lambda: openai.connect(self._asked, api_key), openai.disconnect
        )
        self._seconds = seconds

    @property
    def name(self) -> str:
        """`openai:model`."""
        return self._asked.name

    async def transcribe(
        self, path: Path, name: str, media_type: str, language: str
    ) -> str:
        """Write down what is said in a recording, or raise a `ProviderError`."""
        del name, media_type  # what it is called is nobody's business there
        try:
            file = await asyncio.to_thread(path.open, "rb")
        except OSError as error:
            raise self._refused(
                f"{self.name} does not find the recording any more"
            ) from error
        with file:
            await self._client.load()
            try:
                async with asyncio.timeout(self._seconds):
                    return clean(await self._ask(file, language)).strip()
            except TimeoutError as error:
                raise ProviderUnavailable(
                    f"{self.name} did not write it down within {self._seconds:g} s",
                    provider=self.name,
                ) from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _ask(self, file: BinaryIO, language: str) -> str:
        import openai as sdk  # noqa: PLC0415 -- the SDK costs 0.6 s to import

        kind = _kind(file.read(_HEAD))
        file.seek(0)
        request: dict[str, Any] = {"language": language} if language else {}
        try:
            answer = await self._client.get().audio.transcriptions.create(
                file=(f"recording.{kind}", file, _TYPES[kind]),
                model=self._asked.model,
                response_format="json",
                **request,
            )
            return _text(answer.text)
        except sdk.APIError as error:
            status = error.status_code if isinstance(error, sdk.APIStatusError) else 0
            raise self._translated(openai.told(self._asked, error), status) from error
        except (*_UNREADABLE, sdk.OpenAIError) as error:
            raise unreadable(self._asked, began=False) from error

    def _translated(self, error: ProviderError, status: int) -> ProviderError:
        """Tell what is wrong with this recording from what no other would cure."""
        if isinstance(error, ContextOverflow):
            return self._refused(f"{self.name} does not take a recording this long")
        about_model = (
            isinstance(error, ProviderMisconfigured)
            and error.key == self._asked.model_key
        )
        if about_model and status in _REFUSALS:
            return self._refused(
                f"{self.name} does not take this recording ({status}); if it takes"
                f" none, try another {self._asked.model_key}"
            )
        return error

    def _refused(self, message: str) -> ProviderRefused:
        return ProviderRefused(message, provider=self.name)


def _kind(head: bytes) -> str:
    for place, magic, kind in _MAGIC:
        if head.startswith(magic, place):
            return kind
    return "mp3"  # which alone needs no beginning


def _text(told: object) -> str:
    if not isinstance(told, str):
        raise TypeError
    return told
