"""Owns the chats that the benchmark of the index makes up, the same in every run.

Words: two of five are English stop words; the others follow Zipf's law
(1 / (rank + 29) to the power of 1.07) over 100,000 made-up ones, or, half of them,
over 2,000 of the 20,000 most frequent, in an order of the topic's own; there are 200
topics. One chunk in three bears a name, one in five
a number, one in twenty a date; one in twenty-five is of Chinese characters. Lengths
are 8 to 40 words, short ones more often. Sessions of 10 to 60 messages, a minute
apart, of one topic each, in one of so many threads, follow each other after hours.

Every 1,000 chunks have a seed of their own: a smaller corpus is the beginning of a
larger one. 47 of 50 blocks of 1,000 are of the audience `home`, the rest of others.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.domain.chunk import Chunk
from apx.domain.message import Role
from apx.domain.recall import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Chance = np.random.Generator

BLOCK: Final = 1_000
HOME: Final = "home"
AUDIENCES: Final = (HOME, "person-1")
TOPICS: Final = 200

_WORDS: Final = 100_000
_COMMON, _TOPICAL = 20_000, 2_000
_NAMES: Final = 2_000
_DENSE, _STOPPED, _OF_TOPIC, _ASKING = 0.04, 0.4, 0.5, 0.2  # shares
_SIGNS: Final = 3_000
# The first ranks of a language are stop words, which are drawn apart.
_HEAD: Final = 30
_BEGAN: Final = datetime(2020, 1, 1, tzinfo=UTC)
STOP: Final = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "that",
    "is",
    "was",
    "it",
    "for",
    "on",
    "with",
    "as",
    "be",
    "at",
    "by",
    "this",
    "have",
    "from",
    "or",
    "had",
    "not",
    "are",
    "but",
    "what",
    "all",
    "were",
    "when",
    "we",
    "there",
    "been",
    "if",
    "more",
    "so",
    "no",
    "out",
    "up",
    "into",
    "do",
    "any",
    "your",
    "can",
    "who",
    "will",
    "about",
    "me",
    "my",
    "you",
    "they",
    "he",
    "she",
    "his",
    "her",
    "then",
    "them",
    "how",
    "i",
    "would",
]
_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True, slots=True)
class Message:
    """What is said, and by whom, where and when."""

    text: str
    speaker: str
    thread: int
    topic: int
    at: datetime


def audience_of(block: int) -> str:
    """Name the audience of a block."""
    return f"person-{block // 50 % 5 + 1}" if block % 50 in {17, 33, 49} else HOME


def chunks(block: int) -> list[Chunk]:
    """Make the chunks of a block."""
    audience = audience_of(block)
    return [
        Chunk(
            seq=block * BLOCK + number + 1,
            kind=Kind.MESSAGE,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            text=said.text,
            at=said.at,
            turn=(block * BLOCK + number) // 2 + 1,
            thread=f"chat:{audience}-{said.thread}",
            channel="chat",
            person=said.speaker,
            audience=audience,
            speaker=said.speaker,
        )
        for number, said in enumerate(messages(block))
    ]


def messages(block: int) -> Iterator[Message]:
    """Make what is said in a block, session after session."""
    chance = np.random.default_rng((7, block))
    at = _BEGAN + timedelta(minutes=2.5 * BLOCK * block)
    made = 0
    while made < BLOCK:
        many = min(int(chance.integers(10, 61)), BLOCK - made)
        thread, topic = int(chance.integers(300)), int(chance.integers(TOPICS))
        people = [_name((thread * 13 + one) % _NAMES) for one in range(2 + thread % 4)]
        for number in range(many):
            at += timedelta(seconds=int(chance.integers(20, 100)))
            text = _text(chance, topic)
            yield Message(text, people[number % len(people)], thread, topic, at)
        at += timedelta(hours=int(chance.integers(4, 12)))
        made += many


@cache
def topics(block: int) -> Ints:
    """Give the topic of each chunk of a block."""
    return np.array([said.topic for said in messages(block)])


def _text(chance: Chance, topic: int) -> str:
    length = 8 + int(32 * chance.random() ** 2)
    if chance.random() < _DENSE:
        signs = _ranks(chance, _SIGNS, length)
        return "".join(chr(0x4E00 + int(sign)) for sign in signs)
    ranks = _ranks(chance, _WORDS, length)
    is_stop = chance.random(length) < _STOPPED
    is_topical = chance.random(length) < _OF_TOPIC
    # Each topic has an order of its own: both are prime to the number of words.
    own = _ranks(chance, _TOPICAL, length)
    numbers = np.where(is_topical, (own * 7_919 + topic * 3_571) % _COMMON, ranks)
    words = [
        STOP[rank % len(STOP)] if stop else _word(number)
        for rank, number, stop in zip(
            ranks.tolist(), numbers.tolist(), is_stop.tolist(), strict=True
        )
    ]
    return " ".join(words + _extras(chance)) + (
        "?" if chance.random() < _ASKING else "."
    )


def _extras(chance: Chance) -> list[str]:
    dice = chance.random(3)
    extras = []
    if dice[0] < 1 / 3:
        extras.append(_name(int(_ranks(chance, _NAMES, 1)[0])))
    if dice[1] < 1 / 5:
        extras.append(str(int(10 ** (1 + 5 * chance.random()))))
    if dice[2] < 1 / 20:
        extras.append(f"{chance.integers(1, 29)} {_MONTHS[chance.integers(12)]}")
    return extras


def _ranks(chance: Chance, many: int, size: int) -> Ints:
    return np.searchsorted(_sums(many), chance.random(size))


@lru_cache
def _sums(many: int) -> npt.NDArray[np.float64]:
    shares = 1 / np.arange(_HEAD, many + _HEAD) ** 1.07
    sums: npt.NDArray[np.float64] = np.cumsum(shares / shares.sum())
    sums[-1] = 1
    return sums


@lru_cache(maxsize=_WORDS)
def _word(number: int) -> str:
    """Spell a number in syllables, closed by a letter that is no ending."""
    spelt = ""
    number += 75
    while number:
        number, syllable = divmod(number, 75)
        spelt += "bdfgklmnprstvjz"[syllable // 5] + "aeiou"[syllable % 5]
    return spelt + "kpgbf"[len(spelt) % 5]


def _name(number: int) -> str:
    return _word(number * 31 + 500_000).capitalize()
