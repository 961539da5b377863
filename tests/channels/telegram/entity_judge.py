"""Telegram's rules on texts and entities, read from its documentation and server.

Made apart from what it judges: it counts in UTF-16 bytes and compares every pair.
"""

import unicodedata
from typing import Any
from urllib.parse import urlsplit

LIMIT = 4096
MOST = 100
STYLES = {"bold", "italic", "underline", "strikethrough", "spoiler"}
QUOTES = {"blockquote", "expandable_blockquote"}
CODES = {"code", "pre"}
KINDS = STYLES | QUOTES | CODES | {"text_link"}
UNSEEN = set("\u030a\u0333\u033f\u180e\u2800\ufeff\ufffc") | {
    chr(code)
    for first, last in ((0x200B, 0x200F), (0x2028, 0x202E), (0xE0000, 0xE007F))
    for code in range(first, last + 1)
}


def faults(text, entities, limit=LIMIT):
    """Give all that Telegram would refuse, ignore or change."""
    found = [*_text_faults(text, limit)]
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return found
    data = text.encode("utf-16-le")
    if len(entities) > MOST:
        found.append(f"{len(entities)} entities")
    code = {entity.offset for entity in entities if entity.kind == "pre"}
    for entity in entities:
        found += _faults_of_one(data, entity, is_indented=entity.offset in code)
    if _is_space(text[:1]) and not any(
        e.kind == "pre" and not e.offset for e in entities
    ):
        found.append("space at the beginning")
    return found + _faults_of_pairs(entities)


def is_blank(text):
    """Whether there is nothing to see."""
    return all(_is_space(letter) or letter in UNSEEN for letter in text)


def part(text, entity):
    """Give the words below an entity."""
    return text.encode("utf-16-le")[2 * entity.offset :][: 2 * entity.length].decode(
        "utf-16-le"
    )


def _text_faults(text, limit):
    if is_blank(text):
        yield "blank"
    size = sum(1 + (ord(letter) > 0xFFFF) for letter in text)
    if size > limit:
        yield f"{size} units"
    if _is_space(text[-1:]):
        yield "space at the end"
    for letter in set(text):
        if "\ud800" <= letter <= "\udfff":
            yield f"lone surrogate {ord(letter):x}"
        elif unicodedata.category(letter) == "Cc" and letter not in "\n\t":
            yield f"control character {ord(letter):x}"


def _faults_of_one(data, entity, *, is_indented):
    first, last = entity.offset, entity.offset + entity.length
    if entity.kind not in KINDS:
        yield f"{entity}: unknown kind"
    if first < 0 or entity.length <= 0 or 2 * last > len(data):
        yield f"{entity}: outside of the text"
        return
    for place in (first, last):
        if _is_low(data, place):
            yield f"{entity}: cuts a surrogate pair"
            return
    words = data[2 * first : 2 * last].decode("utf-16-le")
    if not words.strip():
        yield f"{entity}: blank"
    if _is_space(words[-1]) or words[0] == "\n":
        yield f"{entity}: space around"
    if _is_space(words[0]) and not is_indented:
        yield f"{entity}: space before"
    yield from _wrong_attributes(entity)


def _wrong_attributes(entity):
    if entity.kind == "text_link":
        parts = urlsplit(entity.url)
        good = {
            "http": "." in (parts.hostname or ""),
            "https": "." in (parts.hostname or ""),
        }
        if not good.get(
            parts.scheme.lower(), parts.scheme.lower() == "tg" and bool(parts.netloc)
        ):
            yield f"{entity}: no address"
        if any(letter.isspace() for letter in entity.url):
            yield f"{entity}: space in the address"
    elif entity.url:
        yield f"{entity}: an address"
    if entity.language and entity.kind != "pre":
        yield f"{entity}: a language"


def _faults_of_pairs(entities):
    # Where two cover the same, either may be the outer one.
    ordered = sorted(entities, key=lambda e: (e.offset, -e.length))
    found: list[str] = []
    around: list[Any] = []
    for entity in ordered:
        around = [o for o in around if o.offset + o.length > entity.offset]
        for outer in around:
            if outer.offset + outer.length < entity.offset + entity.length:
                found.append(f"{outer} crosses {entity}")
            elif not _may_hold(outer.kind, entity.kind):
                found.append(f"{outer} holds {entity}")
        around.append(entity)
    return found


def _may_hold(outer, inner):
    if outer == inner or outer in CODES or {outer, inner} <= QUOTES:
        return False
    if inner in CODES:
        return outer in QUOTES
    return outer != "text_link" or inner in STYLES


def _is_low(data, place):
    unit = data[2 * place : 2 * place + 2]
    return len(unit) == 2 and 0xDC <= unit[1] <= 0xDF


def _is_space(letter):
    return bool(letter) and letter.isspace()
