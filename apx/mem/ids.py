"""What a memory is called for ever."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from apx.mem.memory import Type

SIZE: Final = 40
_HASH: Final = 8


def new(type: Type, day: str, title: str, taken: Callable[[str], bool]) -> str:
    """Make the id of a new memory; `taken` tells whether one is in use."""
    first = f"{type.letter}-{day}-{slug(title)}"
    name, count = first, 1
    while taken(name):
        count += 1
        name = f"{first}-{count}"
    return name


def slug(title: str) -> str:
    """Say a title in ASCII; where that loses letters, a hash tells titles apart."""
    plain = title.casefold()
    if not title.isascii():
        plain = _without_marks(title)
    bare = "".join(one if one.isascii() and one.isalnum() else " " for one in plain)
    short = "-".join(bare.split())[:SIZE].rstrip("-")
    if short and not any(one.isalnum() and not one.isascii() for one in plain):
        return short
    # Later: of most titles nothing is lost.
    import hashlib  # noqa: PLC0415 -- as said

    told = hashlib.sha256(same(title).encode("utf-8", "replace")).hexdigest()[:_HASH]
    return f"{short}-{told}" if short else told


def same(title: str) -> str:
    """Give the form in which titles that say the same are equal."""
    if title.isascii():
        return " ".join(title.casefold().split())
    from unicodedata import normalize  # noqa: PLC0415 -- most titles need none

    folded = normalize("NFKC", normalize("NFKC", title).casefold())
    return " ".join(folded.split())


def _without_marks(title: str) -> str:
    """Take letters apart, and drop accents; case is folded."""
    from unicodedata import category, normalize  # noqa: PLC0415 -- as above

    apart = normalize("NFKD", title).casefold()
    return "".join(one for one in apart if category(one)[0] != "M")
