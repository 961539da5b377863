"""What is left of a file of notes that said what shall be forgotten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from apx.domain.memory_file import decode, parse
from apx.domain.passage import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from apx.domain.memory_file import Entry, Heading


def _never(text: str) -> bool:
    del text
    return False


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
    which people gave themselves count too. In `mixed` audiences only whole notes go:
    other lines are not the asker's.
    """

    holds: Callable[[str], bool] = _never
    keys: Collection[str] = frozenset()
    typed: Collection[str] = frozenset()
    names: bool = True
    mixed: Collection[str] = frozenset()

    def among(self, audience: str) -> Told:
        """Give what counts in the file of an audience."""
        return replace(self, holds=_never) if audience in self.mixed else self


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
