"""What a turn asks memory for, and the record of what it was given."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from apx.domain.event import Event, EventKind

if TYPE_CHECKING:
    from apx.domain.recall import Query, Recall
    from apx.domain.turn import Turn

_END: Final = 2000


def asked(request: str) -> str:
    """Give what of a request is looked for: of a long one, its two ends.

    People write what they want before or after what they paste.
    """
    if len(request) <= 2 * _END:
        return request
    return f"{request[:_END]}\n{request[-_END:]}"


def recall_event(turn: Turn, recall: Recall, query: Query) -> Event:
    """Make the event that says what memory brought to a turn."""
    return Event(
        kind=EventKind.RECALL,
        # What was asked when it was looked for: more may have joined meanwhile.
        op=f"recall/{turn.id}/{len(turn.request)}",
        at=query.at,
        body={
            "memories": [
                {
                    **asdict(memory),
                    "at": memory.at.isoformat(),
                    "thread": str(memory.thread or ""),
                }
                for memory in recall.memories
            ],
            "missed": list(recall.missed),
            "withheld": recall.withheld,
            "spent_ms": recall.spent_ms,
        },
        thread=str(turn.thread),
        turn=turn.id,
        person=turn.person,
        audience=turn.audience,
    )
