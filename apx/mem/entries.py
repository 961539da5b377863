"""The fields that the lines of frontmatter hold."""

from __future__ import annotations

from apx.mem.memory import KEYS, STATES
from apx.mem.scalars import is_day, listed, one_line, scalar, written

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from apx.mem.memory import Value

    # A key (empty for a line that is none), what stands behind its colon, the number
    # of its first line and of the first that is not its.
    Entry = tuple[str, str, int, int]

_MOST: Final = 1e9


def entries(lines: list[str]) -> list[Entry]:
    """Find the keys; comments and empty lines belong to none if it ends with them."""
    found: list[Entry] = []
    for at, text in enumerate(lines):
        first = text[:1]
        if not first or first in "#\r":
            continue
        if first in " \t-]}":
            key, value, start, _ = found.pop() if found else ("", "", at, at)
            found.append((key, value, start, at + 1))
            continue
        key, colon, value = text.partition(":")
        is_key = colon and value[:1] in " \t\r"
        found.append((key.strip(" \t\"'") if is_key else "", value, at, at + 1))
    return found


def read(lines: list[str]) -> dict[str, Value]:
    """Give the values of the keys that we know; the last one of a key counts."""
    fields: dict[str, Value] = {}
    for key, value, start, end in entries(lines):
        reader = _READERS.get(key)
        if reader is None:
            continue
        said = reader(value, lines[start + 1 : end])
        if said is None:
            fields.pop(key, None)
        else:
            fields[key] = said
    return fields


def line(key: str, value: Value) -> str:
    """Write a field, without the end of its line."""
    if key in _DAYS and isinstance(value, str) and is_day(value):
        return f"{key}: {value}"
    return f"{key}: {written(value)}"


def _text(value: str, more: list[str], comment: str = " #") -> str | None:
    """Read a text, also one of several lines or a list."""
    value = value.strip(" \t\r")
    if not more:
        return scalar(value, comment)
    following = [line.strip(" \t\r") for line in more]
    if value[:1] in {"|", ">"} and not value[1:].partition("#")[0].strip("+-12 "):
        return one_line(" ".join(filter(None, following)))
    if not value and following[0][:1] == "-":
        return ", ".join(_items(value, more))
    return scalar(" ".join(filter(None, [value, *following])), comment)


def _free_text(value: str, more: list[str]) -> str | None:
    """Read a sentence: in `Fix #3` of a writer without quotes, that is no comment."""
    return _text(value, more, " # ")


def _status(value: str, more: list[str]) -> str | None:
    said = _text(value, more)
    return said.casefold() if said and said.casefold() in STATES else said


def _day(value: str, more: list[str]) -> str | None:
    said = (_text(value, more) or "")[:10]
    return said if is_day(said) else None


def _number(value: str, more: list[str]) -> float | None:
    try:
        number = float(_text(value, more) or "")
    except ValueError:
        return None
    return number if -_MOST < number < _MOST else None


def _priority(value: str, more: list[str]) -> int | None:
    number = _number(value, more)
    return None if number is None else max(0, min(100, int(number)))


def _version(value: str, more: list[str]) -> int | None:
    number = _number(value, more)
    return None if number is None else max(1, int(number))


def _confidence(value: str, more: list[str]) -> float | None:
    number = _number(value, more)
    return None if number is None else max(0.0, min(1.0, number))


def _items(value: str, more: list[str]) -> tuple[str, ...]:
    value = value.strip(" \t\r")
    if not more or value:
        return listed(" ".join([value, *more]))
    found = [
        scalar(line.strip(" \t\r")[1:]) for line in more if line.strip()[:1] == "-"
    ]
    return tuple(dict.fromkeys(filter(None, found)))


_DAYS: Final = ("created", "updated", "verified")
_READERS: Final[dict[str, Callable[[str, list[str]], Value | None]]] = {
    **dict.fromkeys(KEYS, _text),
    **dict.fromkeys(_DAYS, _day),
    "title": _free_text,
    "abstract": _free_text,
    "status": _status,
    "priority": _priority,
    "version": _version,
    "confidence": _confidence,
    "tags": _items,
}
