"""What a channel hears, as the platform tells it: nothing here is a claim of ours."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.attachment import Attachment
    from apx.domain.person import Account
    from apx.domain.quoted import Quoted
    from apx.domain.thread import Thread


class What(StrEnum):
    """The kinds of event that a platform brings; the same door is there for all.

    `CONTEXT` was said in a room, but not to the assistant.
    """

    MESSAGE = "message"
    EDIT = "edit"
    REACTION = "reaction"
    BUTTON = "button"
    COMMAND = "command"
    POST = "post"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is there, by the platform's immutable ids; `name` is for display alone.

    `group` is the id of the group that the thread is in, empty in a private chat.
    """

    account: Account
    thread: Thread
    name: str = ""
    group: str = ""
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A message or a command; `external_id` is the platform's.

    `quoted` is what came along of other people's words: forwarded, quoted, attached.
    `model` is the one that shall answer, empty for the usual one. Messages of the
    same `album` are one. An edit bears the id of what it edits, and `revision`. What
    is answered `is_aside` only its writer sees, also in a room.
    """

    caller: Caller
    text: str
    at: datetime
    external_id: str
    what: What = What.MESSAGE
    quoted: tuple[Quoted, ...] = ()
    model: str = ""
    files: tuple[Attachment, ...] = ()
    album: str = ""
    revision: str = ""
    is_aside: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed, with what it was made with.

    One under what only its presser sees `is_aside`, also in a room.
    """

    caller: Caller
    data: str
    at: datetime
    is_aside: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press under a notice; `data` fits 64 bytes."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What the assistant says unasked, such as that somebody wants to be let in."""

    text: str
    buttons: tuple[Button, ...] = ()
