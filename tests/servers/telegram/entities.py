"""Ranges of a text with a meaning, counted in UTF-16 units as Telegram does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from unicodedata import category

from tests.servers.telegram.refused import bad

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Entity = dict[str, Any]

MOST = 100
_PLAIN = {"bold", "italic", "underline", "strikethrough", "spoiler"}
_QUOTES = {"blockquote", "expandable_blockquote"}
_CODE = {"code", "pre"}
_FOUND = {
    "mention",
    "hashtag",
    "cashtag",
    "bot_command",
    "url",
    "email",
    "phone_number",
}
_NEEDS = {
    "text_link": "url",
    "text_mention": "user",
    "custom_emoji": "custom_emoji_id",
    "date_time": "unix_time",
}
TYPES = _PLAIN | _QUOTES | _CODE | _FOUND | set(_NEEDS)
_COMMAND = re.compile(r"(?<!\S)/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?!\w)")
_MENTION = re.compile(r"(?<!\w)@[A-Za-z]\w{2,31}(?!\w)")
_URL = re.compile(
    r"https?://[^\s/.]+\.\S+|(?:tg|ftp)://\S+|mailto:\S+@\S+|tel:\S+"
    r"|[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}(?:[/:?#]\S*)?"
)


def units(text: str) -> int:
    """Count the UTF-16 units of a text."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def covered(text: str, entity: Entity) -> str:
    """Give the words that an entity covers."""
    raw = text.encode("utf-16-le", "surrogatepass")
    start = entity["offset"] * 2
    return raw[start : start + entity["length"] * 2].decode(
        "utf-16-le", "surrogatepass"
    )


def found(text: str) -> list[Entity]:
    """Find the commands and mentions that a person typed."""
    entities = [
        {"type": kind, "offset": units(text[: hit.start()]), "length": units(hit[0])}
        for kind, pattern in (("bot_command", _COMMAND), ("mention", _MENTION))
        for hit in pattern.finditer(text)
    ]
    return sorted(entities, key=lambda entity: entity["offset"])


def checked(text: str, given: Any, complain: Callable[[str], None]) -> list[Entity]:
    """Give entities that hold, or refuse them; the doubtful are refused as well.

    The real server mends or drops some of what is refused here, without a word. What
    a bot sends itself should need no mending, so each of these is a complaint too.
    """
    try:
        return _checked(text, given)
    except _Doubtful as doubt:
        complain(f"entities: {doubt}")
        raise bad(f"{doubt}") from None


class _Doubtful(Exception):
    pass


def _checked(text: str, given: Any) -> list[Entity]:
    if not isinstance(given, list):
        raise _Doubtful("expected an Array of MessageEntity")
    if len(given) > MOST:
        raise _Doubtful(f"{len(given)} entities, of which {MOST} would be kept")
    entities = [_one(text, entity) for entity in given]
    entities.sort(key=_outer_first)
    _nested(entities)
    return entities


def _outer_first(entity: Entity) -> tuple[int, int, int]:
    """Order entities; of two that cover the same, either may be the outer one."""
    kind = entity["type"]
    rank = 0 if kind in _QUOTES else 2 if kind in _CODE else 1
    return entity["offset"], -entity["length"], rank


def _one(text: str, entity: Any) -> Entity:
    if not isinstance(entity, dict):
        raise _Doubtful("can't parse MessageEntity: expected an Object")
    kind = entity.get("type")
    if kind not in TYPES:
        raise _Doubtful(f"can't parse MessageEntity: unknown type {kind!r}")
    offset, length = entity.get("offset"), entity.get("length")
    if type(offset) is not int or offset < 0:
        raise _Doubtful(f"receive an entity with incorrect offset {offset}")
    if type(length) is not int or length <= 0:
        raise _Doubtful(f"receive an entity with incorrect length {length}")
    _within(text, offset, offset + length)
    _complete(text, kind, entity)
    return {name: value for name, value in entity.items() if value is not None}


def _within(text: str, start: int, end: int) -> None:
    if end > units(text):
        raise _Doubtful(f"entity from {start} ends after the text, at {end}")
    raw = text.encode("utf-16-le", "surrogatepass")
    for border in (start, end):
        unit = raw[border * 2 : border * 2 + 2]
        # A low surrogate here is the second half of a letter that began before.
        if unit and 0xDC00 <= int.from_bytes(unit, "little") <= 0xDFFF:
            raise _Doubtful(f"entity has a border inside a UTF-16 symbol, at {border}")


def _complete(text: str, kind: str, entity: Entity) -> None:
    need = _NEEDS.get(kind)
    if need and not entity.get(need):
        raise _Doubtful(f'can\'t find field "{need}" of a {kind}')
    if kind == "text_link" and not _URL.fullmatch(entity["url"]):
        raise _Doubtful(f"the URL {entity['url']!r} would be dropped")
    if entity.get("language") and kind != "pre":
        raise _Doubtful(f"a language of a {kind}")
    if kind not in _CODE and not covered(text, entity).strip():
        raise _Doubtful(f"a {kind} of blanks would be dropped")


def _nested(entities: Iterable[Entity]) -> None:
    """Let no entity cross another, none be in code, no quote be in a quote."""
    open_: list[Entity] = []
    for entity in entities:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        while open_ and open_[-1]["offset"] + open_[-1]["length"] <= start:
            open_.pop()
        kinds = [outer["type"] for outer in open_]
        if open_ and end > open_[-1]["offset"] + open_[-1]["length"]:
            raise _Doubtful(f"a {entity['type']} crosses a {kinds[-1]}, at {start}")
        if _CODE & set(kinds) or (entity["type"] in _CODE and set(kinds) - _QUOTES):
            raise _Doubtful(f"a {entity['type']} in a {kinds[-1]}, at {start}")
        alike = _QUOTES if entity["type"] in _QUOTES else {entity["type"]}
        if alike & set(kinds):
            raise _Doubtful(f"a {entity['type']} in one of its kind, at {start}")
        open_.append(entity)


def ragged(text: str, entity: Entity) -> bool:
    """Whether blanks at an end would be taken out of an entity, without a word."""
    words = covered(text, entity)
    return entity["type"] not in _CODE and words != words.strip()


def blank(text: str) -> bool:
    """Whether there is nothing to see."""
    return all(
        letter.isspace() or letter == "\u2800" or category(letter) in {"Cf", "Cc"}
        for letter in text
    )


def stripped(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Take the blanks off both ends, as the server does, and move the entities.

    Blanks at the beginning stay where they are code.
    """
    text = text.rstrip()
    first = min((e["offset"] for e in entities if e["type"] == "pre"), default=None)
    before = units(text) - units(text.lstrip())
    before = before if first is None else min(before, first)
    # Blanks are one unit each, so here units and letters are the same.
    text, size = text[before:], units(text) - before
    moved = []
    for entity in entities:
        start = max(entity["offset"] - before, 0)
        end = min(entity["offset"] + entity["length"] - before, size)
        if start < end:
            moved.append({**entity, "offset": start, "length": end - start})
    return text, moved
