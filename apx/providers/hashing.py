"""Owns the embedder `tf`: vectors from the letters and words alone, without a model."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from apx.domain.small_words import STOP_CHARACTERS, STOP_WORDS
from apx.domain.text import normal, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from apx.ports import Vectors

# What a feature weighs, by its class: of a small word, of a word, of three letters.
# Tried on questions in three languages and on long conversations.
_WEIGHTS: Final = np.array([0.3, 1.0, 0.15])
_SMALL, _WORD, _GRAM = range(3)
# Documents lighter than this share their length with a number that no query has, so
# that "yes" does not beat an answer just by being short (pivoted length, slope .3).
_PIVOT: Final = 10.0
_SLOPE: Final = 0.3
_BALLAST: Final = 0
_FEWEST_DIMS: Final = 16

_PUNCTUATION: Final = ".,!?:;\"'()[]…"
_SPACE: Final = ord(" ")
_FACTORS: Final = np.array([0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35], dtype=np.uint32)
_CODE_BITS: Final = np.uint64(34)  # two of the class, 32 of the hash
_MOST_TERMS: Final = 100_000
# A slice keeps its arrays in the cache of the processor, and its thread short.
_SLICE: Final = 256
_QUICK: Final = 8


class HashingEmbedder:
    """Finds texts that share words or parts of words; always there.

    `idf` says what a term is worth to a query; documents do not know it, so that
    their vectors never go stale.
    """

    def __init__(
        self, dims: int = 256, *, idf: Callable[[str], float] | None = None
    ) -> None:
        if dims < _FEWEST_DIMS:
            raise ValueError(f"{dims} dimensions are too few to hash into")
        self._dims = dims
        self._idf = idf

    @property
    def identity(self) -> str:
        """`tf:v1@256`; whoever changes the features or their weights makes it v2."""
        return f"tf:v1@{self._dims}"

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return self._dims

    async def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in a thread when they are many."""
        if len(texts) <= _QUICK:
            return hashed(texts, self._dims)
        rows = [
            await asyncio.to_thread(hashed, texts[at : at + _SLICE], self._dims)
            for at in range(0, len(texts), _SLICE)
        ]
        return np.concatenate(rows)

    async def query(self, text: str) -> Vectors:
        """Embed what is looked for."""
        return hashed_query(text, self._dims, self._idf)


def hashed(texts: Sequence[str], dims: int) -> Vectors:
    """Embed documents, one row each."""
    rows, codes = _features(texts)
    keys, counts = np.unique((rows << _CODE_BITS) | codes, return_counts=True)
    weights = _WEIGHTS[_classes(keys)] * (1 + np.log(counts))
    places = (keys >> _CODE_BITS).astype(np.int64) * dims + _buckets(keys, dims)
    flat = np.bincount(places, _signs(keys) * weights, minlength=len(texts) * dims)
    vectors = flat.astype(np.float64).reshape(len(texts), dims)
    return _pivoted(vectors).astype(np.float32)


def hashed_query(
    text: str, dims: int, idf: Callable[[str], float] | None = None
) -> Vectors:
    """Embed a query, by what its terms are worth if that is known."""
    _, codes = _features([text])
    keys, counts = np.unique(codes, return_counts=True)
    weights = _WEIGHTS[_classes(keys)] * (1 + np.log(counts))
    if idf is not None:
        worth = _worths(text, idf)
        worthy = weights * np.array([worth.get(int(key), 1.0) for key in keys])
        weights = worthy if worthy.any() else weights
    places = _buckets(keys, dims)
    vector = np.bincount(places, _signs(keys) * weights, minlength=dims)
    length = float(np.linalg.norm(vector))
    if length == 0:
        # Blank, or features that cancelled each other out to the last.
        vector[1 + _hash(text) % (dims - 1)] = 1
        return vector.astype(np.float32)
    return (vector / length).astype(np.float32)


