"""What is said in a recording comes back as text, or as an error that helps."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.providers.transcribe_openai import OpenAITranscriber
from tests.servers.faults import Drop, Hang, Raw, failing, web_page
from tests.servers.transcription import TranscriptionServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

OGG = b"OggS\0\2 and so on"


@pytest.fixture
async def server() -> AsyncIterator[TranscriptionServer]:
    async with TranscriptionServer() as server:
        yield server


@pytest.fixture
async def transcriber(
    server: TranscriptionServer,
) -> AsyncIterator[OpenAITranscriber]:
    made = OpenAITranscriber("tiny", api_key="sk-1", base_url=server.base_url)
    yield made
    await made.aclose()


@pytest.fixture
def recording(tmp_path: Path) -> Callable[[bytes], Path]:
    def made(data: bytes) -> Path:
        (tmp_path / "voice").write_bytes(data)
        return tmp_path / "voice"

    return made


@pytest.fixture
def voice(recording: Callable[[bytes], Path]) -> Path:
    return recording(OGG)


async def test_a_recording_comes_back_as_text(
    server: TranscriptionServer, transcriber: OpenAITranscriber, voice: Path
):
    """The server learns what it needs: no name of a file, no guess at a language."""
    server.text = "\n Buy bread\0. "

    text = await transcriber.transcribe(voice, "my diary.oga", "audio/x", "")

    (sent,) = server.recordings
    assert text == "Buy bread."
    assert transcriber.name == "openai:tiny"
    assert (sent.name, sent.media_type, sent.data) == (
        "recording.ogg",
        "audio/ogg",
        OGG,
    )
    assert sent.fields == {"model": "tiny", "response_format": "json"}
    assert sent.headers["Authorization"] == "Bearer sk-1"


async def test_a_language_that_is_known_is_told(
    server: TranscriptionServer, transcriber: OpenAITranscriber, voice: Path
):
    """Then nobody has to guess."""
    await transcriber.transcribe(voice, "", "", "es")

    assert server.recordings[0].fields["language"] == "es"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"ID3\4", "recording.mp3"),
        (b"\xff\xfb\x90", "recording.mp3"),
        (b"RIFF\0\0\0\0WAVEfmt ", "recording.wav"),
        (b"\0\0\0\x20ftypM4A ", "recording.m4a"),
        (b"\0\0\0\x20ftypisom", "recording.mp4"),
        (b"\x1a\x45\xdf\xa3", "recording.webm"),
        (b"fLaC", "recording.flac"),
    ],
)
async def test_servers_tell_the_format_by_a_name(
    server: TranscriptionServer,
    transcriber: OpenAITranscriber,
    recording: Callable[[bytes], Path],
    data: bytes,
    name: str,
):
    """So it has the one that its bytes deserve."""
    await transcriber.transcribe(recording(data), "x.oga", "", "")

    assert server.recordings[0].name == name


async def test_silence_is_no_error(
    server: TranscriptionServer, transcriber: OpenAITranscriber, voice: Path
):
    """There is nothing to say about it, and nobody failed."""
    server.text = ""

    assert await transcriber.transcribe(voice, "", "", "") == ""


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (failing(401), ProviderMisconfigured, "transcription.api_key"),
        (failing(404, {"error": {"message": "no such model"}}), None, "does not exist"),
        (failing(404), ProviderMisconfigured, "transcription.base_url"),
        (web_page(), ProviderMisconfigured, "transcription.base_url"),
        (Raw((b"{}",)), ProviderMisconfigured, "transcription.base_url"),
        (Raw((b'{"text": 7}',)), ProviderMisconfigured, "transcription.base_url"),
        (failing(413), ProviderRefused, "this long"),
        (failing(400), ProviderRefused, r"does not take this recording \(400\)"),
        (failing(429, retry_after="7"), ProviderUnavailable, "too many requests"),
        (failing(500), ProviderUnavailable, "out of order"),
        (Drop(), ProviderUnavailable, "dropped the connection"),
    ],
)
async def test_what_goes_wrong_is_said_once(
    server: TranscriptionServer,
    transcriber: OpenAITranscriber,
    voice: Path,
    fault,
    kind,
    words: str,
):
    """Not tried again behind anybody's back, and the key to change is named."""
    server.faults.append(fault)

    with pytest.raises(kind or ProviderMisconfigured, match=words):
        await transcriber.transcribe(voice, "", "", "")

    assert len(server.recordings) == 1


async def test_nobody_there_is_said(voice: Path):
    """With the key of the address that is meant."""
    transcriber = OpenAITranscriber(
        api_key="", base_url="http://127.0.0.1:9/v1", section="engines.openai"
    )

    with pytest.raises(ProviderUnavailable, match=r"engines\.openai\.base_url"):
        await transcriber.transcribe(voice, "", "", "")
    await transcriber.aclose()


async def test_openai_itself_wants_a_key(voice: Path):
    """Nothing is sent without one."""
    transcriber = OpenAITranscriber(api_key="")

    with pytest.raises(ProviderMisconfigured, match=r"openai:whisper-1: .*is empty"):
        await transcriber.transcribe(voice, "", "", "")


async def test_one_deadline_holds_for_all_of_it(
    server: TranscriptionServer, voice: Path
):
    """Whoever waits is told."""
    transcriber = OpenAITranscriber(
        "tiny", api_key="k", base_url=server.base_url, seconds=0.2
    )
    server.faults.append(Hang())

    with pytest.raises(ProviderUnavailable, match=r"within 0\.2 s"):
        await transcriber.transcribe(voice, "", "", "")
    await server.until_idle()
    await transcriber.aclose()


async def test_a_recording_that_is_gone_is_said(
    transcriber: OpenAITranscriber, tmp_path: Path
):
    """It may have been erased meanwhile."""
    with pytest.raises(ProviderRefused, match="any more"):
        await transcriber.transcribe(tmp_path / "none", "", "", "")


async def test_a_large_recording_does_not_hold_up_others(
    server: TranscriptionServer,
    transcriber: OpenAITranscriber,
    recording: Callable[[bytes], Path],
):
    """Twenty megabytes go out in pieces."""
    await transcriber.transcribe(recording(OGG), "", "", "")
    voice = recording(OGG + bytes(20_000_000))
    longest, last = 0.0, time.thread_time()
    task = asyncio.ensure_future(transcriber.transcribe(voice, "", "", ""))
    while not task.done():
        await asyncio.sleep(0)
        longest, last = max(longest, time.thread_time() - last), time.thread_time()

    assert await task
    assert len(server.recordings[1].data) == len(OGG) + 20_000_000
    assert longest < 0.5
