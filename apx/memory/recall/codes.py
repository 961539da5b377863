"""Owns vectors in small: eight bits a number for scoring, one bit for looking around.

Measured elsewhere and here: scores from eight bits find what float32 finds; of the
nearest by one bit a number, rescoring a few hundred finds nearly all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Signed = npt.NDArray[np.int8]
    Words = npt.NDArray[np.uint64]
    Rows = npt.NDArray[np.intp]

_HIGHEST: Final = 127
_WORD: Final = 64
_AT_ONCE: Final = 1 << 14
_IN_CACHE: Final = 256  # rows whose float32 stay in a core's cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Vectors `rows[i] * scales[i]`: int8 [n, dims] and float32 [n]."""

    rows: Signed
    scales: Floats

    @classmethod
    def of(cls, vectors: Floats) -> Self:
        """Round float32 [n, dims] to 8 bits a number, by the largest of each row."""
        scales = np.abs(vectors).max(axis=1, initial=0.0) / _HIGHEST
        scales = np.where(scales > 0, scales, 1).astype(np.float32)
        rows = np.rint(vectors / scales[:, None]).astype(np.int8)
        return cls(rows, scales)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.rows)

    @property
    def dims(self) -> int:
        """How long each is."""
        return int(self.rows.shape[1])

    def take(self, chosen: Rows) -> Codes:
        """Give some of them, in a given order."""
        # `take` copies whole rows; an index in brackets goes number by number.
        return Codes(self.rows.take(chosen, axis=0), self.scales.take(chosen))

    def vectors(self) -> Floats:
        """Give them as float32 [n, dims]."""
        vectors = self.rows.astype(np.float32)
        vectors *= self.scales[:, None]
        return vectors

    def scores(self, query: Floats) -> Floats:
        """Give the dot product of each with a query: float32 [n]."""
        scores = np.empty(self.size, np.float32)
        for start in range(0, self.size, _IN_CACHE):
            part = slice(start, start + _IN_CACHE)
            np.dot(self.rows[part].astype(np.float32), query, out=scores[part])
        scores *= self.scales
        return scores


def joined(parts: list[Codes]) -> Codes:
    """Put codes one after the other."""
    return Codes(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.scales for part in parts]),
    )


def signs(vectors: Floats, centre: Floats) -> Words:
    """Give one bit a number, whether it is above the centre: uint64 [n, words].

    Without the centre, embedders whose vectors all point the same way (E5) would
    give the same bits for every text.
    """
    bits = np.packbits(vectors > centre, axis=1, bitorder="little")
    words = -(-vectors.shape[1] // _WORD)
    padded = np.zeros((len(vectors), words * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


def all_signs(codes: Codes, centre: Floats) -> Words:
    """Give the bits of many vectors without unpacking all of them at once."""
    words = -(-codes.dims // _WORD)
    found = np.empty((codes.size, words), np.uint64)
    for start in range(0, codes.size, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        piece = Codes(codes.rows[part], codes.scales[part])
        found[part] = signs(piece.vectors(), centre)
    return found


def differing(bits: Words, query: Words) -> npt.NDArray[np.uint16]:
    """Count the bits in which each row differs from a query: uint16 [n]."""
    counts = np.zeros(len(bits), np.uint16)
    for word in range(bits.shape[1]):
        counts += np.bitwise_count(bits[:, word] ^ query[word])
    return counts


def mean(codes: Codes) -> Floats:
    """Give the middle of a sample of the vectors: float32 [dims]."""
    step = max(1, codes.size // _AT_ONCE)
    sample = Codes(codes.rows[::step], codes.scales[::step])
    middle: Floats = sample.vectors().mean(axis=0, dtype=np.float32)
    return middle


def packed(codes: Codes) -> list[bytes]:
    """Give each vector as memory.db keeps it: its scale, then its numbers."""
    scales = codes.scales.astype("<f4")
    return [
        scale.tobytes() + row.tobytes()
        for scale, row in zip(scales, codes.rows, strict=True)
    ]


def unpacked(data: list[bytes]) -> Codes:
    """Read vectors as memory.db keeps them; all are of one length."""
    table = np.frombuffer(b"".join(data), np.uint8).reshape(len(data), -1)
    scales = np.ascontiguousarray(table[:, :4]).view("<f4")[:, 0]
    return Codes(table[:, 4:].view(np.int8).copy(), scales.astype(np.float32))
