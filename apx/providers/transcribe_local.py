"""Writes down recordings on this machine, with Whisper in a process of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.text import clean
from apx.providers import transcribe_main
from apx.providers.child import running, said
from apx.providers.failure import Asked

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from typing import BinaryIO

    from apx.domain.errors import ProviderError

MODEL: Final = "base"
MODEL_KEY: Final = "transcription.model"
PROVIDER_KEY: Final = "transcription.provider"

_MODULE: Final = "apx.providers.transcribe_main"
_THREADS: Final = 2
_MOST: Final = 4_000_000  # bytes of what it says; hours of talk


class LocalTranscriber:
    """A Whisper model of faster-whisper; its memory is free again after each use.

    `model` is a name such as `small`, or a directory. One recording is written down
    at a time, as one takes all that a small machine has.
    """

    def __init__(self, model: str = "", *, most: int = 1800) -> None:
        named = model or MODEL
        self._is_directory = named.startswith(("/", "~", "."))
        # Its process stands elsewhere, and has no home.
        self._model = str(Path(named).expanduser().absolute())
        shown = Path(named).name
        if not self._is_directory:
            self._model = shown = named
        self._asked = Asked("local", shown, model_key=MODEL_KEY)
        self._most = most
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        """`local:model`."""
        return self._asked.name

    async def transcribe(
        self, path: Path, name: str, media_type: str, language: str
    ) -> str:
        """Write down what is said in a recording; empty where nobody speaks."""
        del name, media_type  # its bytes say what it is
        try:
            file = await asyncio.to_thread(path.open, "rb")
        except OSError as error:
            raise self._refused("does not find the recording any more") from error
        with file:
            async with self._turn:
                return await self._heard(file, language)

    async def _heard(self, file: BinaryIO, language: str) -> str:
        arguments = (self._model, language, str(_THREADS), str(self._most))
        try:
            async with (
                running(_MODULE, arguments, file) as process,
                asyncio.timeout(transcribe_main.deadline(0)) as deadline,
            ):
                return await self._written(process, deadline)
        except TimeoutError as error:
            raise self._unavailable("did not finish in time") from error
        except OSError as error:
            raise self._unavailable("cannot be started now") from error

    async def _written(self, process: Process, deadline: asyncio.Timeout) -> str:
        pieces: list[str] = []
        async for told in said(process, _MOST):
            if told.get("done"):
                return clean("".join(pieces)).strip()
            if "fault" in told:
                raise self._fault(told["fault"])
            if "seconds" in told:
                allowed = transcribe_main.deadline(min(told["seconds"], self._most))
                deadline.reschedule(asyncio.get_running_loop().time() + allowed)
            pieces.append(str(told.get("text", "")))
        raise self._unavailable("broke off")

    def _unavailable(self, what: str) -> ProviderUnavailable:
        return ProviderUnavailable(f"{self.name} {what}", provider=self.name)

    def _fault(self, fault: object) -> ProviderError:
        if fault == transcribe_main.MISSING:
            return self._misconfigured(
                "is not installed: run `scripts/setup voice` (package"
                f" faster-whisper), or change {PROVIDER_KEY}",
                PROVIDER_KEY,
            )
        if fault == transcribe_main.MODEL:
            return self._misconfigured(self._cure(), MODEL_KEY)
        if fault == transcribe_main.LONG:
            minutes = f"{self._most / 60:.1f}".removesuffix(".0")
            return self._refused(f"listens to {minutes} minutes at most")
        return self._refused("cannot make sense of this recording")

    def _cure(self) -> str:
        if self._is_directory:
            return f"cannot be loaded: is {MODEL_KEY} the directory of a model?"
        return (
            f"is not on this machine: fetch it once with `.venv/bin/python -c 'import"
            f' faster_whisper as w; w.download_model("{self._asked.model}")\'`, or'
            f" write the directory of a model into {MODEL_KEY}"
        )

    def _misconfigured(self, what: str, key: str) -> ProviderMisconfigured:
        return ProviderMisconfigured(f"{self.name} {what}", provider=self.name, key=key)

    def _refused(self, what: str) -> ProviderRefused:
        return ProviderRefused(f"{self.name} {what}", provider=self.name)
