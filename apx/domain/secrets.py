"""What a credential looks like in a text, and how to make it unreadable."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from apx.domain.secret_pattern import pattern
from apx.domain.secret_runs import unannounced
from apx.domain.secret_shapes import shaped
from apx.domain.secret_words import STOP, lowered, names_in

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

HIDDEN: Final = "[secret]"

_SECRET_NAMES: Final = ("api_key", "token", "secret", "password")
_ROUNDS: Final = 6
_HIDDEN: Final = "[secret"
_MARK: Final = r"\[secret(?:: [a-z0-9 ]{1,30})?\]"


def mask(text: str) -> str:
    """Put `[secret: kind]` in place of each credential, and leave all else as it is."""
    spans = _found(text)
    if not spans:
        return text
    pieces: list[str] = []
    end = 0
    for start, stop, kind in spans:
        pieces += (text[end:start], f"[secret: {kind}]")
        end = stop
    return "".join(pieces) + text[end:]


def kinds(text: str) -> tuple[str, ...]:
    """Name the kinds of credentials that `mask` hides in a text, in order."""
    return tuple(kind for _, _, kind in _found(text))


def names_a_secret(key: str) -> bool:
    """Tell whether a setting of this name holds a credential."""
    return key.lower().endswith(_SECRET_NAMES)


def _found(text: str) -> list[tuple[int, int, str]]:
    """Find all credentials; what is hidden already is a place where rules stop."""
    marks: list[tuple[int, int]] = []
    if _HIDDEN in text:
        marks = [mark.span() for mark in pattern(_MARK).finditer(text)]
        text = _blanked(text, marks)
    found: list[tuple[int, int, str]] = []
    # Without one key, what was grown together with it may be seen to be another.
    for _ in range(_ROUNDS):
        spans = [*shaped(text), *_announced(text), *unannounced(text)]
        joined = _joined(_outside(spans, marks)) if spans else spans
        if not joined:
            break
        found += joined
        hidden = [(start, end) for start, end, _ in joined]
        marks = sorted(marks + hidden)
        text = _blanked(text, hidden)
    return sorted(found)


def _announced(text: str) -> Iterable[tuple[int, int, str]]:
    if not names_in(lowered(text)):
        return ()
    # Later: a short command has no sentences to read, and starts without the rule.
    from apx.domain.secret_keywords import announced  # noqa: PLC0415 -- as said

    return announced(text)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += (text[at:start], STOP * (end - start))
        at = end
    return "".join(pieces) + text[at:]


def _outside(
    spans: list[tuple[int, int, str]], marks: list[tuple[int, int]]
) -> list[tuple[int, int, str]]:
    """Cut out of the spans what is hidden already."""
    if not marks:
        return spans
    starts = [start for start, _ in marks]
    left = []
    for start, end, kind in spans:
        at = start
        first = max(0, bisect_right(starts, start) - 1)
        for opens, closes in marks[first : bisect_left(starts, end)]:
            if closes > at:
                left.append((at, opens, kind))
                at = closes
        left.append((at, end, kind))
    return [span for span in left if span[0] < span[1]]


def _joined(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Join what overlaps; the surest rule, which is the first, names the kind."""
    joined: list[tuple[int, int, str]] = []
    rank = 0
    for number, (start, end, kind) in sorted(
        enumerate(spans), key=lambda ranked: (ranked[1][0], ranked[0])
    ):
        if not joined or start >= joined[-1][1]:
            joined.append((start, end, kind))
            rank = number
            continue
        before = joined[-1]
        named = kind if number < rank else before[2]
        rank = min(rank, number)
        joined[-1] = (before[0], max(before[1], end), named)
    return joined
