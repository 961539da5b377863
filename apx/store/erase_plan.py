"""What one erasure will change in the ledger, before it does."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from apx.domain.erasing import Removed, emptied
from apx.domain.event import Event, EventKind
from apx.domain.memory_file import key_of
from apx.store.log import from_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from apx.domain.person import Account

NOTED: Final = frozenset(
    {
        EventKind.NOTE,
        EventKind.NOTE_FORGET,
        EventKind.NOTE_RESTORE,
        EventKind.NOTE_MOVE,
    }
)
PERSONAL: Final = frozenset(
    {EventKind.PERSON, EventKind.ROLE, EventKind.ACCOUNT, EventKind.ACCOUNT_END}
)
_ANSWERS: Final = frozenset({EventKind.OUTPUT, EventKind.END})
_RECORDS: Final = frozenset(
    {
        EventKind.RECALL,
        EventKind.STEP,
        EventKind.TOOL_START,
        EventKind.TOOL_RESULT,
        EventKind.DELIVERY,
    }
)
_AT_ONCE: Final = 500


@dataclass(slots=True)
class Plan:
    """The events that change, those that go, and what follows for the tables.

    `was` has what the changed and the gone were, as far as it counts. `loose` stay
    without their thread. `typed` are whole messages that go, `keys` whole notes.
    `left` says to people what stays.
    """

    changed: dict[int, Event] = field(default_factory=dict)
    was: dict[int, tuple[EventKind, int]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    loose: set[int] = field(default_factory=set)
    notes: set[int] = field(default_factory=set)
    facts: set[int] = field(default_factory=set)
    summaries: set[int] = field(default_factory=set)
    threads: set[str] = field(default_factory=set)
    persons: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    typed: set[str] = field(default_factory=set)
    audiences: set[str] = field(default_factory=set)
    accounts: set[Account] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def seqs(self) -> list[int]:
        """The events that are no longer what they were."""
        return sorted({*self.changed, *self.gone})

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.changed or self.gone or self.threads or self.persons)

    def change(self, event: Event, body: Mapping[str, Any] | None) -> None:
        """Have an event say something else from now on; nothing is no change."""
        if body is None:
            return
        old = self.changed.get(event.seq, event)
        if event.kind is EventKind.ACCEPT:
            self.typed.add(event.body["text"])
        if event.kind is EventKind.NOTE:
            self.notes.add(event.seq)
            self.keys.add(key_of(event.body["text"]))
        if event.kind is EventKind.CANDIDATE:
            self.facts.add(event.seq)
        self.was[event.seq] = (event.kind, event.turn)
        self.changed[event.seq] = replace(old, body=body)

    def now(self, event: Event) -> Event:
        """Give an event as it will be."""
        return self.changed.get(event.seq, event)

    def revoke(self, tx: sqlite3.Connection) -> None:
        """Empty the condensations that said it, or stand in for turns that did."""
        turns = {turn for _, turn in self.was.values() if turn} | _taken(tx, self)
        found = ids(
            tx,
            "select c.id from turn t join condensation c on c.thread = t.thread"
            " and t.ordinal between c.first and c.last and c.id > t.id"
            " where t.id in (select value from json_each(?))",
            turns,
        )
        said = {s for s, e in self.changed.items() if e.kind is EventKind.COMPACT}
        for event in read(tx, (found | said) - self.gone):
            self.change(event, emptied(self.now(event).body))
        self.summaries |= (found | said) & self.changed.keys()

    def counted(self) -> Removed:
        """Say how much that is."""
        kinds = [kind for kind, _ in self.was.values()]
        answers = {turn for kind, turn in self.was.values() if kind in _ANSWERS}
        return Removed(
            notes=kinds.count(EventKind.NOTE),
            messages=kinds.count(EventKind.ACCEPT) + len(answers),
            records=sum(kind in _RECORDS for kind in kinds),
            summaries=kinds.count(EventKind.COMPACT),
            facts=kinds.count(EventKind.CANDIDATE),
            threads=len(self.threads),
            left=tuple(sorted(self.left)),
        )


def read(tx: sqlite3.Connection, seqs: Collection[int]) -> Iterator[Event]:
    """Read events by their place, in order."""
    wanted = sorted(seqs)
    for first in range(0, len(wanted), _AT_ONCE):
        found = tx.execute(
            "select * from event where seq in (select value from json_each(?))"
            " order by seq",
            (json.dumps(wanted[first : first + _AT_ONCE]),),
        )
        for row in found.fetchall():
            yield from_row(row)


def owned(tx: sqlite3.Connection, event: Event) -> tuple[str, str]:
    """Say who sees it now, and whose it is: a note may have been handed to others."""
    if event.kind in NOTED:
        note = event.seq if event.kind is EventKind.NOTE else event.body["note"]
        row = tx.execute(
            "select audience, person from note where id = ?", (note,)
        ).fetchone()
        if row:
            return row["audience"], row["person"]
    return event.audience, event.person


def ids(tx: sqlite3.Connection, sql: str, named: Iterable[int | str]) -> set[int]:
    """Read the ids that a question finds for others, or for names."""
    return {row[0] for row in tx.execute(sql, (json.dumps(list(named)),))}


def personal(tx: sqlite3.Connection) -> set[int]:
    """Find the events of persons and their accounts; they are few in any log."""
    return ids(
        tx,
        "select seq from event where kind in (select value from json_each(?))",
        sorted(PERSONAL),
    )


def _taken(tx: sqlite3.Connection, plan: Plan) -> set[int]:
    """Name the turns that took the requests among what changes."""
    return ids(
        tx,
        "select r.turn from event e join request r"
        " on r.key = json_extract(e.body, '$.key') and r.turn is not null"
        " where e.kind = 'accept' and e.seq in (select value from json_each(?))",
        (seq for seq, (kind, _) in plan.was.items() if kind is EventKind.ACCEPT),
    )
