"""What an erasure changes in the tables, and how they follow bodies that it changed.

Replaying the changed log must give the same rows: what `apply` makes of an `erase`
event depends on the tables alone, and `follow` writes what a replay would write.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import EventKind
from apx.store.projection_people import WHO

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping

    from apx.domain.event import Event

_TURN: Final = frozenset(
    {EventKind.BEGIN, EventKind.JOIN, EventKind.OUTPUT, EventKind.END}
)
# Parts of one reply get the ids after its `end` event's, as in `projection`.
_PARTS: Final = 1000


def _erase(tx: sqlite3.Connection, event: Event) -> None:
    """Forget notes, drop candidates, revoke condensations; all by their ids."""
    body = event.body
    tx.execute(
        "update note set state = 'forgotten'"
        " where id in (select value from json_each(?))",
        (json.dumps(body["notes"]),),
    )
    tx.execute(
        "update candidate set state = 'dropped' where state = 'open'"
        " and id in (select value from json_each(?))",
        (json.dumps(body["facts"]),),
    )
    summaries = json.dumps(body["summaries"])
    tx.execute(
        "update condensation set state = 'revoked' where state = 'valid'"
        " and id in (select value from json_each(?))",
        (summaries,),
    )
    # What they stood for counts again, so that a long thread is due at once.
    tx.execute(
        "update thread set counted = min(counted, max(begins, coalesce("
        " (select max(c.last) from condensation c where c.thread = thread.name"
        " and c.state = 'valid' and c.id > thread.fresh), 0)))"
        " where name in (select thread from condensation"
        " where id in (select value from json_each(?)))",
        (summaries,),
    )


def follow(tx: sqlite3.Connection, events: Iterable[Event]) -> None:
    """Bring the rows up to events whose bodies were changed."""
    turns: set[int] = set()
    parts: set[tuple[int, int]] = set()
    for event in events:
        if event.kind in _TURN:
            turns.add(event.turn)
        elif event.kind is EventKind.DELIVERY:
            parts.add((event.turn, event.body["part"]))
        elif change := _ROWS.get(event.kind):
            change(tx, event)
    for turn in turns:
        _turn(tx, turn)
    for turn, part in parts:
        _part(tx, turn, part)


def replay_people(tx: sqlite3.Connection, events: Iterable[Event]) -> None:
    """Make the tables of persons anew from all of their events, which are few."""
    tx.execute("delete from account")
    tx.execute("delete from person where key <> 'owner'")
    tx.execute("update person set role = 'owner', name = '', at = ''")
    for event in events:
        WHO[event.kind](tx, event)


def _request(tx: sqlite3.Connection, event: Event) -> None:
    """Say anew what a request is: its message, what came with it, what it became."""
    key = event.body["key"]
    found: dict[str, Any] = {"speaker": "", "quoted": "[]", "files": "[]"}
    found |= {"text": "", "correction": ""}
    for row in tx.execute(
        "select kind, body, case when kind = 'edit' then (select max(b.seq)"
        " from event b where b.seq > event.seq and b.thread = event.thread and"
        " (b.kind = 'fresh' or b.kind in ('begin', 'join') and exists (select 1 from"
        " json_each(b.body, '$.corrected') c where c.value = ?4))) end as told"
        " from event where op in (?1, ?2) or (op > ?3 and op < ?5) order by seq",
        (f"accept/{key}", f"gather/{key}", f"edit/{key}/", key, f"edit/{key}0"),
    ).fetchall():
        body = json.loads(row["body"])
        where = "text"
        if row["kind"] == EventKind.EDIT:
            where = "correction" if body["is_late"] and not row["told"] else "text"
        else:
            found |= {"quoted": _quoted(body), "files": _files(body)}
        found |= {where: body["text"], "speaker": body.get("speaker", "")}
    tx.execute(
        "update request set text = :text, correction = :correction, quoted = :quoted,"
        " files = :files, speaker = :speaker where key = :key",
        {**found, "key": key},
    )


def _note(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute("update note set text = ? where id = ?", (event.body["text"], event.seq))


def _candidate(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update candidate set text = ?, key = ? where id = ?",
        (event.body["text"], event.body["key"], event.seq),
    )


def _turn(tx: sqlite3.Connection, turn: int) -> None:
    found: dict[str, Any] = {"request": "", "speaker": "", "quoted": "[]"}
    found |= {"partial": "", "final": None, "error": "", "files": "[]"}
    for row in tx.execute(
        "select seq, kind, body from event where turn = ? and turn > 0 order by seq",
        (turn,),
    ).fetchall():
        body = json.loads(row["body"])
        match row["kind"]:
            case EventKind.BEGIN:
                found["speaker"] = body.get("speaker", "")
                found |= _asked(body)
            case EventKind.JOIN:
                found |= _asked(body)
            case EventKind.OUTPUT:
                found["partial"] += body["text"]
            case EventKind.END:
                found |= {"final": body.get("final"), "error": body.get("error", "")}
                _reply(tx, row["seq"], body.get("parts", ()))
    tx.execute(
        "update turn set request = :request, speaker = :speaker, quoted = :quoted,"
        " files = :files, partial = :partial, final = :final, error = :error"
        " where id = :id",
        {**found, "id": turn},
    )


def _asked(body: Mapping[str, Any]) -> dict[str, str]:
    return {
        "request": body["text"],
        "quoted": _quoted(body),
        "files": _files(body),
    }


def _reply(tx: sqlite3.Connection, seq: int, parts: Iterable[str]) -> None:
    tx.executemany(
        "update outbox set text = ? where id = ?",
        [(text, seq * _PARTS + number) for number, text in enumerate(parts, start=1)],
    )


def _part(tx: sqlite3.Connection, turn: int, part: int) -> None:
    """Take over the error of the newest delivery of a part."""
    tx.execute(
        "update outbox set error = (select coalesce(json_extract(body, '$.error'), '')"
        " from event where turn = ?1 and turn > 0 and kind = 'delivery'"
        " and json_extract(body, '$.part') = ?2 order by seq desc limit 1)"
        " where id = ?2",
        (turn, part),
    )


def _quoted(body: Mapping[str, Any]) -> str:
    return json.dumps(body.get("quoted", []), ensure_ascii=False)


def _files(body: Mapping[str, Any]) -> str:
    return json.dumps(body.get("files", []), ensure_ascii=False)


_ROWS: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    EventKind.ACCEPT: _request,
    EventKind.GATHER: _request,
    EventKind.EDIT: _request,
    EventKind.NOTE: _note,
    EventKind.CANDIDATE: _candidate,
}

ERASED: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    EventKind.ERASE: _erase,
}
