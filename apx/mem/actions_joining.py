"""The writes that make one memory of several."""

from __future__ import annotations

from apx.mem import cache, check
from apx.mem.actions_rules import archived, keep, put_away
from apx.mem.dedup import pairs
from apx.mem.deeds import MERGED, NO_OP, Done
from apx.mem.faults import MemFault
from apx.mem.memory import ACTIVE, ARCHIVED, PROPOSED
from apx.mem.merging import merged, superseded
from apx.mem.scopes import audience
from apx.mem.wanted import Wanted

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Row

    from apx.mem.cache import Cache
    from apx.mem.memory import Memory
    from apx.mem.store import Store


class Pair:
    """Two memories that say the same, and how alike their titles are, 0 to 1."""

    __slots__ = ("absorb", "keep", "likeness")

    def __init__(self, keep: str, absorb: str, likeness: float) -> None:
        self.keep = keep
        self.absorb = absorb
        self.likeness = likeness

    def __repr__(self) -> str:
        return f"Pair({self.keep}, {self.absorb}, {self.likeness:.2f})"


def merge(
    store: Store,
    keep_id: str,
    absorb_id: str,
    *,
    today: str,
    dry: bool = False,
) -> Done:
    """Put a memory into another one, and archive it; only say so if it is `dry`."""
    if dry:
        plan = _Plan(store.read(keep_id), store.read(absorb_id), today)
        return plan.done("would merge")
    with store.writing() as writing:
        plan = _Plan(writing.read(keep_id), writing.read(absorb_id), today)
        if plan.after is not plan.before:
            keep(writing, plan.after, put_away(plan.absorbed, today))
            writing.commit(_line(plan.after, absorb_id))
    return plan.done("merged")


def dedup(
    store: Store,
    threshold: float = 0.6,
    type: str | None = None,
    *,
    apply: bool = False,
    today: str,
) -> list[Pair]:
    """Find active memories of one type and scope whose titles are alike.

    `apply` merges them, in one commit: of those that are alike in a chain, the best one
    takes in all others. It gives what was merged, once each.
    """
    if type is not None:
        check.field("type", type)
    if not apply:
        with cache.opened(store.root) as known:
            return _pairs(known, threshold, type)[0]
    with store.writing() as writing:
        with cache.opened(store.root) as known:
            done = _chains(*_pairs(known, threshold, type))
        groups: dict[str, list[Memory]] = {}
        for pair in done:
            groups.setdefault(pair.keep, []).append(writing.read(pair.absorb))
        lines: list[str] = []
        changed: list[Memory] = []
        for name, group in groups.items():
            kept = _gathered(writing.read(name), group, today)
            changed += [kept, *(put_away(one, today) for one in group)]
            lines += [_line(kept, one.id) for one in group]
        keep(writing, *changed)
        if len(lines) == 1:
            writing.commit(lines[0])
        elif lines:
            writing.commit(f"mem: merge {len(lines)} memories", "\n".join(lines))
    return done


class _Plan:
    """What merging two memories comes to."""

    def __init__(self, before: Memory, absorbed: Memory, today: str) -> None:
        self.before = before
        self.absorbed = absorbed
        self.after = before
        if absorbed.status == ARCHIVED and absorbed.id in superseded(before):
            return
        for one in (before, absorbed):
            if one.status == ARCHIVED:
                raise archived(one)
        after = merged(before, absorbed, today)
        if (before.status, absorbed.status) == (PROPOSED, ACTIVE):
            raise MemFault(
                "proposed",
                f"{before.id} is only proposed, and would take an active one in",
                f"apx mem merge {absorbed.id} {before.id}",
            )
        if audience(before.text("scope")) != audience(absorbed.text("scope")):
            raise MemFault(
                "scope",
                f"{before.id} and {absorbed.id} are not for the same people",
                f"apx mem update {absorbed.id} --scope ...",
            )
        self.after = after

    def done(self, deed: str) -> Done:
        """Say it as `deed`."""
        if self.after is self.before:
            said = f"{self.absorbed.id} is in {self.before.id} already"
            return Done(self.before, NO_OP, said)
        said = f"{deed} {self.absorbed.id} into {self.before.id}"
        return Done(self.after, MERGED, said)


def _line(kept: Memory, absorbed: str) -> str:
    return f"mem({kept.type.name}): merge {absorbed} into {kept.id}"


def _gathered(kept: Memory, group: list[Memory], today: str) -> Memory:
    """Merge several into one; it is one write, so its version rises once."""
    version = max(one.version for one in (kept, *group)) + 1
    for absorbed in group:
        kept = merged(kept, absorbed, today)
    return kept.changed(version=version)


def _pairs(
    known: Cache,
    threshold: float,
    type: str | None,
) -> tuple[list[Pair], dict[str, Row]]:
    """Give the pairs, the better one of each first, with what is known of all."""
    by_scope: dict[str, list[Row]] = {}
    for row in known.rows(Wanted(type=type)):
        by_scope.setdefault(row["scope"], []).append(row)
    rows = {row["id"]: row for every in by_scope.values() for row in every}
    found = []
    for every in by_scope.values():
        titles = [(row["id"], row["type"], row["title"]) for row in every]
        for one, other, likeness in pairs(titles, threshold):
            best, rest = sorted((one, other), key=lambda id: _worth(rows[id]))
            found.append(Pair(best, rest, likeness))
    found.sort(key=lambda pair: (-pair.likeness, pair.keep, pair.absorb))
    return found, rows


def _worth(row: Row) -> tuple[float, float, bool, str, str]:
    """Order memories, the one to keep first."""
    weight = (-row["priority"], -row["confidence"], not row["verified"])
    return *weight, row["created"], row["id"]


def _chains(found: list[Pair], rows: dict[str, Row]) -> list[Pair]:
    """Give what takes in what, so that each is merged once.

    In a chain a-b-c, a and c need not be alike.
    """
    group = {id: [id] for pair in found for id in (pair.keep, pair.absorb)}
    likeness: dict[str, float] = {}
    for pair in found:
        one, other = group[pair.keep], group[pair.absorb]
        for name in (pair.keep, pair.absorb):
            likeness[name] = max(likeness.get(name, 0.0), pair.likeness)
        if one is not other:
            one += other
            group.update(dict.fromkeys(other, one))
    done = []
    for every in {id(one): one for one in group.values()}.values():
        best, *rest = sorted(every, key=lambda name: _worth(rows[name]))
        done += [Pair(best, name, likeness[name]) for name in rest]
    return done
