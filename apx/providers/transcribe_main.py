"""Owns the process that listens: `python -m`, and the recording is its input.

It speaks lines of JSON: `{"seconds": ...}` once it knows how long the recording is,
`{"text": ...}` for each piece that it understood, then `{"done": true}`; or, in place
of any of these, `{"fault": ...}` with one of the words below.
"""

from __future__ import annotations

import os
import resource
import sys
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from apx.providers.child_side import limit, say, write_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    Sound = NDArray[np.float32]

    class _Segment(Protocol):
        text: str

    class _WhisperModel(Protocol):
        def transcribe(
            self, audio: Sound, **how: object
        ) -> tuple[Iterable[_Segment], object]: ...


MISSING: Final = "missing"
MODEL: Final = "model"
LONG: Final = "long"
UNREADABLE: Final = "unreadable"

_RATE: Final = 16_000  # what Whisper hears
_FULL: Final = 32_768
_NICE: Final = 5
# Recordings alone. A playlist is a format too, and would have us fetch what it names.
_FORMATS: Final = "ogg,mp3,mov,mp4,m4a,matroska,webm,wav,flac,aac,amr,aiff,caf"
_OPTIONS: Final = {"format_whitelist": _FORMATS, "protocol_whitelist": "none"}
_LOAD: Final = 60
_EACH: Final = 4


def deadline(seconds: float) -> float:
    """Give how long it may take to listen to so many seconds, loading included."""
    return _LOAD + _EACH * seconds


def main(model: str, language: str, threads: int, most: int) -> None:
    """Write down the recording on the standard input."""
    os.nice(_NICE)
    # A model that is not here is the person's to fetch: it has hundreds of megabytes.
    os.environ["HF_HUB_OFFLINE"] = "1"
    limit(resource.RLIMIT_CPU, int(deadline(0)) * threads)
    try:
        whisper, av = import_module("faster_whisper"), import_module("av")
    except ImportError:
        say({"fault": MISSING})
        return
    # Python may have written down what it compiled; now nothing is written any more.
    write_nothing()
    try:
        heard = _decoded(av, sys.stdin.buffer, most)
    except (OSError, ValueError, LookupError):
        say({"fault": UNREADABLE})
        return
    if heard is None:
        say({"fault": LONG})
        return
    seconds = len(heard) / _RATE
    say({"seconds": seconds})
    limit(resource.RLIMIT_CPU, int(deadline(seconds)) * threads)
    try:
        model_of_it = whisper.WhisperModel(
            model, device="cpu", compute_type="int8", cpu_threads=threads
        )
    except (OSError, RuntimeError, ValueError):
        say({"fault": MODEL})
        return
    _listen(model_of_it, heard, language)


def _listen(model: _WhisperModel, heard: Sound, language: str) -> None:
    # Without the filter it makes up words where nobody speaks; with what it said
    # before in mind, it repeats itself.
    segments, _ = model.transcribe(
        heard,
        language=language or None,
        vad_filter=True,
        condition_on_previous_text=False,
    )
    for segment in segments:
        say({"text": segment.text})
    say({"done": True})


def _decoded(av: ModuleType, file: BinaryIO, most: int) -> Sound | None:
    """Give the sound as Whisper wants it; none if it is longer than so many seconds."""
    import numpy as np  # noqa: PLC0415 -- whoever wants the words above needs none

    left, pieces = most * _RATE, [np.zeros(0, np.int16)]
    for piece in _samples(av, file):
        left -= len(piece)
        if left < 0:
            return None
        pieces.append(piece)
    return np.concatenate(pieces).astype(np.float32) / np.float32(_FULL)


def _samples(av: ModuleType, file: BinaryIO) -> Iterator[NDArray[np.int16]]:
    resampler = av.AudioResampler(format="s16", layout="mono", rate=_RATE)
    with av.open(file, options=_OPTIONS, metadata_errors="ignore") as container:
        for frame in container.decode(audio=0):
            for part in resampler.resample(frame):
                yield part.to_ndarray().reshape(-1)
    for part in resampler.resample(None):
        yield part.to_ndarray().reshape(-1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
