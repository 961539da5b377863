"""What goes with a whole conversation, or with a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from apx.domain.erasing import blank, redacted
from apx.domain.errors import InputError
from apx.domain.event import EventKind
from apx.domain.memory_file import key_of
from apx.domain.person import OWNER, Account, Audience
from apx.store.erase_plan import NOTED, PERSONAL, Plan, ids, owned, personal, read

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from apx.domain.erasing import ErasePerson, EraseThread
    from apx.domain.event import Event

# They are of the home, whichever conversation they came from.
_STAYING: Final = PERSONAL | {EventKind.ERASE}


def plan_thread(tx: sqlite3.Connection, wish: EraseThread) -> Plan:
    """Say what goes with a conversation."""
    row = tx.execute(
        "select audience from thread where name = ?", (wish.name,)
    ).fetchone()
    if row is None or row["audience"] not in wish.audiences:
        raise InputError(f"no thread {wish.name}; `apx threads list` names them")
    plan = Plan()
    if _is_others(tx, wish.name, wish.audiences):
        raise InputError(
            f"{wish.name}: part of it was said by somebody whose words are not yours to"
            " erase, as the chat changed hands; erase what is yours by its words"
        )
    _take_thread(tx, plan, wish.name, keep_notes=wish.keep_notes)
    _blank_recalls(tx, plan, "")
    plan.revoke(tx)
    return plan


def plan_person(tx: sqlite3.Connection, wish: ErasePerson) -> Plan:
    """Say what goes with a person: private all of it, elsewhere the words."""
    key = wish.key
    there = tx.execute("select 1 from person where key = ?", (key,)).fetchone()
    if key == OWNER or there is None:
        why = "is the owner, who stays" if key == OWNER else "is nobody here"
        raise InputError(f"{key} {why}; `apx people list` names them")
    _refuse_busy(tx, key)
    plan = Plan(persons={key})
    private = str(Audience.private(key))
    for row in tx.execute(
        "select name from thread where audience = ?", (private,)
    ).fetchall():
        # A chat that changed hands holds others' words: there only theirs go.
        if not _is_others(tx, row["name"], [private]):
            _take_thread(tx, plan, row["name"], keep_notes=False)
    said = ids(
        tx,
        "select seq from event where (person = json_extract(?1, '$[0]')"
        " or audience = json_extract(?1, '$[1]') or (turn > 0 and turn in"
        " (select id from turn where person = json_extract(?1, '$[0]'))))",
        [key, private],
    )
    first: set[int] = set()
    for event in read(tx, said - plan.gone):
        if event.kind not in _STAYING:
            _blank(tx, plan, event, first)
    _take_accounts(tx, plan, key)
    _blank_overheard(tx, plan)
    _blank_recalls(tx, plan, key)
    plan.audiences.add(private)
    plan.revoke(tx)
    return plan


def _refuse_busy(tx: sqlite3.Connection, person: str) -> None:
    """Refuse while anybody answers them: what is said then would come after."""
    row = tx.execute(
        "select thread from turn where state = 'running' and (person = ?1 or id in"
        " (select turn from request where person = ?1))",
        (person,),
    ).fetchone()
    if row:
        raise InputError(
            f"{row['thread']}: an answer to {person} is being written there; wait"
            " until it is done, or /stop it first"
        )


def _is_others(tx: sqlite3.Connection, name: str, audiences: Iterable[str]) -> bool:
    """Whether somebody else's turns are in a thread, too."""
    found = tx.execute(
        "select 1 from turn where thread = ? and audience not in"
        " (select value from json_each(?)) limit 1",
        (name, json.dumps(list(audiences))),
    )
    return found.fetchone() is not None


