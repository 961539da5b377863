"""How many memories a store has, for who asks how the assistant is."""

from __future__ import annotations

from apx.mem import cache, wanted
from apx.mem.curated import is_unsure
from apx.mem.memory import ACTIVE, ARCHIVED, PROPOSED


def counted(root: str) -> dict[str, int]:
    """Count the active ones, those to review, and files that cannot be read; blocks."""
    with cache.opened(root) as known:
        rows = known.rows(wanted.parsed(status=wanted.ALL))
        odd = len(known.unreadable())
    living = [row for row in rows if row["status"] != ARCHIVED]
    waits = [row for row in living if row["status"] == PROPOSED or is_unsure(row)]
    active = sum(row["status"] == ACTIVE for row in living)
    return {"active": active, "to_review": len(waits), "unreadable": odd}
