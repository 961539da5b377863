"""Changing one key of config.json and nothing else in it."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from apx.config.document import Document, parse, read
from apx.config.keys import asked
from apx.config.verdict import as_wanted, judge
from apx.domain.errors import ConfigError, HomeError
from apx.home import private_write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from apx.config.document import Spot

_INDENT = "  "


def put(
    path: Path, name: str, text: str, environ: Mapping[str, str] = os.environ
) -> object:
    """Write a key, given its value as a person types it, and give what was written.

    Refuse whatever a check of the whole file would, and then leave it as it is.
    """
    spot: Spot = asked(name).path
    value = as_wanted(spot, text)
    with _alone(path.parent):
        document = read(path) or parse(path.name, "{}\n")
        changed = _with(document, spot, value)
        verdict = judge(changed, environ)
        if verdict.faults:
            # Without lines: they are those of a text that is not going to be.
            raise ConfigError("\n".join(fault.message for fault in verdict.faults))
        private_write(path, changed.text.encode())
    return value


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keep two writers of one directory apart, or each would undo the other."""
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise HomeError(f"{directory}: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _with(document: Document, spot: Spot, value: object) -> Document:
    """Splice a value into the text, so that the rest stays to the letter."""
    deepest = spot
    while deepest not in document.places:
        deepest = deepest[:-1]
    place = document.places[deepest]
    if deepest == spot:
        start, end = place.start, place.end
        written = _json(value, _indent_at(document.text, place.head))
    else:
        inside = document.text[place.start : place.end]
        if not inside.startswith("{"):
            said = f"{document.name}: {'.'.join(map(str, deepest))}: expected an object"
            raise ConfigError(f"{said} (line {document.line(deepest)})")
        for part in reversed(spot[len(deepest) + 1 :]):
            value = {part: value}
        start, end, written = _member(document, deepest, spot[len(deepest)], value)
    newline = "\r\n" if "\r\n" in document.text else "\n"
    written = written.replace("\n", newline)
    text = document.text[:start] + written + document.text[end:]
    return parse(document.name, text)


def _member(
    document: Document, around: Spot, key: str | int, value: object
) -> tuple[int, int, str]:
    """Say what to write, and where, to add a member to an object."""
    text, place = document.text, document.places[around]
    members = [
        inner
        for spot, inner in document.places.items()
        if len(spot) == len(around) + 1 and spot[:-1] == around
    ]
    if not members:
        outer = _indent_at(text, place.head)
        line = f"{outer}{_INDENT}{json.dumps(key)}: {_json(value, outer + _INDENT)}"
        return place.start, place.end, f"{{\n{line}\n{outer}}}"
    last = max(members, key=lambda member: member.end)
    indent = _indent_at(text, last.head)
    alone = text[: last.head].rpartition("\n")[2].strip() == ""
    gap = f"\n{indent}" if alone else " "
    line = f",{gap}{json.dumps(key)}: {_json(value, indent)}"
    return last.end, last.end, line


def _json(value: object, indent: str) -> str:
    written = json.dumps(value, indent=2, ensure_ascii=False)
    return written.replace("\n", f"\n{indent}")


def _indent_at(text: str, offset: int) -> str:
    """Give the blanks that the line of an offset begins with."""
    line = text[:offset].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip())]
