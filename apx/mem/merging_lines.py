"""The lines of two machines' frontmatter that no field of ours is in."""

from __future__ import annotations

from apx.mem.memory import KEYS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    # What a block says, and the how manyeth it is that begins so.
    Key = tuple[bytes, int]

_OURS: Final = frozenset(key.encode() for key in KEYS)
_NESTED: Final = (b" ", b"\t", b"-", b"]", b"}", b"\r")


def united(base: bytes, later: bytes, earlier: bytes) -> bytes:
    """Give the later side's frontmatter with what the other one wrote beside it.

    A key that one side alone changed, added or took away is as that side has it.
    """
    was, mine, other = (foreign(raw) for raw in (base, later, earlier))
    start, lines, end = _apart(later)
    line_end = b"\r\n" if start.endswith(b"\r\n") else b"\n"
    pieces = []
    for key, block in _blocks(lines):
        if key in mine and mine[key] == was.get(key) != other.get(key):
            block = other.get(key, b"").replace(b"\n", line_end)  # noqa: PLW2901 -- a turn of the loop is a block
        pieces.append(block)
    for key, block in other.items():
        if key not in mine and was.get(key) != block:
            pieces.append(block.replace(b"\n", line_end))
    return start + b"".join(pieces) + end


def foreign(raw: bytes) -> dict[Key, bytes]:
    """Give the lines of each key that is not ours, with one kind of line end."""
    lines = _apart(raw)[1].replace(b"\r\n", b"\n")
    return {key: block for key, block in _blocks(lines) if key[0] not in _OURS}


def _apart(raw: bytes) -> tuple[bytes, bytes, bytes]:
    """Cut frontmatter into its first mark, its lines, and the second mark."""
    opened, closing = raw.find(b"\n") + 1, raw.rfind(b"\n---") + 1
    return raw[:opened], raw[opened:closing], raw[closing:]


def _blocks(lines: bytes) -> list[tuple[Key, bytes]]:
    """Cut lines into keys and comments, each with the lines that belong to it."""
    blocks: list[tuple[Key, bytes]] = []
    times: dict[bytes, int] = {}
    for line in lines.split(b"\n")[:-1]:
        if blocks and (not line or line.startswith(_NESTED)):
            key, block = blocks[-1]
            blocks[-1] = (key, block + line + b"\n")
            continue
        name = line.rstrip()
        if not name.startswith(b"#"):
            name = name.partition(b":")[0].strip(b" \t\"'")
        times[name] = times.get(name, 0) + 1
        blocks.append(((name, times[name]), line + b"\n"))
    return blocks
