"""How much is remembered, how it can be found, and what is behind."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from apx.wiring.recalling import Recalling
    from apx.wiring.remembering import Remembering


async def memory_report(rooms: Remembering, home: Path) -> dict[str, Any]:
    """Give all of it as JSON takes it; sizes are bytes on the disk."""
    recall = rooms.recall
    spaces = await recall.spaces.progress()
    return {
        "notes": await rooms.books.sync(),
        "curated": await rooms.curating.counts(),
        "chunks": await recall.chunks.size(),
        "loaded": recall.engine.ready.is_set(),
        "events": await rooms.history.last_seq(),
        "indexed": await recall.chunks.cursor(),
        "last_pass": _told(rooms),
        "spaces": [asdict(space) for space in spaces],
        "providers": recall.embedders.allowed(),
        "trouble": {**recall.embedders.failures, **embedding_trouble(recall)},
        "files": await asyncio.to_thread(_sizes, home),
    }


def embedding_trouble(recall: Recalling) -> dict[str, str]:
    """Name what is degraded about vectors."""
    said = {"embedding": recall.spaces.trouble, "questions": recall.spaces.asking}
    return {name: why for name, why in said.items() if why}


def _told(rooms: Remembering) -> str | None:
    at = rooms.recall.passed_at
    return at.astimezone(rooms.zone).isoformat(timespec="seconds") if at else None


def _sizes(home: Path) -> dict[str, int]:
    arrays = sum(path.stat().st_size for path in (home / "index").glob("*/*"))
    database = home / "memory.db"
    return {"memory.db": database.stat().st_size, "index": arrays}
