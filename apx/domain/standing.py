"""What of a person's message holds beyond its moment, word for word."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from apx.domain.standing_text import Sentence


class Standing(StrEnum):
    """In what way a sentence outlives the message that it is in."""

    GOAL = "goal"
    INSTRUCTION = "instruction"
    CONSTRAINT = "constraint"
    TASK = "task"
    DONE = "done"
    WISH = "wish"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a person, exactly as it was written, and how it holds.

    `is_exact` says that it names an id, an address, an amount or a day.
    """

    kind: Standing
    text: str
    at: datetime | None = None
    is_exact: bool = False


def statements(text: str) -> tuple[Statement, ...]:
    """Give what of a person's message holds beyond its moment, in order.

    A sentence is given once for each way in which it holds. What is quoted, code
    and logs are not the person's word.
    """
    return tuple(
        Statement(kind, sentence.text)
        for sentence, kinds in _read(text)
        for kind in Standing
        if kind in kinds
    )


def _read(text: str) -> Iterator[tuple[Sentence, frozenset[str]]]:
    """Give each sentence with its kinds; points of a list may have their heading's."""
    from apx.domain.standing_text import own_sentences  # noqa: PLC0415 -- patterns
    from apx.domain.standing_words import kinds_in  # noqa: PLC0415 -- that few turns need

    heading: frozenset[str] = frozenset()
    for sentence in own_sentences(text):
        kinds = kinds_in(sentence.spoken)
        if sentence.is_point:
            kinds = kinds - {Standing.WISH} or heading or kinds
        else:
            heading = kinds if sentence.is_heading else frozenset()
        yield sentence, kinds
