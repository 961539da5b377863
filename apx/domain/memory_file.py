"""The format of memory.md: reading it, and what is appended."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Final

from apx.domain.fences import fences
from apx.domain.secrets import mask
from apx.domain.text import clean, flatten, normal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from apx.domain.note import Note

_HEADER: Final = "# Notes\n"
_NOON: Final = time(12)
_NESTED: Final = 2  # columns; less is a bullet that stands askew
_BULLET: Final = re.compile(r"[ \t]*[-*+][ \t]")
_RULE: Final = re.compile(r"[ \t]*([-*])(?:[ \t]*\1){2,}[ \t\r]*$")
# Years that no time zone pushes out of what a datetime can hold.
_DAY: Final = r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
# `##2026-11-30` is meant as a heading, `#tag` is not.
_HEADING: Final = re.compile(rf" {{0,3}}(#{{1,6}})(?:[ \t]|(?={_DAY}))(.*)")
_HEADING_DAY: Final = re.compile(rf"(?<![0-9]){_DAY}(?![0-9])")
_TAGS: Final = re.compile(
    rf"\[(?=[0-9])({_DAY})?[ T]?([0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?)?\]"
    r"(?:\[([^\[\]\s]{1,64})\])?"
)
_NO_TAG: Final = re.compile(r"[\[\]\s]+")
_INK: Final = re.compile(r"[^\s\0\ufeff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet, with what its tags and its heading tell; lines `first` to `end`."""

    text: str
    day: date | None = None
    hour: time | None = None
    channel: str = ""
    key: str = field(default="", compare=False)
    first: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def is_tagged(self) -> bool:
        """Whether it bears both tags, as every line does that apx wrote itself."""
        return self.hour is not None and self.channel != ""

    @property
    def tag(self) -> tuple[date | None, time | None, str]:
        """When and where it was noted."""
        return self.day, self.hour, self.channel

    def moment(self, now: datetime, zone: tzinfo) -> datetime:
        """Give its time in UTC: by its tags, else by its heading, else now."""
        today = now.astimezone(zone).date()
        day = self.day or today
        if self.hour is None and day == today:
            return now
        local = datetime.combine(day, self.hour or _NOON, tzinfo=zone)
        return local.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on a line, and the day if it names one."""

    line: int
    level: int
    day: date | None


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file as it was read."""

    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    headings: tuple[Heading, ...]

    @property
    def last_day(self) -> date | None:
        """The day under which an appended bullet would stand."""
        return self.headings[-1].day if self.headings else None


def key_of(text: str) -> str:
    """Give that by which bullets and notes are matched; empty if there is no text."""
    return normal(mask(clean(text)))  # as the note of a password is masked


def decode(data: bytes) -> str:
    """Read the bytes of a file; what is no UTF-8 becomes a replacement mark."""
    return data.decode("utf-8-sig", "replace")


def is_blank(text: str) -> bool:
    """Tell whether nothing is written there."""
    return _INK.search(text) is None


def parse(text: str) -> MemoryFile:
    """Read a file as it is; every text is a file.

    A bullet is a note, with the indented lines below it. Headings date them, and
    nothing else counts: prose, rules, bullets in a closed code fence.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    reader = _Reader(lines)
    closed_by = fences(lines)
    line = 0
    while line < len(lines):
        end = closed_by.get(line, line + 1)
        reader.read(line, end)
        line = end
    return reader.result()


def to_append(text: str, notes: Iterable[Note], zone: tzinfo) -> str:
    """Write what must follow `text` for these notes to be in the file.

    A blank file gets its header first; a last line without an end gets one.
    """
    notes = tuple(notes)
    if not notes and not is_blank(text):
        return ""
    parts = [] if not text or text.endswith("\n") else ["\n"]
    if is_blank(text):
        parts.append(_HEADER)
    gap = "" if text.endswith(("\n\n", "\n\r\n")) and not parts else "\n"
    last = parse(text).last_day
    day = last.isoformat() if last else ""
    for note in notes:
        if render_day(note, zone) != day:
            day = render_day(note, zone)
            parts.append(f"{gap}## {day}\n")
        parts.append(_line(note, zone))
        gap = "\n"
    return "".join(parts).replace("\n", "\r\n" if "\r\n" in text else "\n")


def render_day(note: Note, zone: tzinfo) -> str:
    """Give the local day of a note, such as `2026-11-30`."""
    return note.at.astimezone(zone).date().isoformat()


def _line(note: Note, zone: tzinfo) -> str:
    channel = _NO_TAG.sub("", clean(note.channel))[:64]
    tags = f"[{note.at.astimezone(zone):%H:%M}]" + (f"[{channel}]" if channel else "")
    return f"- {tags} {flatten(clean(note.text))}\n"


class _Reader:
    """Reads lines in order; `_open` is the bullet that may still grow."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._entries: list[Entry] = []
        self._headings: list[Heading] = []
        self._dated: Heading | None = None
        self._open: range | None = None

    def read(self, first: int, end: int) -> None:
        """Take in one line, or a whole code fence."""
        line = self._lines[first]
        if not line.strip():
            return
        if self._open and self._belongs(line, self._lines[self._open[0]]):
            self._open = range(self._open[0], end)
            return
        self._close()
        if end > first + 1:
            return
        if heading := _HEADING.match(line):
            self._head(Heading(first, len(heading[1]), _day_in(heading[2])))
        elif _BULLET.match(line) and not _RULE.match(line):
            self._open = range(first, end)

    def result(self) -> MemoryFile:
        self._close()
        return MemoryFile(
            tuple(self._lines), tuple(self._entries), tuple(self._headings)
        )

    def _belongs(self, line: str, bullet: str) -> bool:
        deeper = _indent(line) - _indent(bullet)
        return deeper >= (_NESTED if _BULLET.match(line) else 1)

    def _head(self, heading: Heading) -> None:
        self._headings.append(heading)
        dated = self._dated
        if heading.day or (dated and heading.level <= dated.level):
            self._dated = heading

    def _close(self) -> None:
        if self._open is None:
            return
        span, self._open = self._open, None
        text = flatten(clean(" ".join(self._lines[span.start : span.stop])))
        day = self._dated.day if self._dated else None
        entry = _entry(text[len("- ") :], day, span)
        if entry.key:
            self._entries.append(entry)


def _entry(text: str, day: date | None, span: range) -> Entry:
    at = None
    channel = ""
    if tags := _TAGS.match(text):
        try:
            day = date.fromisoformat(tags[1]) if tags[1] else day
            at = _time(tags[2]) if tags[2] else None
        except ValueError:  # [99:99] is text
            pass
        else:
            channel = tags[3] or ""
            text = text[tags.end() :].strip()
    return Entry(text, day, at, channel, key_of(text), span.start, span.stop)


def _time(text: str) -> time:
    hour, _, rest = text.partition(":")
    return time.fromisoformat(f"{hour:0>2}:{rest}")


def _day_in(heading: str) -> date | None:
    found = _HEADING_DAY.search(heading)
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))
