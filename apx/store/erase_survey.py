"""What an erasure would do to the ledger, and what was done by one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from apx.domain.erasing import EraseNames, ErasePassage, EraseThread, Removed
from apx.domain.erasing_lines import Told
from apx.domain.person import OWNERS_OWN, Audience
from apx.store.erase_apply import carry_out
from apx.store.erase_open import is_running, keep
from apx.store.erase_passage import Seen, look, plan_passage
from apx.store.erase_whole import plan_person, plan_thread

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.erasing import Erasure
    from apx.domain.passage import Needle
    from apx.store.erase_open import OpenWish
    from apx.store.erase_plan import Plan

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Survey:
    """What an erasure would do: counts, and by what files are found that say it.

    `seqs` are the events that would change, `audiences` those whose notes would.
    `busy` names the threads in which answers are being written.
    """

    removed: Removed = field(default_factory=Removed)
    told: Told = field(default_factory=Told)
    seqs: tuple[int, ...] = ()
    audiences: frozenset[str] = frozenset()
    busy: tuple[str, ...] = ()
    seen: Seen = field(default_factory=Seen)


def survey(tx: sqlite3.Connection, wish: Erasure, after: Seen) -> Survey:
    """Look through the log, from a place on."""
    return _surveyed(tx, wish, *_planned(tx, wish, after))


def survey_again(tx: sqlite3.Connection, one: OpenWish) -> Survey:
    """Look at what came since the ledger forgot; a file may say what was there."""
    keys, where = frozenset(one.keys), frozenset(one.audiences)
    if not isinstance(one.wish, ErasePassage):
        return Survey(told=Told(keys=keys), audiences=where)
    plan, told, seen = _planned(tx, one.wish, Seen(one.last, one.begun))
    late = _surveyed(tx, one.wish, plan, _limited(one, told), seen)
    return replace(late, audiences=late.audiences | where)


def carried_out(
    tx: sqlite3.Connection, one: OpenWish, seen: Seen, at: datetime
) -> Survey:
    """Forget it; looks only at what came after it was seen, and keeps the wish."""
    wish = one.wish
    plan, told, seen = _planned(tx, wish, seen)
    told = _limited(one, told)
    done = _surveyed(tx, wish, plan, told, seen)
    names = isinstance(wish, ErasePassage) and str(OWNERS_OWN) in wish.audiences
    carry_out(tx, plan, told if names else replace(told, names=False), at)
    if one.is_kept:
        keep(tx, one.after(done))
    return done


def _limited(one: OpenWish, told: Told) -> Told:
    """Once it was done, people's own lines are of now: only late notes' lines go.

    But where a file could not be read, nobody knows of when its lines are.
    """
    keys = frozenset({*told.keys, *one.keys})
    if not one.begun or one.is_behind:
        return replace(told, keys=keys)
    return Told(keys=told.keys, typed=told.typed, mixed=told.mixed)


def _planned(
    tx: sqlite3.Connection, wish: Erasure, seen: Seen
) -> tuple[Plan, Told, Seen]:
    if isinstance(wish, ErasePassage):
        needle = wish.needle()
        seen = look(tx, needle, wish.audiences, seen)
        plan = plan_passage(tx, wish, needle, seen)
        if not isinstance(wish, EraseNames):
            plan.audiences |= set(wish.audiences)
        plan.left |= set(_names(tx, wish, needle))
        mixed = [a for a in wish.audiences if wish.person and not _is_private(a)]
        told = Told(
            needle.holds, frozenset(plan.keys), plan.typed, mixed=frozenset(mixed)
        )
        return plan, told, seen
    plan = (
        plan_thread(tx, wish)
        if isinstance(wish, EraseThread)
        else plan_person(tx, wish)
    )
    return plan, Told(keys=frozenset(plan.keys), typed=plan.typed), seen


def _is_private(audience: str) -> bool:
    return Audience(audience).is_private


def _names(tx: sqlite3.Connection, wish: ErasePassage, needle: Needle) -> Iterable[str]:
    """Say which names hold it: others are found by them, and they stay."""
    if str(OWNERS_OWN) in wish.audiences:
        named = "select name from person union select name from account"
        if any(needle.holds(row["name"]) for row in tx.execute(named)):
            yield "the name of a person here says it, and stays"
    threads = tx.execute("select name, audience from thread order by name")
    found = [
        row["name"]
        for row in threads
        if row["audience"] in wish.audiences
        and needle.holds(row["name"].partition(":")[2])
    ]
    for name in found[:_NAMED]:
        yield f"the name of {name} says it; `apx threads erase {name}` forgets it"


def _surveyed(
    tx: sqlite3.Connection, wish: Erasure, plan: Plan, told: Told, seen: Seen
) -> Survey:
    return Survey(
        removed=plan.counted(),
        told=told,
        seqs=tuple(plan.seqs),
        audiences=frozenset(plan.audiences),
        busy=tuple(is_running(tx, wish)),
        seen=seen,
    )
