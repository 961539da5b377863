"""A dated entry of memory.md."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from apx.domain.person import OWNER, OWNERS_OWN

if TYPE_CHECKING:
    from datetime import datetime


class Origin(StrEnum):
    """Who wrote a note: the assistant, a person in the file, a person by command.

    A promoted one was found while condensing and kept unasked.
    """

    TOOL = "tool"
    HAND = "hand"
    COMMAND = "command"
    PROMOTED = "promoted"


@dataclass(frozen=True, slots=True)
class Note:
    """What the assistant was told to remember, or what a person wrote by hand.

    `id` is the `seq` of its event. `channel` is empty for one written by hand,
    unless its line names a channel.
    `restored` says that an editor overwrote it once and it was appended again.
    """

    id: int
    text: str
    at: datetime
    channel: str = ""
    turn: int = 0
    restored: bool = False
    person: str = OWNER
    audience: str = str(OWNERS_OWN)


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note on its way into the log; the same `op` is never noted twice."""

    op: str
    text: str
    at: datetime
    channel: str = ""
    thread: str = ""
    turn: int = 0
    person: str = OWNER
    audience: str = str(OWNERS_OWN)
    origin: Origin = Origin.TOOL
