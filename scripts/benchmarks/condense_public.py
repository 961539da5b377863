"""Public long conversations as threads: what they hold is told by our own rules.

Nobody has a goal there. What the first of two speakers laid down and the exact things
of theirs, open or not, are found by apx itself, so that this counts what is lost on
the way, and not what is never found.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from apx.domain.anchors.reading import anchors
from apx.domain.standing import Standing, statements
from scripts.benchmarks.condense_truth import Fact, Talk, Told, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_SESSION = re.compile(r"session_(\d+)")
_LASTING = frozenset({Standing.GOAL, Standing.INSTRUCTION, Standing.CONSTRAINT})


def read(file: Path) -> list[Talk]:
    """Read conversations in the format of LoCoMo."""
    every = json.loads(file.read_text("utf-8"))
    return [_talk(n, one["conversation"]) for n, one in enumerate(every)]


def _talk(number: int, conversation: Mapping[str, Any]) -> Talk:
    said = list(_said(conversation))
    turns = [
        Told(text, answer) for text, answer in zip(said[::2], said[1::2], strict=False)
    ]
    return Talk(number, "en", tuple(turns), tuple(_facts(turns)))


def _said(conversation: Mapping[str, Any]) -> Iterator[str]:
    sessions = sorted(
        int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name))
    )
    for session in sessions:
        for turn in conversation[f"session_{session}"]:
            yield f"{turn['speaker']}: {turn['text']}"


def _facts(turns: Sequence[Told]) -> Iterator[Fact]:
    for number, told in enumerate(turns, start=1):
        for one in statements(told.request):
            if one.kind in _LASTING:
                yield Fact(Truth.LIMIT, one.text, number)
        for anchor in anchors(told.request):
            yield Fact(Truth.ANCHOR, anchor.text, number)
