"""What is measured: conversations with questions whose evidence is known."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apx.domain.chunk import Chunk, Stored
from apx.domain.message import Role
from apx.domain.recall import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PROJECT = Path(__file__).parents[2]
# Questions of this category have no answer.
ADVERSARIAL = 5
CATEGORIES = {1: "multi-hop", 2: "dates", 3: "inference", 4: "single"}

_SESSION = re.compile(r"session_(\d+)")
_PLACE = re.compile(r"D(\d+):(\d+)")
_WHEN = "%I:%M %p on %d %B, %Y"
_BETWEEN = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Item:
    """A question, where it is asked, and the chunks that answer it."""

    number: int
    text: str
    conversation: int
    evidence: tuple[int, ...]
    category: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Corpus:
    """Conversations, as chunks with the ids 1, 2, 3 and so on, and their questions."""

    rows: Sequence[Stored]
    items: Sequence[Item]

    def rows_of(self, conversation: int) -> list[Stored]:
        """Give the chunks of one conversation."""
        thread = thread_of(conversation)
        return [row for row in self.rows if row.chunk.thread == thread]


def data_directory() -> Path:
    """Give the directory of data sets: APX_DATA, or the one beside the project."""
    beside = PROJECT.parent / "shared" / "data"
    return Path(os.environ.get("APX_DATA") or beside)


def corpus(files: Iterable[Path], limit: int = 0) -> Corpus:
    """Read files in the format of LoCoMo; a limit takes every n-th question."""
    rows: list[Stored] = []
    items: list[Item] = []
    every: list[Mapping[str, Any]] = []
    for file in files:
        every += json.loads(file.read_text("utf-8"))
    for number, one in enumerate(every):
        places = _turns(one["conversation"], number, rows)
        items += _items(one["qa"], number, places, rows[-1].chunk.at)
    if limit:
        items = items[:: max(1, len(items) // limit)]
    return Corpus(rows, [_numbered(item, place) for place, item in enumerate(items)])


def evidence_places(written: Iterable[str]) -> list[tuple[int, int]]:
    """Read evidence such as `D8:6; D9:17`; gives sessions and turns."""
    found = [place for text in written for place in _PLACE.findall(text)]
    return [(int(session), int(turn)) for session, turn in found]


def told(texts: Sequence[str], first: int = 1) -> list[Stored]:
    """Make a chunk of each text, told on different days in threads of their own."""
    start = datetime(2025, 1, 6, 9, tzinfo=UTC)
    return [
        Stored(
            first + place,
            _chunk(first + place, text, start + timedelta(days=place), f"f:{place}"),
        )
        for place, text in enumerate(texts)
    ]


def thread_of(conversation: int) -> str:
    """Name the thread of a conversation."""
    return f"bench:{conversation}"


def _turns(
    conversation: Mapping[str, Any], number: int, rows: list[Stored]
) -> dict[tuple[int, int], int]:
    """Add the turns of a conversation to the rows; gives the id of each place."""
    places = {}
    sessions = sorted(
        int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name))
    )
    for session in sessions:
        written = conversation[f"session_{session}_date_time"]
        begin = datetime.strptime(written, _WHEN).replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[f"session_{session}"]):
            new = len(rows) + 1
            places.update(dict.fromkeys(evidence_places([turn["dia_id"]]), new))
            at = begin + place * _BETWEEN
            thread = thread_of(number)
            chunk = _chunk(new, turn["text"], at, thread, turn["speaker"])
            rows.append(Stored(new, chunk))
    return places


def _items(
    asked: Iterable[Mapping[str, Any]],
    number: int,
    places: Mapping[tuple[int, int], int],
    last: datetime,
) -> list[Item]:
    items = []
    for one in asked:
        found = evidence_places(one["evidence"])
        evidence = sorted({places[place] for place in found if place in places})
        if not evidence or one["category"] == ADVERSARIAL:
            continue
        category = one["category"]
        at = last + timedelta(days=1)
        items.append(Item(0, one["question"], number, tuple(evidence), category, at))
    return items


def _numbered(item: Item, number: int) -> Item:
    return Item(
        number, item.text, item.conversation, item.evidence, item.category, item.at
    )


def _chunk(
    number: int, text: str, at: datetime, thread: str, speaker: str = ""
) -> Chunk:
    return Chunk(
        seq=number,
        kind=Kind.MESSAGE,
        role=Role.USER,
        text=text,
        at=at,
        turn=number,
        thread=thread,
        channel="bench",
        person="bench",
        audience="bench",
        speaker=speaker,
    )
