"""Tells people what was forgotten for good, and what was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apx.domain.erasing import Removed


def told(removed: Removed, *, will: bool = False) -> str:
    """Say for people what was removed, or `will` be, and what was not."""
    counted = [
        f"{number} {name if number == 1 else names}"
        for number, name, names in _counts(removed)
        if number
    ]
    word = "This would be forgotten:" if will else "Forgot"
    said = f"{word} {', '.join(counted)}." if counted else _nothing(removed)
    if removed.files:
        said += f" Removed {', '.join(removed.files)}."
    return "\n".join([said, *(f"• {remark}" for remark in removed.left)])


def _nothing(removed: Removed) -> str:
    return "Nothing was forgotten." if removed.left else "Nothing said it."


def _counts(removed: Removed) -> list[tuple[int, str, str]]:
    return [
        (removed.threads, "conversation", "conversations"),
        (removed.notes, "note", "notes"),
        (removed.memories, "curated memory", "curated memories"),
        (removed.messages, "message", "messages"),
        (removed.records, "record of what was looked up or done", "records of turns"),
        (removed.summaries, "summary", "summaries"),
        (removed.facts, "proposed fact", "proposed facts"),
        (removed.chunks, "entry of the index", "entries of the index"),
        (removed.vectors, "vector", "vectors"),
        (removed.lines, "line of notes", "lines of notes"),
        (removed.log_lines, "line of the daily log", "lines of the daily log"),
        (removed.history, "typed line", "typed lines"),
    ]
