"""What a config.json says in vain: it can be followed, but its writer should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.config.keys import dotted, found_instead, key_at, leaves, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from apx.config.document import Document, Spot
    from apx.config.root import Config

_LONGEST = 80


def remarks(
    document: Document, config: Config, unset: Mapping[Spot, str]
) -> tuple[str, ...]:
    """Say all of it, a line each; `unset` holds the variables that nobody has set."""
    found = (
        *_empty(document, unset),
        *_unknown(document),
        *_doubles(document),
        *_later(document, config),
    )
    return tuple(printable(f"{document.name}: {said}") for said in found)


def _empty(document: Document, unset: Mapping[Spot, str]) -> Iterator[str]:
    for spot, variable in unset.items():
        yield (
            f"{dotted(spot)}: the environment variable {variable} is not set here, "
            f"so this is empty (line {document.line(spot)})"
        )


def _unknown(document: Document) -> Iterator[str]:
    for spot, place in document.places.items():
        parent = key_at(spot[:-1])
        if key_at(spot) is None and parent is not None and parent.is_section:
            line = document.line_at(place.head)
            yield (
                f"{dotted(spot)[:_LONGEST]}: unknown key "
                f"(line {line}); {found_instead(spot)}"
            )


def _doubles(document: Document) -> Iterator[str]:
    for spot, first, second in document.doubles:
        lines = f"{document.line_at(first)} and {document.line_at(second)}"
        yield (
            f"{dotted(spot)[:_LONGEST]}: written twice "
            f"(lines {lines}); the last one counts"
        )


def _later(document: Document, config: Config) -> Iterator[str]:
    """Name in one line all that was changed and does nothing yet."""
    idle = [
        key.path
        for key, value in leaves(config)
        if key.is_later and value != key.default and key.path in document.places
    ]
    idle.sort(key=lambda path: document.places[path].head)
    if idle:
        named = ", ".join(f"{dotted(at)} (line {document.line(at)})" for at in idle)
        yield f"{named}: no effect yet; comes in a later version"
