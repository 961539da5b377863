"""A memory as a file: Markdown below a few lines of YAML."""

from __future__ import annotations

from apx.mem.entries import entries, line, read
from apx.mem.faults import MemFault
from apx.mem.memory import KEYS, LETTERS, Memory
from apx.mem.scalars import one_line

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.memory import Value

_BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = b"---"


def parse(stem: str, data: bytes) -> Memory:
    """Read a file of this name, whoever wrote it.

    The empty line below the frontmatter is part of it. What is wrong in single fields
    is as if it were not set; `render` leaves it alone.
    """
    if stem[1:2] != "-" or stem[:1] not in LETTERS or _is_odd(stem):
        raise MemFault("unreadable", "the name of the file is no id")
    opened, closing, end = _bounds(data)
    fields = read(_lines(data, opened, closing))
    fields["id"] = stem
    fields["type"] = LETTERS[stem[0]].name
    for gap in (b"\n", b"\r\n"):
        if data.startswith(gap, end):
            end += len(gap)
            break
    return Memory(fields, data[end:], data[:end])


def render(memory: Memory) -> bytes:
    """Write a memory; lines that still say what it says stay as they were read."""
    if not memory.raw:
        fields = [line(key, memory.fields[key]) for key in KEYS if key in memory.fields]
        return "\n".join(["---", *fields, "---", "", ""]).encode() + memory.body
    raw = memory.raw
    opened, closing, end = _bounds(raw)
    newline = b"\r\n" if raw[opened - 2 : opened] == b"\r\n" else b"\n"
    lines = _lines(raw, opened, closing)
    lines = _renewed(lines, memory.fields, newline.decode().rstrip("\n"))
    inside = "\n".join(lines).encode()
    tail = raw[closing:]
    if memory.body:
        tail += b"" if tail.endswith(b"\n") else newline
        # Else the first line of the body would be taken for the gap.
        if end == len(raw) and memory.body.startswith((b"\n", b"\r\n")):
            tail += newline
    return raw[:opened] + inside + tail + memory.body


def claimed(raw: bytes) -> dict[str, Value]:
    """Give the fields as frontmatter itself says them, also `id` and `type`."""
    opened, closing, _ = _bounds(raw)
    return read(_lines(raw, opened, closing))


def _is_odd(stem: str) -> bool:
    """Whether a file's name holds bytes that are no text."""
    return not stem.isascii() and one_line(stem) != stem


def _bounds(data: bytes) -> tuple[int, int, int]:
    """Give where the lines between the marks begin and end, and the second mark."""
    start = len(_BOM) if data.startswith(_BOM) else 0
    opened = data.find(b"\n", start) + 1
    if not opened or data[start:opened].rstrip() != _MARK:
        raise MemFault("unreadable", "line 1: no frontmatter (a line ---)")
    at = opened - 1
    while (at := data.find(b"\n---", at)) >= 0:
        end = data.find(b"\n", at + 4) + 1 or len(data)
        if not data[at + 4 : end].strip(b" \t\r\n"):
            return opened, at + 1, end
        at += 4
    last = data.count(b"\n") + 1
    raise MemFault("unreadable", f"line {last}: the frontmatter has no end (---)")


def _lines(data: bytes, opened: int, closing: int) -> list[str]:
    try:
        return data[opened:closing].decode().split("\n")
    except UnicodeDecodeError as error:
        at = data.count(b"\n", 0, opened + error.start) + 1
        raise MemFault("unreadable", f"line {at}: not UTF-8") from error


def _renewed(lines: list[str], fields: dict[str, Value], ending: str) -> list[str]:
    """Give the lines, with others for the keys whose value is another now."""
    before = read(lines)
    found = entries(lines)
    places: dict[str, list[tuple[int, int]]] = {}
    for key, _, start, end in found:
        places.setdefault(key, []).append((start, end))
    # Below lines that have no key: to a new one above them they would belong.
    last = found[0][3] if found and not found[0][0] else 0
    added: list[list[str]] = [[] for _ in lines]
    gone: set[int] = set()
    for key in KEYS:
        at = places.get(key, [])
        # A file needs not say what its name says.
        is_told = not at and key in {"id", "type"}
        if not is_told and before.get(key) != fields.get(key):
            gone.update(number for place in at for number in range(*place))
            if key in fields:
                first = at[0][0] if at else last
                added[first].append(line(key, fields[key]) + ending)
        last = at[-1][1] if at else last
    kept = ([] if number in gone else [one] for number, one in enumerate(lines))
    return [one for new, old in zip(added, kept, strict=True) for one in (*new, *old)]
