"""Curated memories in the words in which people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.text import bounded, excerpt
from apx.mem.curated import is_foreign, is_unsure
from apx.mem.memory import FLOOR, PROPOSED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Row

    from apx.mem.curated import Page
    from apx.mem.memory import Memory

BY_OTHERS: Final = "may be others' words"
_LONGEST: Final = 200
_BODY: Final = 3000


def listed(page: Page, what: str = "") -> str:
    """Write what was found, one a line, with the numbers that name them here."""
    lines = [
        f"{number}  {_line(row)} ({row['type']}, priority {row['priority']})"
        for number, row in enumerate(page.rows, start=1)
    ]
    if page.total > len(lines):
        lines.append(f"({len(lines)} of {page.total}{what})")
    return "\n".join(lines)


def waiting(rows: Sequence[Row], total: int) -> str:
    """Write what waits for somebody's look, one a line, with its number and why."""
    lines = [
        f"{number}  {_line(row)} ({', '.join([row['type'], *_marks(row)])})"
        for number, row in enumerate(rows, start=1)
    ]
    if total > len(lines):
        lines.append(f"({total - len(lines)} more wait)")
    return "\n".join(lines)


def card(memory: Memory) -> str:
    """Write all that is known of a memory."""
    status = [memory.status, memory.type.name, f"priority {memory.priority}"]
    days = [
        f"{name} {memory.text(name)}"
        for name in ("created", "updated", "verified")
        if memory.text(name)
    ]
    others = [BY_OTHERS] if is_foreign(memory.text("source")) else []
    sure = f"confidence {memory.confidence:g}"
    lines = [
        memory.title,
        memory.text("abstract"),
        ", ".join([*status, sure, *others]),
        ", ".join(days),
        f"tags: {', '.join(memory.tags)}" if memory.tags else "",
        f"scope: {memory.text('scope')}" if memory.text("scope") else "",
        memory.id,
    ]
    head = "\n".join(filter(None, lines))
    body = bounded(memory.said.strip(), _BODY)
    return f"{head}\n\n{body}" if body else head


def _line(row: Row) -> str:
    more = row["abstract"] or row["start"]
    text = f"{row['title']} \u2014 {more}" if more else row["title"]
    return excerpt(text, _LONGEST)


def _marks(row: Row) -> list[str]:
    """Say why a memory waits."""
    if row["status"] == PROPOSED:
        why = "proposed"
    elif is_unsure(row) and row["confidence"] < FLOOR:
        why = f"confidence {row['confidence']:g}"
    else:
        why = "never verified"
    return [why, *([BY_OTHERS] if is_foreign(row["source"] or "") else [])]
