"""Every key of config.json: its place, what it wants, and what holds without it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_origin

from annotated_types import Ge, Le, MaxLen

from apx.config.kinds import Expect, Section, comes_later
from apx.config.root import Config
from apx.domain.errors import InputError
from apx.domain.secrets import HIDDEN, mask, names_a_secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from apx.config.document import Spot

_ITEM: Final = "*"
_PLAIN: Final = re.compile(r"[\w$-]+")


@dataclass(frozen=True, slots=True)
class Key:
    """A place where config.json may say something; `*` in a path is any item."""

    path: tuple[str, ...]
    wanted: str
    is_section: bool
    is_text: bool
    default: Any
    is_later: bool = False


@cache
def known() -> Mapping[tuple[str, ...], Key]:
    """Give every key by its path."""
    found = {key.path: key for key in _keys((), Config, (), None)}
    return MappingProxyType(found)


def key_at(path: Spot) -> Key | None:
    """Find the key that a place in the document belongs to."""
    return known().get(tuple(_ITEM if isinstance(p, int) else p for p in path))


def asked(dotted: str) -> Key:
    """Find a key that a person named, or say which one is near."""
    key = known().get(tuple(dotted.split(".")))
    if key is None or not _named(key.path):
        help_ = found_instead(tuple(dotted.split(".")))
        raise InputError(f"{mask(dotted[:80])!a}: no such key; {help_}")
    return key


def found_instead(path: Spot) -> str:
    """Name the known key that looks like an unknown one, or say where all are."""
    near = _nearest(path)
    if near is None:
        return "`apx config show` lists those that there are"
    return f"the nearest known key is {near}"


def dotted(path: Spot) -> str:
    """Write a path as people do: `channels.telegram.bots[0].token`."""
    return "".join(
        f"[{part}]" if isinstance(part, int) else f".{_quoted(part)}" for part in path
    ).removeprefix(".")


def leaves(config: Config) -> Iterator[tuple[Key, Any]]:
    """Give every key that is no section, with its effective value."""
    everything = config.model_dump(mode="json")
    for key in known().values():
        if not key.is_section and _named(key.path):
            yield key, value_at(everything, key.path)


def value_at(document: Mapping[str, Any], path: Spot) -> object:
    """Follow a path into a document."""
    value: Any = document
    for part in path:
        value = value[part]
    return value


def masked(value: object, name: str = "") -> object:
    """Copy a value with everything that looks like a credential made unreadable."""
    if isinstance(value, dict):
        return {key: masked(inner, key) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner, name) for inner in value]
    if value not in ("", None) and names_a_secret(name):
        return HIDDEN
    return mask(value) if isinstance(value, str) else value


def printable(line: str) -> str:
    """Make a message safe to print: no credential, no control character."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode()
        for c in mask(line)
    )


def _quoted(part: str) -> str:
    return part if _PLAIN.fullmatch(part) else json.dumps(part, ensure_ascii=False)


def _named(path: tuple[str, ...]) -> bool:
    return bool(path) and _ITEM not in path


def _nearest(path: Spot) -> str | None:
    parent, name = path[:-1], str(path[-1])
    siblings = {
        key.path[-1]: dotted((*parent, key.path[-1]))
        for key in known().values()
        if key.path and key_at(parent) is known().get(key.path[:-1])
    }
    everywhere = [".".join(key) for key in known() if _named(key)]
    ends = {key.rpartition(".")[2]: key for key in reversed(everywhere)}
    return (
        _closest(name, siblings, 0.6)
        or _closest(name, ends, 0.75)
        or _closest(dotted(path), {key: key for key in everywhere if "." in key}, 0.75)
    )


def _closest(name: str, among: Mapping[str, str], cutoff: float) -> str | None:
    plain = {_folded(known): whole for known, whole in among.items()}
    found = get_close_matches(_folded(name), plain, 1, cutoff)
    return plain[found[0]] if found else None


def _folded(name: str) -> str:
    """Make `brokerBudgetMs`, `broker-budget-ms` and `broker_budget_ms` one."""
    return name[:200].lower().replace("_", "").replace("-", "")


def _keys(
    path: tuple[str, ...], kind: object, hints: tuple[Any, ...], default: object
) -> Iterator[Key]:
    """Walk a type: a section has keys, a list has items, anything else is a leaf."""
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        hints = (*more, *hints)
    section = kind if isinstance(kind, type) and issubclass(kind, Section) else None
    is_text = kind is str or get_origin(kind) is Literal
    yield Key(path, _wanted(kind, hints), section is not None, is_text, _plain(default))
    if section is not None:
        for name, field in section.model_fields.items():
            given = None if field.is_required() else field.default
            keys = _keys((*path, name), field.annotation, (*field.metadata,), given)
            own = replace(next(keys), is_later=comes_later(field.description))
            yield from (own, *keys)
    elif get_origin(kind) is tuple:
        yield from _keys((*path, _ITEM), get_args(kind)[0], (), None)


def _plain(default: object) -> object:
    """Say a default as JSON would."""
    if isinstance(default, Section):
        return default.model_dump(mode="json")
    return list(default) if isinstance(default, tuple) else default


def _wanted(kind: object, hints: tuple[Any, ...]) -> str:
    """Say what is allowed."""
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        hints = (*more, *hints)
    for hint in hints:
        if isinstance(hint, Expect):
            return hint.words
    if get_origin(kind) is Literal:
        *first, last = [f'"{choice}"' for choice in get_args(kind)]
        return f"{', '.join(first)} or {last}"
    if get_origin(kind) is tuple:
        return f"a list{_up_to(hints, ' items')}, each {_wanted(get_args(kind)[0], ())}"
    named: dict[object, str] = {
        bool: "true or false",
        str: f"text{_up_to(hints, ' characters')}",
    }
    named |= {int: f"a whole number{_span(hints)}", float: f"a number{_span(hints)}"}
    return named.get(kind, "an object")


def _span(hints: tuple[Any, ...]) -> str:
    low = next((hint.ge for hint in hints if isinstance(hint, Ge)), None)
    high = next((hint.le for hint in hints if isinstance(hint, Le)), None)
    if high is None:
        return f" of {low} or more"
    return f" from {low} to {high}"


def _up_to(hints: tuple[Any, ...], unit: str = "") -> str:
    most = next((h.max_length for h in hints if isinstance(h, MaxLen)), None)
    return f" of at most {most}{unit}" if most else ""
