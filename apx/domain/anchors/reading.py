"""What of a text must survive exactly: ids, addresses, paths, amounts, dates, names."""
# ruff: noqa: RUF001 -- punctuation of other scripts looks like that of Latin

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors import shapes
from apx.domain.anchors.anchor import Anchor, AnchorKind
from apx.domain.anchors.carrying import is_said
from apx.domain.anchors.dates import day_spans
from apx.domain.anchors.names import proper_names
from apx.domain.anchors.quantities import quantities
from apx.domain.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["Anchor", "AnchorKind", "anchors", "carries", "names"]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: AnchorKind


_MASKED: Final = "[secret: "
_TRAILING: Final = ".,;:!?*_…'\"»”’|>`~"
_BRACKETS: Final = {")": "(", "]": "["}
_SECRET_WORD: Final = re.compile(
    r"(?:pass(?:word|wort|phrase|code)|passwd|contraseña|clave|senha|mot de passe"
    r"|parola d'ordine|hasło|пароль|secret|token|api[ _-]?key|密码|密碼|口令|パスワード"
    r"|비밀번호|كلمة (?:المرور|السر)|şifre|\bpin\b)(?:\W{0,3}[^\W\d]{1,8})?\W{0,4}$",
    re.IGNORECASE,
)
_BEFORE: Final = 48  # characters in which the word for a secret may stand
_IN_PATH: Final = re.compile(r"[/\\]|\.[A-Za-z0-9]")
# Names of standards read like tickets.
_NO_TICKET: Final = re.compile(r"(?:UTF|SHA|COVID|AES|RSA|MD|ISO|GPT|HTTP|TLS|USB)-\d+")
_SHORT_ID: Final = 5
_FEW: Final = 2
_SOME: Final = 3
_UUID: Final = 4  # hyphens


@lru_cache(maxsize=256)
def anchors(text: str) -> tuple[Anchor, ...]:
    """Find the ids, addresses, paths, amounts and dates of a text, in order.

    Each is given once. Credentials are none.
    """
    text = mask(text)
    found: dict[Anchor, None] = {}
    end = 0
    for span in sorted(_spans(text), key=lambda span: span.start):
        if span.start < end:
            continue
        end = span.end
        piece = text[span.start : span.end]
        if _MASKED not in piece and not _is_secret(text, span):
            found[Anchor(span.kind, piece)] = None
    return tuple(found)


def carries(text: str, anchor: Anchor) -> bool:
    """Whether a text, such as a summary, says what an anchor says.

    Case, width, separators of thousands and the form of a date make no difference; a
    part of a longer id, address or number is something else.
    """
    return is_said(text, anchor) or anchor in _all_of(text)


@lru_cache(maxsize=64)
def _all_of(text: str) -> frozenset[Anchor]:
    return frozenset((*anchors(text), *names(text)))


def names(text: str) -> tuple[Anchor, ...]:
    """Find the names of people, places and things, where writing shows them."""
    text = mask(text)
    pieces: list[str] = []
    end = 0
    for span in sorted(_spans(text), key=lambda span: span.start):
        if span.start >= end:
            # What is code or an address must not look like words side by side.
            pieces += (text[end : span.start], "0")
            end = span.end
    plain = "".join((*pieces, text[end:]))
    found = proper_names(plain)
    return tuple(Anchor(AnchorKind.NAME, name) for name in dict.fromkeys(found))


def _spans(text: str) -> Iterator[_Span]:
    """Find all that looks like an anchor; of two at one place the first one counts."""
    if "." in text or "://" in text:
        yield from _urls(text)
    if "@" in text:
        yield from _shaped(text, shapes.EMAIL)
    if "`" in text:
        yield from _code(text)
    if _IN_PATH.search(text):
        yield from _paths(text)
    if not any(map(str.isdecimal, text)) and "_" not in text:
        return
    for start, end in day_spans(text):
        yield _Span(start, end, AnchorKind.DATE)
    yield from (
        _Span(one.start, one.end, AnchorKind.NUMBER) for one in quantities(text)
    )
    yield from _ids(text)


def _urls(text: str) -> Iterator[_Span]:
    for found in shapes.URL.finditer(text):
        end = found.start() + len(trimmed(found[0]))
        yield _Span(found.start(), end, AnchorKind.URL)


def _shaped(text: str, shape: re.Pattern[str]) -> Iterator[_Span]:
    for found in shape.finditer(text):
        yield _Span(found.start(), found.end(), AnchorKind.ID)


def _code(text: str) -> Iterator[_Span]:
    """Find what stands between backticks, unless it holds another kind of anchor."""
    for found in shapes.CODE.finditer(text):
        start, end = found.span("code")
        code = found["code"]
        if "://" in code or not any(map(str.isalnum, code)):
            continue
        is_path = "/" in code or "\\" in code or shapes.FILE.search(code)
        kind = AnchorKind.PATH if is_path else AnchorKind.ID
        yield _Span(start, end, kind)


def _paths(text: str) -> Iterator[_Span]:
    for found in shapes.PATH.finditer(text):
        path = trimmed(found[0])
        if _is_path(path):
            yield _Span(found.start(), found.start() + len(path), AnchorKind.PATH)


def _is_path(path: str) -> bool:
    """Tell a path from "and/or", "he/she", a `/command`, a date and a name."""
    if "\\" in path or shapes.FILE.search(path):
        return len(path) > _SOME
    if path.startswith(("/", "~/", "./", "../")):
        inner = path.strip("~./")
        return "/" in inner or not path.startswith("/") or bool(shapes.ROOT.match(path))
    is_folder = path.endswith("/") or "_" in path
    return "/" in path and is_folder and not path.strip("/").isdecimal()


def _ids(text: str) -> Iterator[_Span]:
    for found in shapes.NUMBERED.finditer(text):
        start, end = found.span("id" if found["id"] else "east")
        yield _Span(start, end, AnchorKind.ID)
    for found in shapes.IDS.finditer(text):
        if _is_id(found[0]):
            yield _Span(found.start(), found.end(), AnchorKind.ID)
    yield from _shaped(text, shapes.PHONE)
    yield from _shaped(text, shapes.LONG)


def _is_id(token: str) -> bool:
    """Tell `AB-1234` and `a1b2c3d` from "Top-10", "3D-printed" and "B2B"."""
    is_joined = "_" in token or token.count(".") >= _FEW or token.count("-") >= _UUID
    if is_joined or not token[0].isalnum():
        return True
    if token[0] in "vV" and token[1:2].isdecimal():
        return True
    if _NO_TICKET.fullmatch(token):
        return False
    digits = sum(map(str.isdecimal, token))
    capitals = sum(map(str.isupper, token))
    if capitals == 0:
        is_hash = "-" not in token and "." not in token and "/" not in token
        return is_hash and len(token) > _SHORT_ID and 0 < digits < len(token)
    return (
        len(token) >= _SHORT_ID
        and digits > 0
        and capitals + digits >= _SHORT_ID - 1
        and (capitals >= _FEW or digits >= _SOME)
    )


def _is_secret(text: str, span: _Span) -> bool:
    """Whether the words before say that this is a password, which none shows."""
    if span.kind is not AnchorKind.ID:
        return False
    return bool(_SECRET_WORD.search(text[max(0, span.start - _BEFORE) : span.start]))


def trimmed(piece: str) -> str:
    """Cut off the punctuation of the sentence that an address stands in."""
    while piece:
        last = piece[-1]
        opening = _BRACKETS.get(last)
        is_loose = opening is not None and piece.count(opening) < piece.count(last)
        if not (last in _TRAILING or is_loose):
            break
        piece = piece[:-1]
    return piece
