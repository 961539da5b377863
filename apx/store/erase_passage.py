"""Where in the ledger a passage stands, and what is left without it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.erasing import EraseNames, redacted
from apx.domain.event import Event, EventKind
from apx.store.erase_plan import NOTED, PERSONAL, Plan, owned, read

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
_OTHERS: Final = "others said it too: what is theirs stays"


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
        audience, person = owned(tx, event)
        stays = PERSONAL | NOTED if isinstance(wish, EraseNames) else PERSONAL
        if audience not in wish.audiences or event.kind in stays:
            continue
        if event.kind is EventKind.OUTPUT:
            turns.add(event.turn)
        elif wish.may_take(audience, person):
            plan.change(event, redacted(event.kind, event.body, needle.cut))
            if event.seq in plan.changed and event.kind in NOTED:
                plan.audiences.add(audience)
        else:
            _spare(plan, wish, needle, event)
    for turn in sorted(turns):
        _cut_turn(tx, plan, wish, needle, turn)
    _cut_waiting(tx, plan, wish, needle)
    plan.revoke(tx)
    return plan


def _spare(plan: Plan, wish: ErasePassage, needle: Needle, event: Event) -> None:
    """Leave what others said; what they were shown of the asker's words goes."""
    body = redacted(event.kind, event.body, needle.cut)
    if body is None:
        return
    if event.kind is not EventKind.RECALL:
        plan.left.add(_OTHERS)
        return
    memories = [
        (redacted(event.kind, one, needle.cut) or one)
        if one.get("person") == wish.person
        else one
        for one in event.body["memories"]
    ]
    if memories != event.body["memories"]:
        plan.change(event, {**event.body, "memories": memories, "erased": True})


def _cut_turn(
    tx: sqlite3.Connection,
    plan: Plan,
    wish: ErasePassage,
    needle: Needle,
    turn: int,
) -> None:
    said = _rows(
        tx,
        "select seq from request where turn = ? order by coalesce(retry_of, seq)",
        turn,
    )
    said = _taken(wish, said)
    _cut_pieces(plan, needle, said, "\n")
    texts = {e.body["key"]: plan.now(e).body["text"] for e in said}
    for joined in _taken(wish, _events(tx, turn, EventKind.JOIN)):
        body = plan.now(joined).body
        added = texts.get(body["keys"][0], body["added"])
        if added != body["added"]:
            plan.change(joined, {**body, "added": added, "erased": True})
    shown = _taken(wish, _events(tx, turn, EventKind.OUTPUT))
    _cut_pieces(plan, needle, shown, "")


def _cut_waiting(
    tx: sqlite3.Connection, plan: Plan, wish: ErasePassage, needle: Needle
) -> None:
    for row in tx.execute(_WAITING, (json.dumps(list(wish.audiences)),)).fetchall():
        said = _rows(
            tx,
            "select seq from request where thread = ? and turn is null"
            " and unwanted = 0 order by coalesce(retry_of, seq)",
            row["thread"],
        )
        _cut_pieces(plan, needle, _taken(wish, said), "\n")


def _taken(wish: ErasePassage, events: Sequence[Event]) -> list[Event]:
    return [event for event in events if wish.may_take(event.audience, event.person)]


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
