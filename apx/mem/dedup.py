"""Which memories have almost the same title."""

from __future__ import annotations

from math import ceil

from apx.mem.faults import wrong
from apx.mem.fold import fold, pieces

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    Item = tuple[str, str, str]
    Pair = tuple[str, str, float]
    Titled = tuple[str, frozenset[str]]

# 0.1 + 0.2 is more than 3 of 10 words: so small a difference is none.
_HAIR: Final = 1e-9


def pairs(items: Sequence[Item], threshold: float = 0.6) -> list[Pair]:
    """Give the pairs of one type whose titles share enough words, most alike first.

    An item is (id, type, title). Enough is a part of the words of both (Jaccard), more
    than 0 and at most 1; in scripts without blanks, of the pairs of neighbours.
    """
    if not 0 < threshold <= 1:
        raise wrong(f"a threshold of {threshold}: it is more than 0, and at most 1")
    by_type: dict[str, list[Titled]] = {}
    for name, kind, title in items:
        if words := tokens(title):
            by_type.setdefault(kind, []).append((name, words))
    least = threshold - _HAIR
    found = [pair for same in by_type.values() for pair in _alike(same, least)]
    return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


def tokens(title: str) -> frozenset[str]:
    """Give the words of a title, however cased and accented; signs, if it has none."""
    plain = fold(title)
    spaced = "".join(one if one.isalnum() else " " for one in plain).split()
    words = spaced or plain.split()
    return frozenset(piece for word in words for piece in pieces(word))


def _alike(items: list[Titled], least: float) -> Iterator[Pair]:
    """Compare each only with those that share one of its rare words.

    Prefix filtering (Chaudhuri, Ganti and Kaushik, 2006): with words in one order, two
    sets that share t of n words share one of the first n - t + 1 of each. From the
    small to the large, so that what is too small for one is so for all after it.
    """
    many: dict[str, int] = {}
    for _, words in items:
        for word in words:
            many[word] = many.get(word, 0) + 1
    # Each word's memories by their sizes, and where the large enough ones begin.
    seen: dict[str, list[int]] = {}
    begun: dict[str, int] = {}
    items = sorted(items, key=lambda item: len(item[1]))
    for at, (name, words) in enumerate(items):
        size = len(words)
        shared = max(ceil(least * size), 1)
        rare = sorted(words, key=lambda word: (many[word], word))
        near: set[int] = set()
        for word in rare[: size - shared + 1]:
            others = seen.setdefault(word, [])
            start = begun.get(word, 0)
            while start < len(others) and len(items[others[start]][1]) < shared:
                start += 1
            begun[word] = start
            near.update(others[start:])
            others.append(at)
        for other in near:
            theirs, same = items[other]
            both = len(words & same)
            likeness = both / (size + len(same) - both)
            if likeness >= least:
                yield min(name, theirs), max(name, theirs), likeness
