"""The wishes to forget that not everything has followed yet, as `meta` keeps them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from apx.domain.erasing import EraseNames, ErasePassage, ErasePerson, EraseThread
from apx.store.erase import CLEANING, KEPT

if TYPE_CHECKING:
    import sqlite3

    from apx.domain.erasing import Erasure
    from apx.store.erase_survey import Survey

_KINDS: Final[dict[str, Any]] = {
    kind.__name__: kind for kind in (ErasePassage, EraseThread, ErasePerson, EraseNames)
}


@dataclass(frozen=True, slots=True)
class OpenWish:
    """A wish, and how far it came.

    `begun` is the last event when the ledger forgot, 0 before that: work that began
    earlier may say it once more. `last` is what was looked at since. `keys` are the
    notes that went. One that `is_behind` has files that may say it still; one that
    `is_kept` outlives the process.
    """

    name: str
    wish: Erasure
    at: datetime
    last: int = 0
    begun: int = 0
    keys: tuple[str, ...] = ()
    audiences: tuple[str, ...] = ()
    is_behind: bool = False
    is_kept: bool = False

    def after(self, done: Survey) -> OpenWish:
        """Give the wish once the ledger has forgotten it, or what came since."""
        return replace(
            self,
            last=done.seen.last,
            begun=self.begun or done.seen.last or 1,
            keys=tuple(sorted({*self.keys, *done.told.keys})),
            audiences=tuple(sorted({*self.audiences, *done.audiences})),
        )


def keep(tx: sqlite3.Connection, one: OpenWish) -> None:
    """Write a wish down, or how far it came by now."""
    told = {name: value for name, value in asdict(one).items() if name != "name"}
    told |= {"kind": type(one.wish).__name__, "at": one.at.isoformat()}
    tx.execute(
        "insert into meta values (?, ?) on conflict (key)"
        " do update set value = excluded.value",
        (KEPT + one.name, json.dumps(told, ensure_ascii=False)),
    )


def let_go(tx: sqlite3.Connection, name: str) -> None:
    """Forget a wish itself; its words are in the file's gaps until that is cleaned."""
    tx.execute("delete from meta where key = ?", (KEPT + name,))
    tx.execute(
        "insert into meta select ?, coalesce(max(seq), 1) from event"
        " where true on conflict do nothing",
        (CLEANING,),
    )


def from_meta(key: str, value: str) -> OpenWish:
    """Read a wish that was written down."""
    told = json.loads(value)
    wish = _KINDS[told.pop("kind")](**_tupled(told.pop("wish")))
    at = datetime.fromisoformat(told.pop("at"))
    return OpenWish(key.removeprefix(KEPT), wish, at, **_tupled(told))


def is_running(tx: sqlite3.Connection, wish: Erasure, before: int = 0) -> list[str]:
    """Name the threads where an answer is being written that may say it once more.

    `before` counts only what began before an event.
    """
    if not isinstance(wish, ErasePassage):
        return []
    found = tx.execute(
        "select thread from turn where state = 'running' and (?1 = 0 or id <= ?1)"
        " and audience in (select value from json_each(?2)) order by thread",
        (before, json.dumps(wish.audiences)),
    )
    return [row["thread"] for row in found]


def _tupled(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
    }
