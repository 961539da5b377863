"""Where in the ledger a passage stands, and what is left without it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.erasing import redacted
from apx.domain.event import Event, EventKind
from apx.store.erase_plan import NOTED, Plan, read

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from apx.domain.erasing import ErasePassage
    from apx.domain.passage import Needle

# Looking into bodies is the dear part: only those that the asker may see.
_EVENTS: Final = """
select seq from event where seq > ?1 and (?3 = 0 or (turn > 0 and turn <= ?3)
or kind = 'compact') and case when audience in
(select value from json_each(?2)) or kind in
('note', 'note_forget', 'note_restore', 'note_move') then looks_in(body) else 0 end
"""
# What was said in pieces is whole in the turn alone.
_TURNS: Final = """
select id from turn where (?1 = 0 or id in (select turn from event where seq > ?1))
and (?3 = 0 or id <= ?3) and audience in (select value from json_each(?2))
and (looks(request) or looks(partial))
"""
# Nothing says yet that these will be one request.
_WAITING: Final = """
select thread from request where turn is null and unwanted = 0
and audience in (select value from json_each(?)) group by thread
having count(*) > 1
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """The events and turns that may hold a passage, up to a `seq`.

    `begun` looks only at what began before that event, 0 at all.
    """

    last: int = 0
    begun: int = 0
    seqs: frozenset[int] = frozenset()
    turns: frozenset[int] = frozenset()


def look(
    tx: sqlite3.Connection, needle: Needle, audiences: Sequence[str], before: Seen
) -> Seen:
    """Look at what came after the last look, and add what was seen."""
    last = tx.execute("select coalesce(max(seq), 0) from event").fetchone()[0]
    values = (before.last, json.dumps(list(audiences)), before.begun)
    tx.create_function("looks", 1, needle.may_hold, deterministic=True)
    tx.create_function("looks_in", 1, needle.may_hold_json, deterministic=True)
    try:
        seqs = {row[0] for row in tx.execute(_EVENTS, values)}
        turns = {row[0] for row in tx.execute(_TURNS, values)}
    finally:
        tx.create_function("looks", 1, None)
        tx.create_function("looks_in", 1, None)
    return Seen(last, before.begun, before.seqs | seqs, before.turns | turns)


def plan_passage(
    tx: sqlite3.Connection, wish: ErasePassage, needle: Needle, seen: Seen
) -> Plan:
    """Say what changes where a passage is cut out; reads only what was seen."""
    plan = Plan()
    turns = set(seen.turns)
    for event in read(tx, seen.seqs):
        audience = _audience(tx, event)
        if audience not in wish.audiences:
            continue
        if event.kind is EventKind.OUTPUT:
            turns.add(event.turn)
            continue
        plan.change(event, redacted(event.kind, event.body, needle.cut))
        if event.seq in plan.changed and event.kind in NOTED:
            plan.audiences.add(audience)
    for turn in sorted(turns):
        _cut_turn(tx, plan, needle, turn)
    _cut_waiting(tx, plan, needle, wish.audiences)
    plan.revoke(tx)
    return plan


def _audience(tx: sqlite3.Connection, event: Event) -> str:
    """Say who sees it now: a note may have been handed to others."""
    if event.kind not in NOTED:
        return event.audience
    note = event.seq if event.kind is EventKind.NOTE else event.body["note"]
    row = tx.execute("select audience from note where id = ?", (note,)).fetchone()
    return row["audience"] if row else event.audience


def _cut_turn(tx: sqlite3.Connection, plan: Plan, needle: Needle, turn: int) -> None:
    said = _rows(
        tx,
        "select seq from request where turn = ? order by coalesce(retry_of, seq)",
        turn,
    )
    _cut_pieces(plan, needle, said, "\n")
    texts = {e.body["key"]: plan.now(e).body["text"] for e in said}
    for joined in _events(tx, turn, EventKind.JOIN):
        body = plan.now(joined).body
        added = texts.get(body["keys"][0], body["added"])
        if added != body["added"]:
            plan.change(joined, {**body, "added": added, "erased": True})
    _cut_pieces(plan, needle, _events(tx, turn, EventKind.OUTPUT), "")


def _cut_waiting(
    tx: sqlite3.Connection, plan: Plan, needle: Needle, audiences: Sequence[str]
) -> None:
    for row in tx.execute(_WAITING, (json.dumps(list(audiences)),)).fetchall():
        said = _rows(
            tx,
            "select seq from request where thread = ? and turn is null"
            " and unwanted = 0 order by coalesce(retry_of, seq)",
            row["thread"],
        )
        _cut_pieces(plan, needle, said, "\n")


def _cut_pieces(
    plan: Plan, needle: Needle, events: Sequence[Event], joiner: str
) -> None:
    """Cut what was said in pieces, so that the pieces together say the rest."""
    bodies = [plan.now(event).body for event in events]
    texts = [body["text"] for body in bodies]
    for event, body, text in zip(
        events, bodies, needle.cut_pieces(texts, joiner), strict=True
    ):
        if text != body["text"]:
            plan.change(event, {**body, "text": text, "erased": True})


def _rows(tx: sqlite3.Connection, sql: str, value: object) -> list[Event]:
    seqs = [row["seq"] for row in tx.execute(sql, (value,))]
    found = {event.seq: event for event in read(tx, seqs)}
    return [found[seq] for seq in seqs]


def _events(tx: sqlite3.Connection, turn: int, kind: EventKind) -> list[Event]:
    return _rows(
        tx,
        f"select seq from event where turn = ? and turn > 0 and kind = '{kind}'"  # noqa: S608 -- one of our own kinds
        " order by seq",
        turn,
    )
