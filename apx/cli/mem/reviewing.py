"""The command `apx mem review`: what somebody is to look at, and what came of it."""

from __future__ import annotations

from apx.cli.mem import rows
from apx.cli.mem.opening import opened, several, today
from apx.cli.mem.shown import Told, every
from apx.mem import actions, cache, wanted
from apx.mem.faults import wrong
from apx.mem.memory import ARCHIVED, FLOOR, PROPOSED

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.cache import Row
    from apx.mem.store import Store
    from apx.mem.toon import Json

_LIST: Final = 50


def review(words: Words) -> Told:
    """List what somebody is to look at, or say what came of it."""
    accepted, rejected = words.many("--accept"), words.many("--reject")
    names = rows.chosen(words, rows.DOUBTED)
    floor = words.number("--min-confidence", FLOOR)
    limit = words.whole("--limit", _LIST)
    store = opened()
    if accepted or rejected:
        return _reviewed(store, accepted, rejected)
    with cache.opened(store.root) as known:
        found = known.rows(wanted.parsed(status=wanted.ALL))
    living = [row for row in found if row["status"] != ARCHIVED]
    waiting = [row for row in living if _is_doubted(row, floor)]
    # What somebody proposed waits for an answer; of the rest, the doubtful first.
    waiting.sort(
        key=lambda row: (row["status"] != PROPOSED, row["confidence"] >= floor)
    )
    data: dict[str, Json] = {
        "count": rows.counted(len(waiting[:limit]), len(living)),
        "mem": rows.table(waiting[:limit], names),
    }
    if waiting:
        first = waiting[0]["id"]
        data["help"] = [
            f"apx mem show {first}",
            f"apx mem review --accept {first}",
            f"apx mem review --reject {first}",
        ]
    return Told(data)


def _reviewed(store: Store, accepted: Sequence[str], rejected: Sequence[str]) -> Told:
    with cache.opened(store.root) as known:
        good, bad = several(known, accepted), several(known, rejected)
    both = set(good) & set(bad)
    if both:
        raise wrong(f"{both.pop()}: accept or reject, not both")
    day = today()
    done = [actions.accept(store, name, today=day) for name in good]
    done += [actions.reject(store, name, today=day) for name in bad]
    return every(done, "apx mem review")


def _is_doubted(row: Row, floor: float) -> bool:
    is_proposed = row["status"] == PROPOSED
    return is_proposed or row["confidence"] < floor or not row["verified"]
