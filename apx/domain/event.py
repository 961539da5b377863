"""One line of the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from apx.domain.person import OWNER, OWNERS_OWN

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class EventKind(StrEnum):
    """What happened."""

    ACCEPT = "accept"
    BEGIN = "begin"
    JOIN = "join"
    WITHDRAW = "withdraw"
    RECALL = "recall"
    OUTPUT = "output"
    STEP = "step"
    TOOL_START = "tool_start"
    TOOL_RESULT = "tool_result"
    END = "end"
    DELIVERY = "delivery"
    FRESH = "fresh"
    NOTE = "note"
    NOTE_RESTORE = "note_restore"
    NOTE_FORGET = "note_forget"
    COMPACT = "compact"
    COMPACT_UNDO = "compact_undo"
    REWIND = "rewind"
    CANDIDATE = "candidate"
    CANDIDATE_END = "candidate_end"
    NOTE_MOVE = "note_move"
    PERSON = "person"
    ROLE = "role"
    ACCOUNT = "account"
    ACCOUNT_END = "account_end"
    ERASE = "erase"
    GATHER = "gather"
    EDIT = "edit"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, where and when. `op` is unique: the same one is never twice.

    `seq` orders the log; it is 0 until the log gave the event its place.
    `thread` is empty and `turn` is 0 for what belongs to none.
    """

    kind: EventKind
    op: str
    at: datetime
    body: Mapping[str, Any] = field(default_factory=dict)
    thread: str = ""
    turn: int = 0
    person: str = OWNER
    audience: str = str(OWNERS_OWN)
    seq: int = 0
