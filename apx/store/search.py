"""Finding messages by their literal words, in the ledger itself."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import aiosqlite

from apx.domain.text import normal
from apx.store.database import read_only

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from apx.domain.thread import Thread

# A search by hand may read the whole ledger, but not for ever: newest first, then
# what was found within this many seconds.
_SECONDS: Final = 3.0
_STEPS: Final = 10_000

_SEARCH: Final = """
select id, thread, request, final, began_at,
 role = 'guest' or quoted <> '[]' or tainted as others from turn
where audience in (select value from json_each(?)) and (? = '' or thread = ?)
and hidden = 0 and holds(request, coalesce(final, partial)) order by id desc limit ?
"""


@dataclass(frozen=True, slots=True)
class Said:
    """A message that holds the words; `field` says whose: `person` or `assistant`.

    `is_untrusted` says that other people's words are in it, or were in its prompt.
    """

    turn: int
    thread: str
    field: str
    text: str
    at: datetime
    is_untrusted: bool = False


class MessageSearch:
    """Reads over a connection of its own, so that no turn waits for a search."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def search(
        self, text: str, audiences: Sequence[str], thread: Thread | None, limit: int
    ) -> list[Said]:
        """Find what contains a text, whatever its case, width and accents."""
        wanted = normal(text)
        if not wanted:
            return []
        where = str(thread or "")
        values = (json.dumps(list(audiences)), where, where, limit)
        found: list[aiosqlite.Row] = []
        async with aiosqlite.connect(read_only(self._path), uri=True) as connection:
            connection.row_factory = aiosqlite.Row
            await _bound(connection, wanted)
            try:
                async with connection.execute(_SEARCH, values) as cursor:
                    async for row in cursor:
                        found.append(row)  # noqa: PERF401 -- what came before a timeout stays
            except aiosqlite.OperationalError as error:
                if "interrupted" not in str(error):
                    raise
        return [_said(row, wanted) for row in found]


async def _bound(connection: aiosqlite.Connection, wanted: str) -> None:
    end = time.monotonic() + _SECONDS

    def holds(*texts: str | None) -> bool:
        if time.monotonic() > end:
            return False
        return any(wanted in normal(text or "") for text in texts)

    await connection.create_function("holds", 2, holds)
    await connection.set_progress_handler(lambda: int(time.monotonic() > end), _STEPS)


def _said(row: aiosqlite.Row, wanted: str) -> Said:
    mine = wanted in normal(row["request"])
    return Said(
        turn=row["id"],
        thread=row["thread"],
        field="person" if mine else "assistant",
        text=row["request"] if mine else row["final"] or "",
        at=datetime.fromisoformat(row["began_at"]),
        is_untrusted=bool(row["others"]),
    )
