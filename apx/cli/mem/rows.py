"""Lists of memories: which fields they have, how many were left out."""

from __future__ import annotations

from apx.mem.faults import wrong
from apx.mem.memory import KEYS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.cache import Row
    from apx.mem.toon import Json

USUAL: Final = ("id", "type", "title", "priority")
DOUBTED: Final = ("id", "title", "status", "confidence")
KNOWN: Final = (*KEYS, "start", "size")
# What stands for a memory in a prompt is as long as an abstract may be.
_GIST: Final = 120


def chosen(
    words: Words, usual: Sequence[str], known: Sequence[str] = KNOWN
) -> list[str]:
    """Give the fields that are wanted."""
    text = words.text("--fields")
    if text is None:
        return list(usual)
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        said = f"no field is called {unknown[0]!r}" if unknown else "no field is named"
        raise wrong(f"--fields: {said}", f"fields: {', '.join(known)}")
    return list(dict.fromkeys(names))


def table(rows: Sequence[Row], names: Sequence[str]) -> list[Json]:
    """Give rows as an answer has them."""
    return [{name: _cell(row, name) for name in names} for row in rows]


def lines(rows: Sequence[Row]) -> list[Json]:
    """Give a line for each row, as a prompt is to have it."""
    return [_line(row) for row in rows]


def counted(shown: int, total: int) -> str:
    """Say how many are shown of how many there are."""
    return f"{shown} of {total} total"


def _cell(row: Row, name: str) -> Json:
    value: str | int | float | None = row[name]
    if name == "tags":
        return str(value).split("\n") if value else []
    return None if value == "" else value


def _line(row: Row) -> str:
    gist = str(row["abstract"] or row["start"])
    if len(gist) > _GIST:
        gist = gist[: _GIST - 1].rstrip() + "…"
    said = f"{row['id']} {row['type']} {row['title']}"
    return f"{said} — {gist}" if gist else said
