"""Buttons under a message, as Discord takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apx.domain.text import clean, excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.heard import Button

_ROW: Final = 1
_BUTTON: Final = 2
_NEUTRAL: Final = 2
_MOST_ROWS: Final = 5
_WIDTHS: Final = (2, 3, 4, 5)
_LABEL: Final = 80
_DATA: Final = 100

Components = tuple[dict[str, Any], ...]


def rows(buttons: Sequence[Button]) -> Components:
    """Lay out buttons; those that Discord would refuse are left out.

    What is one question stands together, in rows as narrow as the number allows.
    """
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for button in buttons:
        if button.data.strip() and len(button.data) <= _DATA:
            group = groups.setdefault(_subject(button.data), {})
            group.setdefault(button.data, _shown(button))
    asked = [list(group.values()) for group in groups.values()]
    laid: list[list[dict[str, Any]]] = []
    for width in _WIDTHS:
        laid = _laid(asked, width)
        if len(laid) <= _MOST_ROWS:
            break
    return tuple({"type": _ROW, "components": row} for row in laid[:_MOST_ROWS])


def without(components: object, custom_id: str) -> Components:
    """Give the buttons of a message, as it came, but those of the question answered."""
    subject = _subject(custom_id)
    kept = []
    for row in components if isinstance(components, list | tuple) else ():
        given = row.get("components") if isinstance(row, dict) else None
        others = [
            button
            for button in (given if isinstance(given, list | tuple) else ())
            if isinstance(button, dict) and _subject(button.get("custom_id")) != subject
        ]
        if others:
            kept.append({"type": _ROW, "components": others})
    return tuple(kept)


def _subject(data: object) -> str:
    """Say what a button is about: `yes:5` and `no:5` answer the same question."""
    text = data if isinstance(data, str) else ""
    return text.partition(":")[2] or text


def _shown(button: Button) -> dict[str, Any]:
    label = excerpt(clean(button.label), _LABEL) or excerpt(button.data, _LABEL)
    return {
        "type": _BUTTON,
        "style": _NEUTRAL,
        "label": label,
        "custom_id": button.data,
    }


def _laid(
    groups: Sequence[list[dict[str, Any]]], width: int
) -> list[list[dict[str, Any]]]:
    laid: list[list[dict[str, Any]]] = []
    for group in groups:
        if not laid or len(laid[-1]) + len(group) > width:
            laid.append([])
        for button in group:
            if len(laid[-1]) == width:
                laid.append([])
            laid[-1].append(button)
    return laid
