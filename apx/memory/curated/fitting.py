"""Owns the room that curated memories have in a prompt's block, and who gives way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Final

from apx.domain.recall import Kind, Memory
from apx.domain.secrets import mask
from apx.domain.text import excerpt, flatten, normal
from apx.memory.merge import bullet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from apx.domain.curated import Fact

# Characters of the block, line ends among them.
ROOM: Final = 600
# Shorter, a found memory says nothing, nor does what stands behind a rule's title.
_LEAST: Final = 40
_LEAST_MORE: Final = 20
_JOINER: Final = " — "
_CUT: Final = "…"
# What is kept with the turn, and compared with notes.
_KEPT: Final = 500
_NOON: Final = time(12)
_UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)


def memory(fact: Fact, zone: tzinfo, why: str, score: float | None = None) -> Memory:
    """Write a fact as what memory brings to a turn; nothing of it is shown yet."""
    title = mask(flatten(fact.title))
    return Memory(
        kind=Kind.CURATED,
        text=f"{title}\n{mask(fact.body[:_KEPT])}".rstrip(),
        at=_at(fact.day, zone),
        channel=f"mem {fact.kind}",
        ref=f"mem {fact.id}",
        score=score,
        why=why,
        shown=_shown(fact, title),
        untrusted="others' words" if fact.is_foreign else "",
        origin=fact.source,
    )


def fitted(
    rules: Sequence[Memory], found: Sequence[Memory], zone: tzinfo
) -> tuple[Memory, ...]:
    """Cut what is shown so that all lines have room; of those found, the last go.

    Titles of rules come first, as a rule that is left out is no rule; then what was
    found; what stands behind the titles of rules takes what is left.
    """
    room = ROOM - sum(_frame(one, zone) for one in rules)
    titles = [one.text.partition("\n")[0] for one in rules]
    heads = _leveled([len(title) for title in titles], room)
    room -= sum(heads)
    kept: list[Memory] = []
    for many in range(len(found), 0, -1):
        some = found[:many]
        left = room - sum(_frame(one, zone) for one in some)
        sizes = _leveled([len(one.shown) for one in some], left)
        wanted = [min(_LEAST, len(one.shown)) for one in some]
        if all(size >= least for size, least in zip(sizes, wanted, strict=True)):
            kept = [_cut(m, size) for m, size in zip(some, sizes, strict=True)]
            room = left - sum(len(one.shown) for one in kept)
            break
    shown = []
    for one, title, head in zip(rules, titles, heads, strict=True):
        whole = _cut(one, head + max(room, 0))
        more = len(whole.shown) - head
        # A word or two behind a title are not worth their place.
        if more < min(_LEAST_MORE, len(one.shown) - head):
            whole, more = replace(one, shown=excerpt(title, head)), 0
        room -= max(more, 0)
        shown.append(whole)
    return (*shown, *kept)


def _leveled(wanted: Sequence[int], room: int) -> list[int]:
    """Share a room: everybody gets what they want, or as much as all others do."""
    given = [0] * len(wanted)
    left = max(room, 0)
    for done, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[place] = min(wanted[place], left // (len(wanted) - done))
        left -= given[place]
    return given


def _cut(one: Memory, size: int) -> Memory:
    return replace(one, shown=excerpt(one.shown, size))


def _frame(one: Memory, zone: tzinfo) -> int:
    """Count what a line has beside its text, its end too."""
    return len(bullet(replace(one, shown="x"), zone))


def _shown(fact: Fact, title: str) -> str:
    """Give a title with what stands behind it: the abstract, else the text's beginning.

    What begins as the title does stands in its place: a long note's does.
    """
    more = mask(flatten(fact.abstract or fact.body[:_KEPT]))
    said, known = normal(more), normal(title.removesuffix(_CUT))
    if not said or normal(title).startswith(said):
        return title
    goes_on = title.endswith(_CUT) or not said[len(known) :][:1].isalnum()
    if said.startswith(known) and goes_on:
        return more
    return f"{title}{_JOINER}{more}"


def _at(day: str, zone: tzinfo) -> datetime:
    try:
        noon = datetime.combine(date.fromisoformat(day), _NOON, tzinfo=zone)
        return noon.astimezone(UTC)
    except (ValueError, OverflowError):
        return _UNKNOWN
