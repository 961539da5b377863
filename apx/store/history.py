"""Reading back what was said; nothing here writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import EventKind
from apx.domain.history import PastTurn, Step, View
from apx.domain.message import ToolCall
from apx.store import rows
from apx.store.condensations import Condensations
from apx.store.log import from_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from apx.domain.condensation import Condensation
    from apx.domain.event import Event
    from apx.domain.thread import Thread
    from apx.domain.turn import Turn
    from apx.store.database import Database


# Among so many threads that spoke last the active ones are looked for.
_LATEST: Final = 100
# A view reads no more turns than these; older ones are to be condensed first.
MOST_TURNS: Final = 1_000
# The turns of a thread, after an ordinal and since `/new`, that a model may see.
_SHOWN: Final = (
    "from thread h join turn t on t.thread = h.name where h.name = ?"
    " and t.ordinal > max(?, h.begins) and t.id > h.fresh and t.state <> 'running'"
    " and t.hidden = 0"
    " and not exists (select 1 from turn r where r.retry_of = t.id and r.hidden = 0)"
)


class History:
    """The turns of the past: as a model sees them, and as a person does."""

    def __init__(self, database: Database, most: int = MOST_TURNS) -> None:
        self._database = database
        self._most = most
        self._condensations = Condensations(database)

    async def view(self, thread: Thread) -> View:
        """Read what a model sees of a thread: its condensation and the turns after it.

        Starts after `/new`; leaves out stopped and repeated turns. Reads the newest
        turns and counts the older ones. Its cost does not grow with the thread.
        """
        base = await self._condensations.newest(thread)
        return await self.view_on(thread, base)

    async def view_on(self, thread: Thread, base: Condensation | None) -> View:
        """Read a thread as it is seen with another condensation, or with none."""
        most = self._most
        found, counted = await self._after(thread, base, most + 1, "desc")
        unread = 0
        if len(found) > most:
            unread = await self._many(thread, base) - most
        return await self._view(list(reversed(found[:most])), base, counted, unread)

    async def earliest(self, thread: Thread, most: int) -> View:
        """Read the condensation of a thread and the first turns after it."""
        base = await self._condensations.newest(thread)
        found, counted = await self._after(thread, base, most, "asc")
        return await self._view(found, base, counted, 0)

    async def _after(
        self, thread: Thread, base: Condensation | None, most: int, order: str
    ) -> tuple[list[Turn], int]:
        found = await self._database.fetch(
            f"select t.*, h.counted {_SHOWN} order by t.ordinal {order} limit ?",
            str(thread),
            base.last if base else 0,
            most,
        )
        counted = found[0]["counted"] if found else 0
        return [rows.turn(row) for row in found], counted

    async def _many(self, thread: Thread, base: Condensation | None) -> int:
        found = await self._database.fetch(
            f"select count(*) as many {_SHOWN}",
            str(thread),
            base.last if base else 0,
        )
        many: int = found[0]["many"]
        return many

    async def _view(
        self,
        turns: Sequence[Turn],
        base: Condensation | None,
        counted: int,
        unread: int,
    ) -> View:
        steps = await self._steps([turn.id for turn in turns])
        past = tuple(PastTurn(turn, steps.get(turn.id, ())) for turn in turns)
        return View(past, base, counted, unread)

    async def transcript(self, thread: Thread, limit: int) -> list[Turn]:
        """Read the newest turns of a thread, oldest first."""
        found = await self._database.fetch(
            "select * from (select * from turn where thread = ? and hidden = 0"
            " order by ordinal desc limit ?) order by ordinal",
            str(thread),
            limit,
        )
        return [rows.turn(row) for row in found]

    async def threads(
        self, limit: int, audiences: Sequence[str]
    ) -> list[tuple[int, Turn]]:
        """Read the threads that spoke last: how many turns each has, and its newest."""
        found = await self._database.fetch(
            "select t.*, h.turns as turns from thread h join turn t on t.id ="
            " h.last_turn where h.audience in (select value from json_each(?))"
            " and t.audience = h.audience order by h.last_turn desc limit ?",
            json.dumps(list(audiences)),
            limit,
        )
        return [(row["turns"], rows.turn(row)) for row in found]

    async def active(
        self, besides: Thread, audiences: Sequence[str], since: datetime, limit: int
    ) -> list[Turn]:
        """Read the newest turn of each other thread that spoke since a time."""
        found = await self._database.fetch(
            "select t.* from (select * from thread where audience in"
            " (select value from json_each(?1)) order by last_turn desc limit ?2) h"
            " join turn t on t.id = h.last_turn and t.audience = h.audience"
            " where h.name <> ?3 and t.began_at >= ?4 order by t.id desc limit ?5",
            json.dumps(list(audiences)),
            _LATEST,
            str(besides),
            since.isoformat(),
            limit,
        )
        return [rows.turn(row) for row in found]

    async def events(self, after: int, limit: int) -> list[Event]:
        """Read the log after a `seq`, in order."""
        found = await self._database.fetch(
            "select * from event where seq > ? order by seq limit ?", after, limit
        )
        return [from_row(row) for row in found]

    async def events_of(self, turn_id: int, kind: EventKind) -> list[Event]:
        """Read one kind of a turn's events."""
        found = await self._database.fetch(
            "select * from event where turn = ? and kind = ? and turn > 0 order by seq",
            turn_id,
            kind,
        )
        return [from_row(row) for row in found]

    async def newest_with(
        self, thread: str, kind: EventKind, audiences: Sequence[str]
    ) -> Event | None:
        """Read the newest turn's event of a kind, in one thread or in all (``)."""
        found = await self._database.fetch(
            "select e.* from turn t join event e on e.turn = t.id and e.kind = ?"
            " where e.turn > 0 and t.hidden = 0 and (? = '' or t.thread = ?)"
            " and t.audience in (select value from json_each(?))"
            " order by t.id desc limit 1",
            kind,
            thread,
            thread,
            json.dumps(list(audiences)),
        )
        return from_row(found[0]) if found else None

    async def ledger_id(self) -> str:
        """Tell this ledger from every other; an index of another one is not ours."""
        found = await self._database.fetch(
            "select value from meta where key = 'ledger_id'"
        )
        name: str = found[0]["value"]
        return name

    async def last_seq(self) -> int:
        """Give the `seq` of the newest event, 0 in an empty log."""
        found = await self._database.fetch("select max(seq) as last from event")
        return found[0]["last"] or 0

    async def turn_counts(self) -> dict[str, int]:
        """Count the turns in each state."""
        found = await self._database.fetch(
            "select state, count(*) as many from turn group by state"
        )
        return {row["state"]: row["many"] for row in found}

    async def _steps(self, turn_ids: Sequence[int]) -> dict[int, tuple[Step, ...]]:
        found = await self._database.fetch(
            "select turn, kind, body from event where turn > 0 and turn in"
            " (select value from json_each(?)) and kind in ('step', 'tool_result')"
            " order by turn, seq",
            json.dumps(list(turn_ids)),
        )
        bodies: dict[int, list[tuple[str, dict[str, Any]]]] = {}
        for row in found:
            entry = (row["kind"], json.loads(row["body"]))
            bodies.setdefault(row["turn"], []).append(entry)
        return {turn: _fold(entries) for turn, entries in bodies.items()}


def _fold(entries: list[tuple[str, dict[str, Any]]]) -> tuple[Step, ...]:
    results = {
        body["call"]: body for kind, body in entries if kind == EventKind.TOOL_RESULT
    }
    return tuple(
        _step(body, results) for kind, body in entries if kind == EventKind.STEP
    )


def _step(body: dict[str, Any], results: dict[str, dict[str, Any]]) -> Step:
    calls = tuple(ToolCall(**call) for call in body["calls"])
    given = {call.id: results[call.id] for call in calls if call.id in results}
    return Step(
        text=body["text"],
        calls=calls,
        results={call_id: result["text"] for call_id, result in given.items()},
        bounded=body["bounded"] or any(r["bounded"] for r in given.values()),
        foreign=frozenset(name for name, r in given.items() if r.get("untrusted")),
    )