def _take_thread(
    tx: sqlite3.Connection, plan: Plan, name: str, *, keep_notes: bool
) -> None:
    running = "select 1 from turn where thread = ? and state = 'running'"
    if tx.execute(running, (name,)).fetchone():
        raise InputError(f"{name}: an answer is being written there; /stop it first")
    stays = _STAYING | NOTED if keep_notes else _STAYING
    plan.threads.add(name)
    for row in tx.execute(
        "select seq, kind, turn, audience,"
        " case when kind in ('accept', 'note') then body end as body"
        " from event where thread = ?",
        (name,),
    ).fetchall():
        kind = EventKind(row["kind"])
        if kind in stays:
            plan.loose.add(row["seq"])
            continue
        plan.gone.add(row["seq"])
        plan.was[row["seq"]] = (kind, row["turn"])
        if kind is EventKind.ACCEPT:
            plan.typed.add(json.loads(row["body"])["text"])
        if kind is EventKind.NOTE:
            plan.notes.add(row["seq"])
            plan.keys.add(key_of(json.loads(row["body"])["text"]))
    plan.audiences |= {
        row["audience"]
        for row in tx.execute(
            "select distinct audience from note where thread = ?", (name,)
        )
    }


def _blank(tx: sqlite3.Connection, plan: Plan, event: Event, first: set[int]) -> None:
    body = redacted(event.kind, event.body, blank)
    if body is not None and event.kind is EventKind.OUTPUT:
        if event.turn in first:
            body["text"] = ""
        first.add(event.turn)
    plan.change(event, body)
    if event.kind is EventKind.NOTE:
        # It may have been handed on: its line is where it is seen now.
        plan.audiences |= {event.audience, owned(tx, event)[0]}


def _take_accounts(tx: sqlite3.Connection, plan: Plan, key: str) -> None:
    """Have accounts be nobody's; one that is another's by now forgets the person."""
    plan.accounts = {
        Account(row["channel"], row["bot"], row["user"])
        for row in tx.execute("select * from account where person = ?", (key,))
    }
    for event in read(tx, personal(tx)):
        body = event.body
        where = (body.get("channel", ""), body.get("bot", ""), body.get("user", ""))
        is_own = Account(*where) in plan.accounts
        if is_own or key in {body.get("key"), body.get("person")}:
            plan.gone.add(event.seq)
            plan.was[event.seq] = (event.kind, 0)
        elif body.get("home") == key:
            plan.change(event, {**body, "home": "", "erased": True})


def _blank_overheard(tx: sqlite3.Connection, plan: Plan) -> None:
    """Empty what others' turns in rooms were shown of what a person said there."""
    whose = {str(account) for account in plan.accounts}
    marks = [f'"account":{json.dumps(name, ensure_ascii=False)}' for name in whose]
    seqs = ids(
        tx,
        "select seq from event, json_each(?) wanted where kind in ('begin', 'join')"
        " and instr(body, wanted.value)",
        marks,
    )
    for event in read(tx, seqs - plan.gone):
        body = plan.now(event).body
        quoted = [
            {**one, "by": "", "text": blank(one["text"]), "account": ""}
            if one.get("account") in whose
            else one
            for one in body.get("quoted", [])
        ]
        plan.change(event, {**body, "quoted": quoted, "erased": True})


def _blank_recalls(tx: sqlite3.Connection, plan: Plan, person: str) -> None:
    """Empty what other turns were reminded of, where that is what goes now."""

    def is_gone(memory: Mapping[str, Any]) -> bool:
        name, _, number = memory["ref"].partition(" ")
        is_note = name == "note" and number.isdecimal() and int(number) in plan.notes
        of_thread = memory.get("thread") in plan.threads and name != "note"
        return is_note or of_thread or bool(person and memory.get("person") == person)

    seqs = ids(
        tx,
        "select seq from event, json_each(?) wanted where kind = 'recall'"
        " and instr(body, wanted.value)",
        [
            *[json.dumps(name, ensure_ascii=False) for name in plan.threads],
            *[f'"note {number}"' for number in plan.notes],
            *([json.dumps(person)] if person else []),
        ],
    )
    for event in read(tx, seqs - plan.gone):
        memories = [
            redacted(event.kind, one, blank) or one if is_gone(one) else one
            for one in plan.now(event).body["memories"]
        ]
        if memories != plan.now(event).body["memories"]:
            body = {**plan.now(event).body, "memories": memories, "erased": True}
            plan.change(event, body)
