"""What `apx mem search --features=vector` adds: memories near in meaning."""

from __future__ import annotations

import asyncio
import os
from statistics import fmean, pstdev

from apx.desk.client import RemoteDesk
from apx.domain.curated import Fact
from apx.domain.errors import ApxError
from apx.home import place
from apx.mem.store import Store
from apx.mem.wanted import Wanted, parsed
from apx.memory.curated.ranking import Ranking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from apx.mem.cache import Cache, Row
    from apx.mem.wanted import Filters

_PATIENCE: Final = 2.0
# Of what has one of the words, the best so many are weighed.
_WEIGHED: Final = 200
_BODY: Final = 2_000
# What a standard deviation of likeness counts, where the best by words counts 1.
_LIKE: Final = 0.1
# Without any of the words, one is found that stands out so far.
_NEAR: Final = 1.0


def fused(root: str, known: Cache, want: Wanted, query: str) -> tuple[list[Row], str]:
    """Give what words and meaning find together, and how that went.

    The owner of the home compares; without one, or an answer in time, words decide.
    """
    try:
        near = _deviations(asyncio.run(_asked(root, query)))
    except TimeoutError:
        return known.rows(want), "lexical (no answer in time)"
    except ApxError as error:
        return known.rows(want), f"lexical ({error})"
    rows = {row["id"]: row for row in known.rows(Wanted(**_filters(want)))}
    loosely: Filters = {**_filters(want), "any": True, "limit": _WEIGHED}
    words = _weighed(root, known.rows(parsed(query, **loosely)), query)
    found = words.keys() | {name for name, by in near.items() if by >= _NEAR}
    best = sorted(
        found & rows.keys(),
        key=lambda name: (-words.get(name, 0.0) - _LIKE * near.get(name, 0.0), name),
    )
    return [rows[name] for name in best[: want.limit]], "vector"


async def _asked(root: str, query: str) -> list[tuple[str, float]]:
    desk = RemoteDesk(place(os.environ))
    async with asyncio.timeout(_PATIENCE):
        told = await desk.call("mem_vectors", text=query, root=root)
    return [(str(name), float(cosine)) for name, cosine in told]


def _deviations(cosines: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Say of each how far it stands out from all, in their spread."""
    values = [cosine for _, cosine in cosines]
    mean = fmean(values) if values else 0.0
    spread = pstdev(values) if values else 0.0
    return {name: (cosine - mean) / max(spread, 1e-6) for name, cosine in cosines}


def _weighed(root: str, rows: Sequence[Row], query: str) -> Mapping[str, float]:
    """Say how well each fits by its words; the best one by 1."""
    store = Store(root)
    facts = {row["id"]: _fact(row, store.read(row["id"]).said) for row in rows}
    scored = Ranking().found(facts, query, ("",))
    most = max((one.score for one in scored), default=0.0) or 1.0
    # What has a word in the midst of another one is found, too, and counts little.
    return dict.fromkeys(facts, 0.0) | {s.fact.id: s.score / most for s in scored}


def _fact(row: Row, body: str) -> Fact:
    return Fact(
        row["id"],
        row["type"],
        row["title"],
        abstract=row["abstract"],
        body=body[:_BODY],
        tags=tuple(row["tags"].split("\n")),
    )


def _filters(want: Wanted) -> Filters:
    return {
        "type": want.type,
        "tags": want.tags,
        "scope": want.scope,
        "sees": want.sees,
        "min_priority": want.min_priority,
        "status": want.status,
    }
