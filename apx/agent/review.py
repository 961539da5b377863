"""The words of `/memory review`: what waits to become a note, and what became of it."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError
from apx.domain.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from apx.memory.candidates import Proposals
    from apx.store.candidates import Candidate

NOTHING: Final = "Nothing to review."
EVERY: Final = "all"
BY_OTHERS: Final = "may be others' words"
_ALL: Final = 10_000
_SHOWN: Final = 20
_LONGEST: Final = 300
_HOW: Final = (
    "/memory accept ID|all keeps them as notes, /memory reject ID|all does not"
)


async def reviewed(
    proposals: Proposals, rest: str, audiences: Sequence[str], zone: tzinfo = UTC
) -> str:
    """Do what stands behind `/memory`: review, accept ID|all, reject ID|all."""
    word, *what = rest.replace(",", " ").split()
    waiting = await proposals.waiting(audiences, _ALL)
    if word not in {"accept", "reject"}:
        return _listed(waiting, zone)
    if not what:
        raise InputError(f"which one? /memory {word} ID, or /memory {word} {EVERY}")
    if word == "reject":
        return await _rejected(proposals, chosen(waiting, what))
    found = acceptable(waiting, what)
    left = len(waiting) - len(found) if _is_every(what) else 0
    return await _accepted(proposals, found, left)


def chosen(waiting: Sequence[Candidate], what: Sequence[str]) -> list[Candidate]:
    """Find the candidates that numbers mean, or `all`; one unknown refuses them all."""
    if _is_every(what):
        return list(waiting)
    known = {str(candidate.id): candidate for candidate in waiting}
    wanted = dict.fromkeys(word.lstrip("#") for word in what)
    for word in wanted:
        if word not in known:
            shown = excerpt(word, 20)
            raise InputError(f"no candidate {shown!a} waits; a review lists them")
    return [known[word] for word in wanted]


def acceptable(waiting: Sequence[Candidate], what: Sequence[str]) -> list[Candidate]:
    """Find what becomes notes; `all` is not what may be others' words."""
    found = chosen(waiting, what)
    if _is_every(what):
        return [candidate for candidate in found if not candidate.suggested]
    return found


def line(candidate: Candidate, zone: tzinfo) -> str:
    """Write a candidate on one line, with its number, date and channel."""
    day = f"{candidate.at.astimezone(zone):%Y-%m-%d}"
    text = excerpt(candidate.text, _LONGEST)
    marks = [day, candidate.thread.channel, *[BY_OTHERS] * candidate.suggested]
    return f"{candidate.id}  {text} ({', '.join(marks)})"


def _is_every(what: Sequence[str]) -> bool:
    return [word.lower() for word in what] == [EVERY]


def _listed(waiting: Sequence[Candidate], zone: tzinfo) -> str:
    if not waiting:
        return NOTHING
    lines = [line(candidate, zone) for candidate in waiting[-_SHOWN:]]
    older = len(waiting) - len(lines)
    if older:
        lines.insert(0, f"({older} older ones wait, too)")
    return "\n".join([*lines, _HOW])


async def _accepted(proposals: Proposals, found: Sequence[Candidate], left: int) -> str:
    notes = [await proposals.accept(candidate.id) for candidate in found]
    if len(notes) == 1:
        said = f"Saved as note {notes[0].id}: {notes[0].text}"
    else:
        said = f"Saved {len(notes)} notes." if notes or left else NOTHING
    return f"{said}\n{_left_out(left)}" if left else said


def _left_out(many: int) -> str:
    return f"{many} left, as they {BY_OTHERS}: accept them by number."


async def _rejected(proposals: Proposals, found: Sequence[Candidate]) -> str:
    for candidate in found:
        await proposals.reject(candidate.id)
    if len(found) == 1:
        return f"Rejected: {found[0].text}"
    return f"Rejected {len(found)}." if found else NOTHING