def _pivoted(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1)
    shares = np.minimum(1, lengths / ((1 - _SLOPE) * _PIVOT + _SLOPE * lengths))
    vectors *= np.divide(
        shares, lengths, out=np.zeros_like(lengths), where=lengths > 0
    )[:, None]
    vectors[:, _BALLAST] = np.sqrt(1 - shares * shares)
    return vectors


def _features(
    texts: Sequence[str],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give the row and the code of each feature of these texts."""
    if len(_TERMS) > _MOST_TERMS:
        _TERMS.clear()
    codes: list[int] = []
    ends = [0]
    for text in texts:
        codes += [_TERMS[term] for term in terms(text)]
        ends.append(len(codes))
    rows = np.repeat(np.arange(len(texts), dtype=np.uint64), np.diff(ends))
    gram_rows, grams = _grams([_telling(normal(text)) for text in texts])
    return (
        np.concatenate([rows, gram_rows]),
        np.concatenate([np.array(codes, dtype=np.uint64), grams]),
    )


def _telling(plain: str) -> str:
    """Leave the small words out, unless there is nothing else."""
    words = plain.split(" ")
    told = [word for word in words if word.strip(_PUNCTUATION) not in STOP_WORDS]
    return f" {' '.join(told or words)} "


def _grams(padded: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give each three letters that stand together, the ends of words among them."""
    data = "".join(padded).encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(data, dtype="<u4").astype(np.uint32)
    lengths = [len(text) for text in padded]
    rows = np.repeat(np.arange(len(padded), dtype=np.uint64), lengths)[1:-1]
    first, middle, last = letters[:-2], letters[1:-1], letters[2:]
    mixed = first * _FACTORS[0] ^ middle * _FACTORS[1] ^ last * _FACTORS[2]
    mixed ^= mixed >> np.uint32(15)
    mixed *= _FACTORS[1]
    mixed ^= mixed >> np.uint32(13)
    # Around a space stand two words, or two texts.
    inside = middle != _SPACE
    codes = mixed[inside].astype(np.uint64) | np.uint64(_GRAM << 32)
    return rows[inside], codes


class _Terms(dict[str, int]):
    """The code of each term met so far."""

    def __missing__(self, term: str) -> int:
        self[term] = code = _class(term) << 32 | _hash(term)
        return code


_TERMS: Final = _Terms()


def _class(term: str) -> int:
    small = term in _small_terms() or not STOP_CHARACTERS.isdisjoint(term)
    return _SMALL if small else _WORD


@cache
def _small_terms() -> frozenset[str]:
    return frozenset(term for word in STOP_WORDS for term in terms(word))


def _hash(feature: str) -> int:
    # Any salt is as good in the long run; with this one fewer of the common words of
    # our trials fall together.
    return (
        crc32(f"u{feature}".encode("utf-8", "surrogatepass")) * 0x9E3779B1 & 0xFFFFFFFF
    )


def _classes(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    return ((keys >> np.uint64(32)) & np.uint64(3)).astype(np.int64)


def _buckets(keys: NDArray[np.uint64], dims: int) -> NDArray[np.int64]:
    drawn = (keys & np.uint64(0xFFFFFFFF)) >> np.uint64(8)
    return 1 + (drawn % np.uint64(dims - 1)).astype(np.int64)


def _signs(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    return np.where(keys & np.uint64(0x80), 1.0, -1.0)


def _worths(text: str, idf: Callable[[str], float]) -> dict[int, float]:
    """Give what each feature is worth; letters are worth what their word is."""
    worths: dict[int, float] = {}
    for word in text.split():
        worth = {term: max(idf(term), 0.0) for term in terms(word)}
        worths |= {_TERMS[term]: value for term, value in worth.items()}
        mean = sum(worth.values()) / len(worth) if worth else 1.0
        _, grams = _grams([f" {normal(word)} "])
        worths.update(dict.fromkeys(map(int, grams), mean))
    return worths
