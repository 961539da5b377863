"""The facts that wait for a person to say whether they become notes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apx.domain.event import Event, EventKind
from apx.domain.memory_file import key_of
from apx.domain.person import OWNER, OWNERS_OWN
from apx.domain.thread import Thread
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from apx.store.database import Database

_HASH: Final = 16  # hexadecimal digits; they tell apart the few facts of one turn
# The event says who proposed it; it needs no column.
_SELECT: Final = (
    "select c.*, coalesce(json_extract(e.body, '$.suggested'), 0) as suggested"
    " from candidate c left join event e on e.seq = c.id"
)


class CandidateState(StrEnum):
    """Whether a candidate waits, and what a person said of it."""

    OPEN = "open"
    KEPT = "kept"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class NewCandidate:
    """A fact on its way into the log; `at` is when its person said it.

    `suggested` by a model, it may be other people's words.
    """

    text: str
    at: datetime
    thread: Thread
    turn: int
    person: str = OWNER
    audience: str = str(OWNERS_OWN)
    suggested: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that may become a note; `id` is the `seq` of its event."""

    id: int
    text: str
    at: datetime
    thread: Thread
    turn: int
    person: str
    audience: str
    state: CandidateState
    suggested: bool = False


class Candidates:
    """Adds, ends and lists candidates; each change is an event."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def propose(
        self, new: Sequence[NewCandidate], now: datetime
    ) -> list[Candidate]:
        """Add what was neither a candidate nor a note before; gives what was added.

        All of it is in the log, or nothing is. Whatever a person rejected once is a
        candidate for ever, so that it is never proposed again.
        """
        keyed = [(key_of(fact.text), fact) for fact in new]
        if not keyed:
            return []
        return await self._database.write(lambda tx: _propose(tx, keyed, now))

    async def find(self, candidate_id: int) -> Candidate | None:
        """Read one candidate, whatever became of it."""
        found = await self._database.fetch(f"{_SELECT} where c.id = ?", candidate_id)
        return _read(found[0]) if found else None

    async def open(self, audiences: Sequence[str], limit: int) -> list[Candidate]:
        """Read the newest that wait for these audiences, the newest last."""
        found = await self._database.fetch(
            f"{_SELECT} where c.state = 'open'"  # noqa: S608 -- a constant
            " and c.audience in (select value from json_each(?))"
            " order by c.id desc limit ?",
            json.dumps(list(audiences)),
            max(limit, 0),
        )
        return [_read(row) for row in reversed(found)]

    async def end(
        self, candidate_id: int, state: CandidateState, at: datetime
    ) -> Candidate | None:
        """Say what became of a candidate; nothing if it does not wait (any more)."""
        return await self._database.write(lambda tx: _end(tx, candidate_id, state, at))


def _propose(
    tx: sqlite3.Connection, keyed: Sequence[tuple[str, NewCandidate]], now: datetime
) -> list[Candidate]:
    fresh = [(key, fact) for key, fact in keyed if key and not _is_known(tx, key, fact)]
    # Reading the notes is the dear part; a second run has nothing left to compare.
    noted = {
        audience: _noted(tx, audience)
        for audience in {fact.audience for _, fact in fresh}
    }
    added = []
    for key, fact in fresh:
        if key in noted[fact.audience]:
            continue
        noted[fact.audience].add(key)  # the same may be said twice
        if event := append(tx, _proposal(key, fact, now)):
            added.append(_candidate(tx, event.seq))
    return [candidate for candidate in added if candidate is not None]


def _proposal(key: str, fact: NewCandidate, now: datetime) -> Event:
    digest = hashlib.sha256(key.encode()).hexdigest()[:_HASH]
    return Event(
        kind=EventKind.CANDIDATE,
        op=f"candidate/{fact.turn}/{digest}",
        at=now,
        body={"text": fact.text, "key": key, "at": fact.at.isoformat()}
        | ({"suggested": True} if fact.suggested else {}),
        thread=str(fact.thread),
        turn=fact.turn,
        person=fact.person,
        audience=fact.audience,
    )


def _is_known(tx: sqlite3.Connection, key: str, fact: NewCandidate) -> bool:
    found = tx.execute(
        "select 1 from candidate where audience = ? and key = ?", (fact.audience, key)
    )
    return found.fetchone() is not None


def _noted(tx: sqlite3.Connection, audience: str) -> set[str]:
    # Forgotten ones too: what a person had forgotten is not brought back.
    found = tx.execute(
        "select text from note where audience = ?1 and state = 'live' union all"
        " select text from note where audience = ?1 and state = 'forgotten'",
        (audience,),
    )
    return {key_of(row["text"]) for row in found}


def _end(
    tx: sqlite3.Connection, candidate_id: int, state: CandidateState, at: datetime
) -> Candidate | None:
    found = _candidate(tx, candidate_id)
    if found is None or found.state is not CandidateState.OPEN:
        return None
    event = Event(
        kind=EventKind.CANDIDATE_END,
        op=f"candidate-end/{candidate_id}",
        at=at,
        body={"candidate": candidate_id, "state": state.value},
        thread=str(found.thread),
        turn=found.turn,
        person=found.person,
        audience=found.audience,
    )
    append(tx, event)
    return _candidate(tx, candidate_id)


def _candidate(tx: sqlite3.Connection, candidate_id: int) -> Candidate | None:
    row = tx.execute(f"{_SELECT} where c.id = ?", (candidate_id,)).fetchone()
    return _read(row) if row else None


def _read(row: sqlite3.Row) -> Candidate:
    return Candidate(
        id=row["id"],
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
        thread=Thread.parse(row["thread"]),
        turn=row["turn"],
        person=row["person"],
        audience=row["audience"],
        state=CandidateState(row["state"]),
        suggested=bool(row["suggested"]),
    )
