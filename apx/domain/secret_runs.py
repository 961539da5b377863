"""Credentials that nothing announces: text as chance writes it, numbers of cards."""

from __future__ import annotations

from binascii import a2b_base64

from apx.domain.secret_pattern import pattern
from apx.domain.secret_values import is_random

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Final

_DIGITS: Final = "0123456789"
_LONG: Final = 20
_SHORT: Final = 12  # with punctuation, as passwords have it
_WRITTEN: Final = r"[!-~]{12,}"
_ALNUM: Final = r"[A-Za-z0-9]{20,}"
_WHOLE: Final = r"[A-Za-z0-9_~+/-]+={0,2}"
_BLANK: Final = r"\s"
_LINE: Final = 40  # of a file in base64, at least
_LONGEST: Final = 200  # beyond, it is a file in base64
# Addresses, data, public keys, fingerprints: random, and given to everybody.
_PUBLIC: Final = (
    r"(?i)://|www\.|data:|base64,|sha\d{1,3}[-:]|AAAA[BCE]3Nza|AAAA[CE]2Vj|iVBORw0KGgo"
    r"|/9j/|R0lGOD|UklGR|PHN2Zy|JVBERi0|MII[A-K]|UEsDB|H4sI|0x[0-9a-fA-F]{8}"
)
# What programs number their things with.
_NUMBERED: Final = (
    r"(?:chatcmpl|cmpl|call|file|asst|thread|run|msg|toolu|srvtoolu|step|vs|resp|req"
    r"|item|batch|fs|fp|ftjob|cus|pi|price|prod|evt|ch|in|sub|si|acct|pm|seti|cs|txn"
    r"|card|id|org|user|proj|rs|fc|ws|gen)(?:_(?:live|test))?[_-]$"
)
_COIN: Final = r"(?:[13]|Qm|T)[1-9A-HJ-NP-Za-km-z]{25,44}$"
_CLASSES: Final = r"[A-Za-z0-9]+(?:[!#$%^&*?@+]+[A-Za-z0-9]+)+[!#$%^&*?]*$"
_EDGES: Final = "\"'`*_()[]{}<>,;:.|"

_CARD: Final = r"(?a)(?<![\w./#-])\d(?:[ \u00a0-]?\d){12,18}(?!\w|[.-]\d)"
_ISSUERS: Final = (
    ("4", (13, 16, 19)),
    ("51 52 53 54 55 222 223 224 225 226 227 23 24 25 26 270 271 2720", (16,)),
    ("34 37", (15,)),
    ("6011 644 645 646 647 648 649 65 60 81 82 508", (16, 19)),
    ("300 301 302 303 304 305 36 38", (14,)),
    ("3528 3529 353 354 355 356 357 358 2200 2201 2202 2203 2204", (16,)),
    ("62 50 56 57 58 63 67 69", (16, 17, 18, 19)),
)
_USUAL: Final = (15, 16)
_LEAST_OF_CARD: Final = 13


def unannounced(text: str) -> Iterator[tuple[int, int, str]]:
    """Find keys by their randomness and cards by their sum: start, end, kind."""
    digits = sum(map(text.count, _DIGITS))
    if digits >= _LEAST_OF_CARD:
        for found in pattern(_CARD).finditer(text):
            if _is_card(found.group()):
                yield *found.span(), "card"
    if not digits or max(map(len, text.split()), default=0) < _SHORT:
        return
    for written in pattern(_WRITTEN).finditer(text):
        if not pattern(_PUBLIC).search(written.group()[: _LONGEST * 2]):
            yield from _keys(text, written)


def _keys(text: str, written: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    end = written.start()
    for run in pattern(_ALNUM).finditer(text, *written.span()):
        if run.start() >= end and _is_key(text, run):
            start = _token_start(text, run.start(), max(end, written.start()))
            whole = pattern(_WHOLE).match(text, start, written.end())
            end = whole.end() if whole else run.end()
            if end - start <= _LONGEST and not _is_block(text, start, end):
                yield start, end, "key"
    bare = written.group().strip(_EDGES)
    if (
        _SHORT <= len(bare) < _LONGEST
        and pattern(_CLASSES).match(bare)
        and is_random(bare)
    ):
        start = text.index(bare, written.start())
        yield start, start + len(bare), "password"


def _is_key(text: str, run: re.Match[str]) -> bool:
    word = run.group()
    return (
        len(word) <= _LONGEST
        and is_random(word)
        and not pattern(_COIN).match(word)
        and not _is_text(word)
        and not pattern(_NUMBERED).search(text[max(0, run.start() - 20) : run.start()])
    )


def _is_text(run: str) -> bool:
    """Tell whether it is ordinary text in base64; chance hardly writes that."""
    plain = a2b_base64(run[: len(run) // 4 * 4])
    return plain.isascii() and plain.decode("ascii").isprintable()


def _token_start(text: str, at: int, least: int) -> int:
    while at > least and (text[at - 1].isalnum() or text[at - 1] in "_~+/-"):
        at -= 1
    return at


def _is_block(text: str, start: int, end: int) -> bool:
    """Tell whether it is one line of several, as in a file in base64."""
    if (start and text[start - 1] != "\n") or text[end : end + 1] not in ("", "\n"):
        return False
    above = text[max(0, start - 1 - _LINE) : max(0, start - 1)]
    below = text[end + 1 : end + 1 + _LINE]
    return any(
        len(line) == _LINE and not pattern(_BLANK).search(line)
        for line in (above, below)
    )


def _is_card(written: str) -> bool:
    digits = "".join(filter(str.isdigit, written))
    if len(set(digits)) == 1 or not any(
        len(digits) in lengths and digits.startswith(tuple(starts.split()))
        for starts, lengths in _ISSUERS
    ):
        return False
    # Numbers of orders and messages are as long, but are not written in groups.
    return _sums_up(digits) and (len(digits) in _USUAL or digits != written)


def _sums_up(digits: str) -> bool:
    """Luhn's check."""
    total = sum(map(int, digits[-1::-2]))
    return (total + sum(sum(divmod(2 * int(d), 10)) for d in digits[-2::-2])) % 10 == 0
