"""Buttons under a message, as Telegram takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup

from apx.domain.text import flatten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apx.domain.heard import Button

_MOST: Final = 100
_DATA_BYTES: Final = 64
_LABEL: Final = 48
# What a narrow phone shows of a row, and of how many buttons.
_WIDTH: Final = 28
_ROW: Final = 4


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    """Lay out buttons in rows; those that Telegram would refuse are left out."""
    fit = [button for button in buttons if 0 < _bytes(button.data) <= _DATA_BYTES]
    rows = _rows(
        InlineKeyboardButton(text=_label(button), callback_data=button.data)
        for button in fit[:_MOST]
    )
    return InlineKeyboardMarkup(inline_keyboard=rows) if rows else None


def without(markup: Mapping[str, Any], data: str) -> InlineKeyboardMarkup | None:
    """Give the buttons of a message, as it came, but the one with this data."""
    given = markup.get("inline_keyboard") or ()
    kept = [
        [button for button in row if button.get("callback_data") != data]
        for row in given
    ]
    rows = [row for row in kept if row]
    if not rows:
        return None
    return InlineKeyboardMarkup.model_validate({"inline_keyboard": rows})


def _rows(
    buttons: Iterable[InlineKeyboardButton],
) -> list[list[InlineKeyboardButton]]:
    rows: list[list[InlineKeyboardButton]] = []
    width = 0
    for button in buttons:
        width += len(button.text)
        if not rows or width > _WIDTH or len(rows[-1]) == _ROW:
            rows.append([])
            width = len(button.text)
        rows[-1].append(button)
    return rows


def _label(button: Button) -> str:
    label = flatten(button.label).strip() or button.data
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"


def _bytes(data: str) -> int:
    return len(data.encode(errors="replace"))
