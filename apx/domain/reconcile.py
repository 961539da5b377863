"""What a changed memory.md means for the notes of the log.

Bullets and notes match by their normalised text, so that a line that only
moved, or whose tags changed, is no change.

| a note whose line                                    | is            |
|------------------------------------------------------|---------------|
| is in the file                                       | kept          |
| was never seen there: a crash, a failed write        | missing       |
| is gone with everything else, or with the file       | missing       |
| was lost from the end of a file that lived on        | restored      |
| is gone in any other way                             | forgotten     |

| a line without a live note                           | is            |
|------------------------------------------------------|---------------|
| that was seen before: its note was forgotten         | left alone    |
| that equals a dropped one: an old editor saved it    | left alone    |
| any other                                            | added         |

An `rm`, or an editor that emptied the file before it died, costs no note: the
file is written anew with all of them. Whoever wants to be rid of all keeps
the header and removes the bullets.

*Lost from the end*: an editor that was opened before apx appended and saved
after it drops exactly the newest lines, and brings an edit of its own. If
only lines went, a person removed them. The rest is doubt, and decided for the
note: better removed twice than lost. But only once, only within a day, only
for lines with both tags, as apx writes them; and a line that came back under
the same tags with other words was reworded, which no old editor could do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.memory_file import is_blank, key_of, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence, Set
    from datetime import datetime

    from apx.domain.memory_file import Entry, MemoryFile
    from apx.domain.note import Note

# Nobody keeps an editor open for longer without reading the file anew.
_EDITOR_OPEN: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Changes:
    """What the log must hear of, and what the file lacks (`missing`).

    `restored` are those of the missing that were in the file before.
    """

    added: tuple[Entry, ...] = ()
    forgotten: tuple[Note, ...] = ()
    restored: tuple[Note, ...] = ()
    missing: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Versions:
    """The text of a file as it was last seen, and as it is now."""

    seen: str
    current: str


def reconcile(
    file: Versions,
    live: Sequence[Note],
    dropped: Collection[Entry],
    now: datetime,
) -> Changes:
    """Compare a file with the live notes; `dropped` are lines just taken out."""
    after = parse(file.current)
    before = after if file.seen == file.current else parse(file.seen)
    keys = {note.id: key_of(note.text) for note in live}
    known = {keys[note.id]: note for note in reversed(live) if keys[note.id]}
    seen, here = _keys(before.entries), _keys(after.entries)
    absent = {key: note for key, note in known.items() if key not in here}
    gone = seen & absent.keys()
    if is_blank(file.current):
        gone = frozenset()
    added = _added(after.entries, seen | known.keys(), dropped)
    lost = _lost(before, after, gone, added)
    back = {key for key in lost if _may_return(known[key], now)}
    in_order = list(reversed(absent.items()))
    return Changes(
        added=added,
        forgotten=tuple(n for n in live if keys[n.id] in gone - back),
        restored=tuple(note for key, note in in_order if key in back),
        missing=tuple(n for key, n in in_order if key in back or key not in gone),
    )


def _keys(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(entry.key for entry in entries)


def _added(
    entries: Iterable[Entry], known: Set[str], dropped: Collection[Entry]
) -> tuple[Entry, ...]:
    new: dict[str, Entry] = {}
    for entry in entries:
        if entry.key not in known and entry not in dropped:
            new.setdefault(entry.key, entry)
    return tuple(new.values())


def _lost(
    before: MemoryFile, after: MemoryFile, gone: Set[str], added: Iterable[Entry]
) -> set[str]:
    """Find what an editor that had not seen it may have overwritten."""
    reworded = Counter(entry.tag for entry in added if entry.is_tagged)
    here = _keys(after.entries)
    lost = set()
    for entry in reversed(before.entries):
        if entry.key in here:
            break
        if entry.key not in gone or not entry.is_tagged:
            continue
        if reworded[entry.tag]:
            reworded[entry.tag] -= 1
        else:
            lost.add(entry.key)
    if lost and _bones(before, lost) == _bones(after, frozenset()):
        return set()
    return lost


def _may_return(note: Note, now: datetime) -> bool:
    return not note.restored and now - note.at < _EDITOR_OPEN


def _bones(file: MemoryFile, without: Set[str]) -> list[str]:
    """Give the lines that mean something, save some bullets and days left empty."""
    kept = [entry for entry in file.entries if entry.key not in without]
    lines = [heading.line for heading in file.headings]
    full = {bisect_right(lines, entry.first) - 1 for entry in kept}
    out = {
        number
        for entry in file.entries
        if entry.key in without
        for number in range(entry.first, entry.end)
    }
    out |= {
        heading.line
        for place, heading in enumerate(file.headings)
        if heading.day and place not in full
    }
    return [
        line.rstrip()
        for number, line in enumerate(file.lines)
        if number not in out and line.strip()
    ]
