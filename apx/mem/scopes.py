"""What an audience may see of the curated memories."""

from __future__ import annotations

from apx.mem.faults import MemFault

# Not typing's: a short command that asks what a scope means is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, Unpack

    from apx.mem.cache import Cache
    from apx.mem.wanted import Filters, Wanted

GLOBAL: Final = "global"
# As apx.domain.person writes them; a test holds the two together.
_SHARED: Final = "shared"
_OWNERS: Final = "private:owner"
_APART: Final = ("private:", "room:")
_SIGN: Final = 12
_NAMED: Final = 5
_LONG: Final = 80
# Where the date of an id begins, and its words.
_STARTS: Final = (len("d-"), len("d-2026-12-31-"))


def audience(scope: str) -> str:
    """Say who may see what has a scope: any free word is a matter of the owner's."""
    if scope == GLOBAL:
        return _SHARED
    return scope if scope.startswith(_APART) else _OWNERS


def scope(audience: str) -> str:
    """Give the scope of what an audience is to see; the owner's own has none."""
    if audience == _SHARED:
        return GLOBAL
    return "" if audience == _OWNERS else audience


def sign(name: str) -> str:
    """Name a memory in a few letters: a button has no room for its id."""
    from hashlib import sha256  # noqa: PLC0415 -- few need it

    return f"~{sha256(name.encode()).hexdigest()[:_SIGN]}"


def wanted_by(
    audiences: Sequence[str], query: str = "", **how: Unpack[Filters]
) -> Wanted:
    """Give what is looked for, among what may be seen."""
    from apx.mem import wanted  # noqa: PLC0415 -- in the thread

    how["sees"] = lambda scope: audience(scope) in audiences
    return wanted.parsed(query, **how)


def named(cache: Cache, word: str, audiences: Sequence[str]) -> str:
    """Give the id of the one memory that a word means; empty if there is none."""
    names = _named(cache, word, audiences)
    if len(names) > 1:
        some = ", ".join(names[:_NAMED])
        raise MemFault("ambiguous", f"{word} may be any of {len(names)}: {some}")
    return names[0] if names else ""


def unknown(word: str) -> MemFault:
    """Say that there is no such memory, or none that may be seen."""
    return MemFault("not_found", f"there is no memory {word[:_LONG]}")


def _named(cache: Cache, word: str, audiences: Sequence[str]) -> list[str]:
    """Give the ids that a word may mean, as the cache finds them among all.

    What is not seen must not stand between a word and what is.
    """
    every = [row["id"] for row in cache.rows(wanted_by(audiences, status="all"))]
    if word.startswith("~"):
        return [one for one in every if sign(one) == word]
    for start in (0, *_STARTS):
        if found := [one for one in every if one[start:] == word]:
            return found
    return [one for one in every if one.startswith(word) or one.endswith(word)]
