"""The text of config.json as a value that knows on which line each part stands."""

from __future__ import annotations

import json
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apx.config.syntax import explained
from apx.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Spot = tuple[str | int, ...]

_LARGEST: Final = 1_000_000
_DEEPEST: Final = 40
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_MARK: Final = "\ufeff"
_NO_JSON: Final = ("NaN", "Infinity", "-Infinity")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands in the text, and where its key or itself begins."""

    head: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON object with its text. `doubles`: keys written again, both offsets."""

    name: str
    text: str
    value: dict[str, Any]
    places: Mapping[Spot, Place]
    doubles: tuple[tuple[Spot, int, int], ...] = ()

    def line(self, spot: Spot) -> int:
        """Tell the line of a key, or of what surrounds it when it is not there."""
        while spot not in self.places:
            spot = spot[:-1]
        return self.line_at(self.places[spot].head)

    def line_at(self, offset: int) -> int:
        """Tell the line of an offset in the text."""
        return self.text.count("\n", 0, offset) + 1


def read(path: Path) -> Document | None:
    """Read a file; none at all is fine, one that is no JSON object is not."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError(f"{path.name}: {path} is not a file")
        if path.stat().st_size > _LARGEST:
            raise ConfigError(f"{path.name}: larger than {_LARGEST} bytes")
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        said = f"{path.name}: {path} cannot be read: {error.strerror}"
        raise ConfigError(said) from error
    return parse(path.name, _decoded(path.name, raw))


def parse(name: str, text: str) -> Document:
    """Read a text; `text` may begin with a byte order mark, which stays in it."""
    try:
        # The mark becomes a blank, so that every offset stays right.
        value = json.loads(f" {text[1:]}" if text.startswith(_MARK) else text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name}: {explained(error)}") from error
    except RecursionError as error:
        raise ConfigError(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise ConfigError(f"{name}: holds a number that is too long") from error
    if not isinstance(value, dict):
        kind = {list: "a list", str: "text", bool: "true or false"}.get(type(value))
        raise ConfigError(
            f"{name}: expected an object such as "
            f'{{"user": {{"language": "es"}}}}, got {kind or "a bare value"}'
        )
    places, doubles = _located(name, text)
    return Document(name, text, value, places, doubles)


@dataclass(slots=True)
class _Open:
    """An object or a list whose end was not met yet."""

    spot: Spot
    head: int
    start: int
    is_object: bool
    key: str | None = None
    item: int = 0

    def advance(self) -> None:
        self.key, self.item = None, self.item + 1

    @property
    def wants_key(self) -> bool:
        return self.is_object and self.key is None

    @property
    def inside(self) -> Spot:
        return (*self.spot, self.item if self.key is None else self.key)


def _located(
    name: str, text: str
) -> tuple[dict[Spot, Place], tuple[tuple[Spot, int, int], ...]]:
    """Note where everything stands in a text that is known to be JSON."""
    places: dict[Spot, Place] = {}
    doubles: list[tuple[Spot, int, int]] = []
    around: list[_Open] = []
    head = 0
    for token in _TOKEN.finditer(text, int(text.startswith(_MARK))):
        word, start = token[0], token.start()
        if word in "}]":
            done = around.pop()
            places[done.spot] = Place(done.head, done.start, token.end())
        elif word == ",":
            around[-1].advance()
        elif around and around[-1].wants_key:
            around[-1].key, head = json.loads(word), start
        elif word != ":":
            spot = around[-1].inside if around else ()
            head = head if around and around[-1].is_object else start
            if spot in places:
                doubles.append((spot, places[spot].head, head))
                _forget(places, spot)
            _refuse_strange(name, text, token, len(around))
            places[spot] = Place(head, start, token.end())
            if word in "{[":
                around.append(_Open(spot, head, start, word == "{"))
    return places, tuple(doubles)


def _refuse_strange(name: str, text: str, token: re.Match[str], depth: int) -> None:
    line = text.count("\n", 0, token.start()) + 1
    if token[0] in _NO_JSON:
        raise ConfigError(f"{name}: line {line}: {token[0]} is not JSON")
    if depth > _DEEPEST:
        raise ConfigError(f"{name}: line {line}: nested too deeply")


def _forget(places: dict[Spot, Place], spot: Spot) -> None:
    """Of a key that is written twice, the last one counts, with all inside it."""
    for inner in [known for known in places if known[: len(spot)] == spot]:
        del places[inner]


def _decoded(name: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        utf16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
        said = "UTF-16" if utf16 else f"not UTF-8 (line {line})"
        raise ConfigError(f"{name}: the text is {said}; save it as UTF-8") from error
