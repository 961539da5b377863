"""What a person gave for a field or a body, checked."""

from __future__ import annotations

from apx.mem.faults import wrong
from apx.mem.ids import same
from apx.mem.memory import ABSTRACT, STATES, TITLE, TYPES
from apx.mem.scalars import is_day, one_line

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from apx.mem.memory import Value

_PRIORITY: Final = 100
_WORD: Final = 60
_TAGS: Final = 40
_SOURCE: Final = 500
_VERSION: Final = 10**9
_NO_WORD: Final = frozenset("[]{}")
_NUMBER: Final = frozenset("0123456789.eE+-")


def field(name: str, text: str) -> Value:
    """Read a field as a person wrote it, or say what is wrong with it."""
    if name not in _READERS:
        raise wrong(f"no field is called {name[:40]!r}", f"one of: {_known()}")
    return _READERS[name](flat(text))


def body(text: str) -> bytes:
    """Give a body as bytes: all of it but NUL and halves of characters."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        halves = text.encode("utf-16-le", "surrogatepass")
        data = halves.decode("utf-16-le", "ignore").encode()
    return data.replace(b"\0", b"")


def flat(text: str) -> str:
    """Put a text on one line, with single blanks and no controls."""
    return " ".join(one_line(text).split())


def _known() -> str:
    return ", ".join(_READERS)


def _type(text: str) -> str:
    if text.casefold() not in TYPES:
        raise wrong(f"unknown type {text[:40]!r}", f"one of: {', '.join(TYPES)}")
    return text.casefold()


def _status(text: str) -> str:
    if text.casefold() not in STATES:
        raise wrong(f"unknown status {text[:40]!r}", f"one of: {', '.join(STATES)}")
    return text.casefold()


def _title(text: str) -> str:
    if not text:
        raise wrong("the title is empty", "say the fact in one line")
    return _short("title", text, TITLE)


def _abstract(text: str) -> str:
    return _short("abstract", text, ABSTRACT)


def _scope(text: str) -> str:
    return _short("scope", text, TITLE)


def _source(text: str) -> str:
    return _short("source", text, _SOURCE)


def _short(name: str, text: str, limit: int) -> str:
    if len(text) > limit:
        raise wrong(f"the {name} has {len(text)} characters, {limit} at most")
    return text


def _priority(text: str) -> int:
    return _whole("priority", text, 0, _PRIORITY)


def _version(text: str) -> int:
    return _whole("version", text, 1, _VERSION)


def _whole(name: str, text: str, least: int, most: int) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not least <= int(text) <= most:
        raise wrong(f"{name} must be a whole number from {least} to {most}")
    return int(text)


def _confidence(text: str) -> float:
    try:
        number = float(text if _NUMBER.issuperset(text) else "")
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise wrong("confidence must be a number from 0 to 1", "such as 0.8")
    # No minus before nothing.
    return abs(number)


def _day(text: str) -> str:
    if not is_day(text):
        raise wrong(f"no such day: {text[:40]!r}", "as 2026-12-01")
    return text


def _tags(text: str) -> tuple[str, ...]:
    words: dict[str, str] = {}
    for word in filter(None, map(str.strip, text.split(","))):
        if len(word) > _WORD or not _NO_WORD.isdisjoint(word):
            raise wrong(
                f"a tag is a word of at most {_WORD} characters without brackets",
                "commas stand between tags: --tags web,http401",
            )
        words.setdefault(same(word), word)
    if len(words) > _TAGS:
        raise wrong(f"{len(words)} tags, {_TAGS} at most")
    return tuple(words.values())


_READERS: Final[dict[str, Callable[[str], Value]]] = {
    "type": _type,
    "title": _title,
    "scope": _scope,
    "status": _status,
    "priority": _priority,
    "confidence": _confidence,
    "version": _version,
    "created": _day,
    "updated": _day,
    "verified": _day,
    "tags": _tags,
    "abstract": _abstract,
    "source": _source,
    "supersedes": _source,
}
