"""What becomes of two memories that are one: one into another, or two machines'."""

from __future__ import annotations

import re

from apx.mem.faults import wrong
from apx.mem.frontmatter import parse, render
from apx.mem.memory import ACTIVE, ARCHIVED, KEYS, PROPOSED, Memory
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
# Of what two machines said here, one alone can stand in the file.
_SAID: Final = ("title", "abstract", "scope", "source", "priority", "confidence")


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
    section = joined(heading + absorb.body.lstrip(b"\r\n"))
    # What was brought back, and comes again as it was, stands there already.
    is_told = b"\n" + section in b"\n" + keep.body + b"\n"
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
    ).saying(keep.body if is_told else joined(keep.body, section))


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
    waiting = _waiting(base, later, earlier)
    is_torn = waiting is None and _is_torn(base, later, earlier, is_one=bool(whose))
    if known := waiting or (whose if holds else None):
        fields["confidence"] = known.fields.get("confidence")
        fields["verified"] = known.fields.get("verified")
    if whose is None or is_torn:
        fields["confidence"] = min(_sure(fields, later), DOUBTED)
        fields["verified"] = None
    if waiting or is_torn:
        fields["status"] = PROPOSED
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
    if before.get("verified") and _is_overruled(before, later.fields, earlier.fields):
        # What a person said gave way: nobody has verified what came of it.
        fields["verified"] = None
    return fields


def _is_overruled(
    before: dict[str, Value], mine: dict[str, Value], other: dict[str, Value]
) -> bool:
    """Tell whether both sides changed a field, each to something else."""
    for key in _SAID:
        was, made, gave = before.get(key), mine.get(key), other.get(key)
        if made not in (was, gave) and gave != was:
            return True
    return False


def _sets(
    was: tuple[str, ...], mine: tuple[str, ...], other: tuple[str, ...]
) -> tuple[str, ...]:
    """Unite two lists without what either of them took away."""
    stay = [word for word in mine if word in other or word not in was]
    come = [word for word in other if word not in mine and word not in was]
    return tuple(dict.fromkeys(stay + come))


def _is_torn(base: Memory | None, one: Memory, other: Memory, *, is_one: bool) -> bool:
    """Tell whether one side put away what the other one went on with.

    Two without a past in common are so only if each says something else.
    """
    if (one.status == ARCHIVED) == (other.status == ARCHIVED):
        return False
    return base.status != ARCHIVED if base else not is_one


def _waiting(base: Memory | None, *sides: Memory) -> Memory | None:
    """Give the side that came of such a case, and waits for a person since."""
    waits = [side for side in sides if side.status == PROPOSED]
    if base is None or base.status == ARCHIVED or len(waits) != 1:
        return None
    # A proposal waits anyway; of a quarrel is only what is doubted since.
    is_so = base.status == ACTIVE or waits[0].confidence <= DOUBTED < base.confidence
    return waits[0] if is_so else None


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
