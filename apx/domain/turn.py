"""What was asked, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from apx.domain.message import NO_USAGE, Usage
from apx.domain.person import OWNER, OWNERS_OWN, TERMINAL, Account, Audience, Role
from apx.domain.quoted import Provenance

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.attachment import Attachment
    from apx.domain.quoted import Quoted
    from apx.domain.thread import Thread


class TurnState(StrEnum):
    """A turn is running, or it has ended in one of four ways, for ever."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


class PartState(StrEnum):
    """How far a part of a reply has come."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message that was let in: whose it is, and who will read the reply.

    `external_id` is the platform's, or ours. `model` is the one that the person
    wants to answer, empty for the usual one. `speaker` is the name that a room
    shows, empty in private. Messages of one `album` are answered together. The door
    makes these, nobody else.
    """

    thread: Thread
    text: str
    at: datetime
    external_id: str
    person: str = OWNER
    audience: Audience = OWNERS_OWN
    role: Role = Role.OWNER
    speaker: str = ""
    quoted: tuple[Quoted, ...] = ()
    model: str = ""
    account: Account = TERMINAL
    files: tuple[Attachment, ...] = ()
    album: str = ""

    @property
    def is_held(self) -> bool:
        """Whether no turn may take it yet: something of it is still to come."""
        return bool(self.album) or not all(file.is_settled for file in self.files)

    @property
    def key(self) -> str:
        """The idempotency key: the same message never starts a second turn."""
        return message_key(self.thread, self.external_id)


def message_key(thread: Thread, external_id: str) -> str:
    """Name the request that a message is, whoever says that."""
    return f"{thread}/{external_id}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One accepted request and all that followed.

    `wanted` is the model that the person asked for, `model` the one that answered.
    `ordinal` is its place in its thread, from 1 on. `role` is what its person was
    allowed when they asked. It is `tainted` if its model read other people's words.
    """

    id: int
    thread: Thread
    state: TurnState
    request: str
    began_at: datetime
    person: str = OWNER
    audience: str = str(OWNERS_OWN)
    final: str | None = None
    partial: str = ""
    error: str = ""
    wanted: str = ""
    model: str = ""
    usage: Usage = NO_USAGE
    retry_of: int | None = None
    ended_at: datetime | None = None
    ordinal: int = 0
    role: Role = Role.OWNER
    speaker: str = ""
    quoted: tuple[Quoted, ...] = ()
    tainted: bool = False
    files: tuple[Attachment, ...] = ()

    @property
    def asked(self) -> str:
        """What was asked, for a list of turns; one without words names its files."""
        return self.request or " ".join(f"[{file.medium}]" for file in self.files)

    @property
    def provenance(self) -> str:
        """How other people's words came into it or its answer; empty for none."""
        if self.role is Role.GUEST:
            return Provenance.GUEST
        if self.quoted:
            return self.quoted[0].provenance
        if any(file.is_others for file in self.files):
            return Provenance.ATTACHED
        return Provenance.QUOTED if self.tainted else ""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a reply on its way to a thread, as the outbox keeps it.

    `is_plain` says that it is no Markdown; `request` is what it answers, `answers`
    the platform's id of that. A channel may need several messages for a part:
    `message_id` names those that were sent, and `is_failure` offers to try again.
    `previous` names those of the part before it, where this one may be there already.
    """

    id: int
    turn: int
    number: int
    thread: Thread
    text: str
    state: PartState = PartState.PENDING
    attempts: int = 0
    created_at: datetime | None = None
    error: str = ""
    is_plain: bool = False
    request: str = ""
    answers: str = ""
    message_id: str = ""
    is_failure: bool = False
    previous: str = ""

    @property
    def is_repeat(self) -> bool:
        """Whether the person may have this part already."""
        return self.state is PartState.UNKNOWN
