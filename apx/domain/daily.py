"""The form of the daily log on the disk: its lines, and the cursor beside them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import EventKind
from apx.domain.masking import masked
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import tzinfo

    from apx.domain.event import Event

_Fields = dict[str, Any]

_WENT_WRONG: Final = frozenset({TurnState.FAILED, TurnState.INTERRUPTED})
_CALL: Final = ("id", "name", "arguments")
# No number of SQLite's is larger.
_LARGEST: Final = 2**63 - 1
_BEGINS: Final = re.compile(rb'\{"seq":([0-9]{1,19}),')
# One in winter and one in summer tell zones apart whose names say nothing.
_SEASONS: Final = (datetime(2026, 1, 1), datetime(2026, 7, 1))  # noqa: DTZ001 -- it gets the zone in question


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the daily log, its newline included, and the local day it is of."""

    seq: int
    day: str
    line: bytes


@dataclass(frozen=True, slots=True)
class Tail:
    """What the end of a day's file holds.

    `seqs` are those of its lines behind the `seq` that was asked about, `last` is
    the newest of all, 0 without any. What comes after `end` is no line of ours.
    `is_whole` says that nothing before it can be behind that `seq`.
    """

    seqs: tuple[int, ...]
    last: int
    end: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far the files have come: behind event `seq` of a ledger, named `op`.

    `zone` is what made days of times: under another one, lines behind the cursor may
    be in the files of other days than they would be now. `day` was written to last,
    and was then `size` bytes long. Without a ledger nothing is known.
    """

    ledger: str = ""
    zone: str = ""
    seq: int = 0
    op: str = ""
    day: str = ""
    size: int = 0

    @classmethod
    def read(cls, data: bytes) -> Cursor:
        """Read what `written` gave; what is damaged is an unknown cursor."""
        unknown = asdict(cls())
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(found, dict) or _types(found) != _types(unknown):
            return cls()
        cursor = cls(**found)
        return cursor if 0 <= cursor.seq <= _LARGEST else cls()

    def written(self) -> bytes:
        """Give the bytes of its file."""
        return json.dumps(asdict(self)).encode()


def zone_name(zone: tzinfo) -> str:
    """Tell a zone from others, also where it is called `local` on every machine."""
    offsets = [season.replace(tzinfo=zone).strftime("%z") for season in _SEASONS]
    return " ".join([str(zone), *offsets])


def entry(event: Event, zone: tzinfo) -> Entry | None:
    """Give the line of an event, dated by the person's clock; many kinds have none."""
    tell = _LINES.get(event.kind)
    fields = tell(event) if tell else None
    if fields is None:
        return None
    at = event.at.astimezone(zone)
    line: _Fields = {
        "seq": event.seq,
        "at": at.isoformat(),
        "type": fields.pop("type"),
        "thread": event.thread,
        "turn": event.turn,
        "person": event.person,
        "audience": event.audience,
    }
    # What each line has means the same in all of them, whatever a body says.
    said = masked(fields)
    line |= {name: value for name, value in said.items() if name not in line}
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    # Half a surrogate pair has no UTF-8; its escape is the one that JSON has, too.
    data = f"{text}\n".encode("utf-8", "backslashreplace")
    return Entry(event.seq, at.date().isoformat(), data)


def tail(data: bytes, after: int) -> Tail:
    """Read whole lines, and what may follow them, from the end of a day's file.

    A broken write leaves half a line, and a power cut may leave anything in place
    of what was not on the disk yet: there, the first line that cannot be read is
    the end. Before a line that is no newer than `after` nothing was broken so.
    """
    seqs: list[int] = []
    last = end = place = 0
    is_broken = is_whole = False
    *lines, _ = data.split(b"\n")
    for line in lines:
        place += len(line) + 1
        seq = seq_of(line)
        is_broken = seq is None or (is_broken and seq > after)
        if seq is None or is_broken:
            continue
        end, last = place, max(last, seq)
        if seq > after:
            seqs.append(seq)
        else:
            is_whole = True
    return Tail(tuple(seqs), last, end, is_whole)


def rewritten(data: bytes, lines: Mapping[int, bytes]) -> tuple[bytes, int]:
    """Put other lines into a day's file, by their `seq`; says how many it replaced.

    What follows the last whole line goes along: it is half of one.
    """
    found, many = [], 0
    for line in data.split(b"\n")[:-1]:
        # Nearly all lines are ours and begin so: no need to read them whole.
        begins = _BEGINS.match(line)
        seq = int(begins[1]) if begins else seq_of(line)
        other = None if seq is None else lines.get(seq)
        many += other is not None
        found.append(line + b"\n" if other is None else other)
    return (b"".join(found), many) if many else (data, 0)


def seq_of(line: bytes) -> int | None:
    """Read the `seq` of a whole line; nothing if the line is not ours."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    seq = found.get("seq") if isinstance(found, dict) else None
    return seq if type(seq) is int else None


def _types(fields: _Fields) -> dict[str, type]:
    return {name: type(value) for name, value in fields.items()}


def _asked(event: Event) -> _Fields:
    fields = {"type": "message", "role": "user"}
    said = event.body.get("said", event.body["text"])
    return fields | {"text": said} | _picked(event.body, "retry_of")


def _added(event: Event) -> _Fields:
    return {"type": "message", "role": "user", "text": event.body["added"]}


def _edited(event: Event) -> _Fields | None:
    """Tell what a person made of a message that was answered already."""
    if not event.body.get("is_late"):
        return None
    return {"type": "message", "role": "user", "text": event.body["text"], "edit": True}


def _ended(event: Event) -> _Fields | None:
    """Tell what was answered, or else what went wrong; of one event, one line."""
    about = _picked(event.body, "state", "model", "usage")
    if error := event.body.get("error"):
        about["error"] = error
    if final := event.body.get("final"):
        return {"type": "message", "role": "assistant", "text": final} | about
    if event.body["state"] in _WENT_WRONG:
        return {"type": "error", "error": ""} | about
    return None


def _called(event: Event) -> _Fields:
    # A provider's signature of a call is long, and says nothing to anybody else.
    calls = [_picked(call, *_CALL) for call in event.body["calls"]]
    return {"type": "tool_call", "text": event.body["text"], "calls": calls}


def _returned(event: Event) -> _Fields:
    return {"type": "tool_result"} | _picked(event.body, "call", "name", "ok", "text")


def _noted(event: Event) -> _Fields:
    fields = {"type": "note", "action": "add", "note": event.seq}
    return fields | _picked(event.body, "text", "channel", "origin")


def _note_changed(event: Event) -> _Fields:
    action = "forget" if event.kind is EventKind.NOTE_FORGET else "restore"
    return {"type": "note", "action": action} | _picked(event.body, "note", "text")


def _whole(event: Event) -> _Fields:
    return {**event.body, "type": event.kind.value}


def _picked(body: Mapping[str, Any], *names: str) -> _Fields:
    return {name: body[name] for name in names if name in body}


_LINES: Final[dict[EventKind, Callable[[Event], _Fields | None]]] = {
    EventKind.BEGIN: _asked,
    EventKind.JOIN: _added,
    EventKind.EDIT: _edited,
    EventKind.END: _ended,
    EventKind.STEP: _called,
    EventKind.TOOL_RESULT: _returned,
    EventKind.NOTE: _noted,
    EventKind.NOTE_FORGET: _note_changed,
    EventKind.NOTE_RESTORE: _note_changed,
    EventKind.COMPACT: _whole,
    EventKind.COMPACT_UNDO: _whole,
    EventKind.REWIND: _whole,
    EventKind.FRESH: _whole,
}
