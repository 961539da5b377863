"""The text of a memory that two machines wrote apart from each other."""

from __future__ import annotations

import re

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.memory import Memory

_HEADER: Final = b"## Also written elsewhere (%s)\n\n"
_ELSEWHERE: Final = re.compile(
    rb"(?m)^## Also written elsewhere \(((?:\d{4}-\d\d-\d\d, )?v\d{1,9})\)\r?$"
)
_ENDS: Final = b"\r\n"


def day(side: Memory) -> str:
    """Say when a memory was last written; empty if it does not tell."""
    return side.text("updated") or side.text("created")


def joined(*texts: bytes) -> bytes:
    """Put texts one below the other, an empty line between them."""
    kept = [text.strip(_ENDS) for text in texts]
    return b"\n\n".join(text for text in kept if text) + b"\n"


def holder(
    base: Memory | None, later: Memory, earlier: Memory
) -> tuple[Memory | None, bool]:
    """Give the side whose body says all that both say; None if neither does.

    True with it if it holds the other's text as one of several: it is what somebody
    made of these two before.
    """
    one, other = set(_texts(later)), set(_texts(earlier))
    if one == other or (base is not None and earlier.body == base.body):
        return later, False
    if base is not None and later.body == base.body:
        return earlier, False
    for side, more, less in ((later, one, other), (earlier, other, one)):
        if more > less and (less or base is None):
            return side, bool(less)
    return None, False


def both(later: Memory, earlier: Memory) -> bytes:
    """Put the texts of both one below the other, each with when it was written."""
    mine, others = _texts(later), _texts(earlier)
    if not mine or not others:
        return later.body if mine else earlier.body
    first = next(iter(mine))
    labels = [*mine.items(), *others.items()]
    rest: dict[bytes, bytes] = {}
    for text, label in sorted(labels, key=_newest, reverse=True):
        rest.setdefault(text, label)
    return joined(
        first,
        *(_HEADER % label + text for text, label in rest.items() if text != first),
    )


def _texts(side: Memory) -> dict[bytes, bytes]:
    """Give the texts that a body holds, each with its label, in order."""
    written = day(side)
    label = f"{written}, v{side.version}" if written else f"v{side.version}"
    main, *pairs = _ELSEWHERE.split(side.body)
    found = [(main, label.encode()), *zip(pairs[1::2], pairs[::2], strict=True)]
    texts: dict[bytes, bytes] = {}
    for text, known in found:
        stripped = text.strip(_ENDS)
        if stripped.strip():
            texts.setdefault(stripped, known)
    return texts


def _newest(part: tuple[bytes, bytes]) -> tuple[bytes, int, bytes]:
    text, label = part
    written, _, version = label.rpartition(b"v")
    return written, int(version), text
