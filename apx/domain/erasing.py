"""What shall be forgotten for good, and what is left of records that said it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import EventKind
from apx.domain.memory_file import decode, parse
from apx.domain.passage import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from apx.domain.memory_file import Entry, Heading

Json = Any

# Names, ids and closed sets: others are found by them, and they say nothing.
_STRUCTURE: Final = frozenset(
    {
        *("key", "keys", "id", "call", "name", "kind", "ref", "retry_of"),
        *("state", "effect", "provenance", "untrusted", "missed", "condenser"),
        *("model", "usage", "role", "origin", "channel", "audience", "thread"),
        *("person", "home", "bot", "user", "message_id", "at", "until", "seqs"),
        "prev_compact_ts",
    }
)
_NAMED: Final = frozenset({EventKind.PERSON, EventKind.ACCOUNT})
_TOLD: Final = ("sections", "opening", "standing", "refused")
_ARGUMENTS: Final = "arguments"
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class ErasePassage:
    """Whatever says this, in the audiences where the asker may erase."""

    text: str
    audiences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EraseThread:
    """A whole conversation, with the notes that were made in it unless these stay."""

    name: str
    audiences: tuple[str, ...]
    keep_notes: bool = False


@dataclass(frozen=True, slots=True)
class ErasePerson:
    """A person, and all that they said, wherever they said it."""

    key: str


Erasure = ErasePassage | EraseThread | ErasePerson


@dataclass(frozen=True, slots=True)
class Removed:
    """How much was removed where; `left` says to people what could not be.

    `messages` were said by either side, `records` are what turns looked up, called
    and delivered. `lines` are those of memory.md and its like, `files` were removed.
    """

    notes: int = 0
    messages: int = 0
    records: int = 0
    summaries: int = 0
    facts: int = 0
    threads: int = 0
    chunks: int = 0
    vectors: int = 0
    lines: int = 0
    log_lines: int = 0
    history: int = 0
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether there was nothing to remove."""
        counted = (getattr(self, f.name) for f in fields(self) if f.name != "left")
        return not any(counted)


@dataclass(frozen=True, slots=True)
class Gone:
    """What is left of a file of notes: its bytes, the bullets and lines that went."""

    data: bytes
    entries: tuple[Entry, ...] = ()
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """By what lines of files are found that say what is forgotten.

    `keys` are those of whole notes, `typed` whole messages. `names` says that names
    which people gave themselves count too.
    """

    holds: Callable[[str], bool] = lambda _: False
    keys: Collection[str] = frozenset()
    typed: Collection[str] = frozenset()
    names: bool = True


def blank(text: str) -> str:
    """Forget a whole text."""
    return MARK if text.strip() else text


def redacted(
    kind: EventKind, body: Mapping[str, Any], cut: Callable[[str], str]
) -> dict[str, Any] | None:
    """Give an event's body without what `cut` takes out; nothing if that is nothing.

    It is marked as `erased`, so that the same message is known when it comes again.
    """
    kept = _STRUCTURE - {"name"} if kind in _NAMED else _STRUCTURE
    found = {
        name: value if name in kept else _walk(value, cut, kept, name)
        for name, value in body.items()
    }
    key = str(body.get("key", "")) if kind is EventKind.CANDIDATE else ""
    if found == dict(body) and cut(key) == key:
        return None
    if key and not key.startswith(MARK):
        # Equal facts stay equal, and others stay different.
        digest = hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]
        found["key"] = f"{MARK} {digest}"
    if kind is EventKind.STEP:
        # A vendor's own record of what its model thought of the words.
        found["calls"] = [{**call, "signature": ""} for call in found["calls"]]
    return found | {"erased": True}


def emptied(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the body of a condensation that tells nothing; nothing if it does not."""
    if body.get("erased") and not any(body.get(name) for name in _TOLD):
        return None
    found = {name: type(body[name])() for name in _TOLD if name in body}
    return {**body, **found, "erased": True}


def take_lines(data: bytes, told: Told) -> Gone:
    """Take out of a file of notes what says it; all other bytes stay.

    A heading keeps its place and its day, as what stands below is dated by it.
    """
    file = parse(decode(data))
    gone = tuple(e for e in file.entries if e.key in told.keys or told.holds(e.text))
    out = {number for entry in gone for number in range(entry.first, entry.end)}
    prose = set(_prose(file.lines, out, told.holds))
    if not out | prose:
        return Gone(data)
    titles = {h.line: h for h in file.headings if h.line in prose}
    lines = [
        _title(titles[number], line) if number in titles else line
        for number, line in enumerate(data.split(b"\n"))
        if number in titles or number not in out | prose
    ]
    return Gone(b"\n".join(lines), gone, len(out | prose))


def _walk(
    value: Json, cut: Callable[[str], str], kept: Collection[str], name: str = ""
) -> Json:
    if isinstance(value, str):
        return _without(value, cut, name)
    if isinstance(value, dict):
        return {
            key: one if key in kept else _walk(one, cut, kept, key)
            for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_walk(one, cut, kept, name) for one in value]
    return value


def _without(text: str, cut: Callable[[str], str], name: str) -> str:
    """Cut a text; one that is JSON stays JSON."""
    found = _json(text)
    if found is not None:
        less = _deep(found, cut)
        text = text if less == found else json.dumps(less, ensure_ascii=False)
        if cut(text) == text or cut is blank:
            return text
    whole = cut(text)
    return "{}" if whole != text and name == _ARGUMENTS else whole


def _json(text: str) -> Json:
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _deep(value: Json, cut: Callable[[str], str]) -> Json:
    """Cut what is nobody's but a tool's: its names and numbers too."""
    if isinstance(value, str):
        return _without(value, cut, "")
    if isinstance(value, dict):
        return {cut(key): _deep(one, cut) for key, one in value.items()}
    if isinstance(value, list):
        return [_deep(one, cut) for one in value]
    written = json.dumps(value)
    return value if cut(written) == written else MARK


def _prose(
    lines: Sequence[str], out: Collection[int], holds: Callable[[str], bool]
) -> Iterator[int]:
    """Find the fewest lines that say it, also where a line ends in the middle."""
    for first, last in _paragraphs(lines, out):
        end = last
        while holds("\n".join(lines[first:end])):
            begin = first
            while holds("\n".join(lines[begin + 1 : end])):
                begin += 1
            while holds("\n".join(lines[begin : end - 1])):
                end -= 1
            yield from range(begin, end)
            end = begin


def _paragraphs(
    lines: Sequence[str], out: Collection[int]
) -> Iterator[tuple[int, int]]:
    first = 0
    for number in range(len(lines) + 1):
        if number == len(lines) or number in out or not lines[number].strip():
            if first < number:
                yield first, number
            first = number + 1


def _title(heading: Heading, line: bytes) -> bytes:
    end = b"\r" if line.endswith(b"\r") else b""
    told = heading.day.isoformat() if heading.day else MARK
    return f"{'#' * heading.level} {told}".encode() + end
