"""What becomes of two memories that are one: one into another, or two machines'."""

from __future__ import annotations

import re

from apx.mem.faults import wrong
from apx.mem.frontmatter import parse, render
from apx.mem.memory import KEYS, Memory
from apx.mem.merging_bodies import both, day, holder, joined
from apx.mem.merging_lines import foreign, united

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.memory import Value
    from apx.mem.merging_lines import Key

# What two machines wrote apart from each other is for a person to look at.
DOUBTED: Final = 0.4


def merged(keep: Memory, absorb: Memory, today: str) -> Memory:
    """Give what is kept with the other in it, worth the higher of the two."""
    if keep.id == absorb.id:
        raise wrong(f"{keep.id} cannot be merged with itself")
    if keep.type is not absorb.type:
        raise wrong(
            f"{keep.id} is a {keep.type.name}, {absorb.id} a {absorb.type.name}",
            "merge memories of one type",
        )
    heading = f"## Merged from {absorb.id}: {absorb.title}\n\n".encode()
    came = (*superseded(keep), absorb.id, *superseded(absorb))
    return keep.changed(
        tags=tuple(dict.fromkeys(keep.tags + absorb.tags)) or None,
        priority=max(keep.priority, absorb.priority),
        confidence=max(keep.confidence, absorb.confidence),
        version=max(keep.version, absorb.version) + 1,
        updated=today,
        verified=max(keep.text("verified"), absorb.text("verified")) or None,
        abstract=keep.text("abstract") or absorb.text("abstract") or None,
        source=keep.text("source") or absorb.text("source") or None,
        supersedes=", ".join(dict.fromkeys(came)),
    ).saying(joined(keep.body, heading + absorb.body.lstrip(b"\r\n")))


def superseded(memory: Memory) -> tuple[str, ...]:
    """Name the memories that went into this one."""
    value = memory.fields.get("supersedes", ())
    names = value if isinstance(value, tuple) else re.split(r"[,\s]+", str(value))
    return tuple(name for name in names if name)


def reconciled(base: Memory | None, ours: Memory, theirs: Memory, today: str) -> Memory:
    """Give one memory for what two machines made of `base`.

    Both get the same bytes, in whatever order they have the sides: what one side alone
    changed stays, of what both changed the later, and no text of a body is lost.
    """
    sides = (_filed(ours), _filed(theirs))
    later, earlier = sorted(sides, key=_rank, reverse=True)
    base = _filed(base) if base else None
    if _same(later, earlier) or (base is not None and _same(earlier, base)):
        return later
    if base is not None and _same(later, base):
        return earlier
    fields = _fields(base, later, earlier)
    whose, holds = holder(base, later, earlier)
    if whose is None:
        fields["confidence"] = min(_sure(fields, later), DOUBTED)
        fields["verified"] = None
    elif holds:
        fields["confidence"] = whose.fields.get("confidence")
        fields["verified"] = whose.fields.get("verified")
    kept = {key: value for key in KEYS if (value := fields.get(key)) is not None}
    body = whose.body if whose else both(later, earlier)
    raw = united(base.raw if base else b"", later.raw, earlier.raw)
    return _counted(Memory(kept, body, raw), later, earlier, today)


def _filed(side: Memory) -> Memory:
    """Give a memory as its file has it."""
    return side if side.raw else parse(side.id, render(side))


def _rank(side: Memory) -> tuple[str, int, bytes]:
    """Order two sides in the same way on every machine, the later one last."""
    spelt = repr(sorted(side.fields.items(), key=lambda item: item[0])).encode()
    return day(side), side.version, b"\0".join((side.raw, side.body, spelt))


def _same(one: Memory, other: Memory) -> bool:
    return one == other and one.raw == other.raw


def _fields(
    base: Memory | None, later: Memory, earlier: Memory
) -> dict[str, Value | None]:
    """Choose each field: what one side alone changed, else what the later one says."""
    before = base.fields if base else {}
    fields: dict[str, Value | None] = {}
    for key in KEYS:
        mine, other = later.fields.get(key), earlier.fields.get(key)
        fields[key] = other if mine == before.get(key) else mine
    for key in ("id", "type"):
        fields[key] = later.fields.get(key) or earlier.fields.get(key)
    created = [side.text("created") for side in (later, earlier)]
    fields["created"] = min(filter(None, created), default=None)
    was = (base.tags, superseded(base)) if base else ((), ())
    fields["tags"] = _sets(was[0], later.tags, earlier.tags) or None
    came = _sets(was[1], superseded(later), superseded(earlier))
    fields["supersedes"] = ", ".join(came) or None
    return fields


def _sets(
    was: tuple[str, ...], mine: tuple[str, ...], other: tuple[str, ...]
) -> tuple[str, ...]:
    """Unite two lists without what either of them took away."""
    stay = [word for word in mine if word in other or word not in was]
    come = [word for word in other if word not in mine and word not in was]
    return tuple(dict.fromkeys(stay + come))


def _sure(fields: dict[str, Value | None], side: Memory) -> float:
    value = fields.get("confidence")
    return value if isinstance(value, int | float) else side.confidence


def _counted(made: Memory, later: Memory, earlier: Memory, today: str) -> Memory:
    """Give it a version of its own, unless it is what one side has already.

    The other side's version must be lower then: a version stands for one content.
    """
    newest = max(day(later), day(earlier)) or today
    content = _content(made)
    for side, other in ((later, earlier), (earlier, later)):
        ahead = side.version - other.version
        if _content(side) == content and (
            ahead > 0 or (ahead == 0 and _content(other) == content)
        ):
            return side if day(side) == newest else side.changed(updated=newest)
    version = max(later.version, earlier.version) + 1
    return made.changed(version=version, updated=newest)


def _content(memory: Memory) -> tuple[Memory, dict[Key, bytes]]:
    return memory.changed(version=None, updated=None), foreign(memory.raw)
