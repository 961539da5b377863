"""Whether a document is a good config.json: the values, or all that is wrong."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from apx.config.environment import UnsetVariable, fill
from apx.config.keys import dotted, key_at, masked, printable, value_at
from apx.config.remarks import remarks
from apx.config.root import Config
from apx.domain.errors import ConfigError
from apx.domain.secrets import names_a_secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from apx.config.document import Document, Spot

_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Fault:
    """A key that is wrong; as a text, it also says on which line."""

    message: str
    line: int

    def __str__(self) -> str:
        return f"{self.message} (line {self.line})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. There is a config exactly when there are no faults."""

    config: Config | None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Wrong:
    spot: Spot
    said: str


def judge(document: Document, environ: Mapping[str, str]) -> Verdict:
    """Check every key, so that a person can mend all of them at once."""
    filled = copy.deepcopy(document.value)
    unset: dict[Spot, str] = {}
    faults = list(_fill(filled, (), environ, unset))
    _drop(filled, faults)
    wrong = list(_wrong(filled, document))
    _drop(filled, wrong)
    faults += wrong
    config = Config.model_validate_json(json.dumps(filled))
    faults += _crossed(config, document, {fault.spot for fault in faults})
    faults.sort(key=lambda fault: document.line(fault.spot))
    return Verdict(
        None if faults else config,
        tuple(_told(document, fault) for fault in faults),
        remarks(document, config, unset),
    )


def as_wanted(spot: Spot, text: str) -> object:
    """Read a text as what its key wants: text as it is, anything else as JSON."""
    key = key_at(spot)
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    is_text = key is not None and key.is_text
    return value if isinstance(value, str) or not is_text else text


def _fill(
    value: dict[Any, Any] | list[Any],
    spot: Spot,
    environ: Mapping[str, str],
    unset: dict[Spot, str],
) -> Iterator[_Wrong]:
    """Fill every text of a document in place, and leave out what nobody knows.

    A credential whose variable is not set is empty, and noted in `unset`: whoever
    needs it says so, and the many commands that need none still work.
    """
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(pairs):
        here = (*spot, key)
        if isinstance(value, dict) and key_at(here) is None:
            del value[key]
        elif isinstance(inner, dict | list):
            yield from _fill(inner, here, environ, unset)
        elif isinstance(inner, str):
            try:
                value[key] = _filled(here, inner, environ)
            except ConfigError as error:
                if isinstance(error, UnsetVariable) and names_a_secret(str(key)):
                    value[key], unset[here] = "", error.name
                else:
                    yield _Wrong(here, str(error))


def _filled(spot: Spot, text: str, environ: Mapping[str, str]) -> object:
    filled = fill(text, environ)
    if not filled.isprintable() and any("\ud800" <= c <= "\udfff" for c in filled):
        raise ConfigError("got half of a character, expected whole ones")
    if "\0" in filled:
        raise ConfigError("got a NUL character, expected none")
    key = key_at(spot)
    # An environment holds only texts: "${TOP_K}" may still be a number.
    is_number = filled != text and key is not None and not key.is_text
    return as_wanted(spot, filled) if is_number else filled


def _wrong(filled: dict[str, Any], document: Document) -> Iterator[_Wrong]:
    try:
        Config.model_validate_json(json.dumps(filled))
    except ValidationError as error:
        for found in error.errors(include_url=False, include_input=False):
            spot = found["loc"]
            own_words = found["type"] == "refused" and not _is_filled(document, spot)
            yield _Wrong(
                spot,
                found["ctx"]["said"] if own_words else _mismatch(document, spot),
            )


def _mismatch(document: Document, spot: Spot) -> str:
    """Say what was given, as the file has it, and what is allowed."""
    key = key_at(spot)
    wanted = key.wanted if key else "something else"
    if spot not in document.places:
        return f"is missing, expected {wanted}"
    return f"got {_shown(value_at(document.value, spot), spot)}, expected {wanted}"


def _shown(value: object, spot: Spot) -> str:
    """Write a value for a message: short, on one line, no credential."""
    name = next((part for part in reversed(spot) if isinstance(part, str)), "")
    if names_a_secret(name):
        return (
            f"text of {len(value)} characters" if isinstance(value, str) else "no text"
        )
    text = json.dumps(masked(value), ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _is_filled(document: Document, spot: Spot) -> bool:
    """Tell whether a value came from the environment: it is not to be quoted."""
    given = value_at(document.value, spot) if spot in document.places else None
    return isinstance(given, str) and "${" in given


def _drop(filled: dict[Any, Any], faults: list[_Wrong]) -> None:
    """Take wrong values out, so that the right ones can be judged together."""
    for fault in faults:
        numbers = [i for i, part in enumerate(fault.spot) if isinstance(part, int)]
        *path, last = fault.spot[: numbers[0]] if numbers else fault.spot
        inner = filled
        for part in path:
            inner = inner.get(part, {})
        inner.pop(last, None)


# Each pair: the first must be below the second, or may be equal to it.
_ORDERED: Final = (
    ("keep_recent", "compact_threshold", False),
    ("keep_first", "keep_recent", True),
)


def _crossed(config: Config, document: Document, bad: set[Spot]) -> Iterator[_Wrong]:
    """Find keys that are good alone and impossible together."""
    for low, high, may_be_equal in _ORDERED:
        less, more = getattr(config.memory, low), getattr(config.memory, high)
        spots: tuple[Spot, Spot] = ("memory", low), ("memory", high)
        if bad & {*spots, ("memory",)} or less < more + may_be_equal:
            continue
        # Blame a key that the person wrote, not a default.
        if spots[0] in document.places:
            than = "at most" if may_be_equal else "less than"
            said = f"got {less}, expected {than} memory.{high} ({more})"
            yield _Wrong(spots[0], said)
        else:
            than = "at least" if may_be_equal else "more than"
            said = f"got {more}, expected {than} memory.{low} ({less})"
            yield _Wrong(spots[1], said)


def _told(document: Document, wrong: _Wrong) -> Fault:
    message = f"{document.name}: {dotted(wrong.spot)}: {wrong.said}"
    return Fault(printable(message), document.line(wrong.spot))
