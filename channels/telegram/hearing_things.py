"""What a message holds that is neither words nor a file, named in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from channels.shared.raw import Raw, maybe_number, part, parts, word
from channels.telegram import hearing_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST: Final = 4000  # of what one thing says; a poll has 12 options
_DEPTH: Final = 40


def named(message: Raw) -> str:
    """Name what is there, such as `[location: 41.4036, 2.1744]`; empty if nothing."""
    for key, tell in _THINGS.items():
        # A venue has its location beside it, as a message of its own kind.
        if isinstance(message.get(key), dict):
            told = tell(part(message, key))
            title = key.replace("_", " ")
            return f"[{title}: {told[:_MOST]}]" if told else f"[{title}]"
    return ""


def rich(message: Raw) -> str:
    """Give the words of a rich message, a line to a block."""
    lines = (
        _words(block, 0) for block in parts(part(message, "rich_message"), "blocks")
    )
    return "\n".join(line for line in lines if line.strip())


def _words(raw: object, depth: int) -> str:
    if isinstance(raw, str):
        return raw
    if isinstance(raw, list):
        return "".join(_words(one, depth + 1) for one in raw) if depth < _DEPTH else ""
    return _block(raw, depth) if isinstance(raw, dict) and depth < _DEPTH else ""


def _block(raw: Raw, depth: int) -> str:
    if "text" in raw:
        return _words(raw["text"], depth + 1)
    inner = [
        _words(one, depth + 1)
        for key in ("label", "summary", "blocks", "items", "cells", "caption")
        for one in _listed(raw.get(key))
    ]
    return " ".join(filter(None, inner))


def _listed(raw: object) -> list[object]:
    if isinstance(raw, list):
        return raw
    return [] if raw is None else [raw]


def _venue(raw: Raw) -> str:
    named_place = _row(raw, "title", "address")
    place = _location(part(raw, "location"))
    return "; ".join(filter(None, (named_place, place)))


def _location(raw: Raw) -> str:
    at = [raw.get("latitude"), raw.get("longitude")]
    good = [float(one) for one in at if isinstance(one, int | float)]
    return ", ".join(f"{one:.6f}".rstrip("0").rstrip(".") for one in good)


def _contact(raw: Raw) -> str:
    return ", ".join(filter(None, (hearing_names.user(raw), word(raw, "phone_number"))))


def _poll(raw: Raw) -> str:
    options = [word(one, "text") for one in parts(raw, "options")]
    return "; ".join(filter(None, (word(raw, "question"), *options)))


def _checklist(raw: Raw) -> str:
    tasks = [word(one, "text") for one in parts(raw, "tasks")]
    return "; ".join(filter(None, (word(raw, "title"), *tasks)))


def _dice(raw: Raw) -> str:
    return f"{word(raw, 'emoji')} {maybe_number(raw, 'value')}".strip()


def _story(raw: Raw) -> str:
    return hearing_names.chat(part(raw, "chat"))


def _row(raw: Raw, *keys: str) -> str:
    return ", ".join(filter(None, (word(raw, key) for key in keys)))


_THINGS: Final[Mapping[str, Callable[[Raw], str]]] = {
    "venue": _venue,
    "location": _location,
    "contact": _contact,
    "sticker": lambda raw: _row(raw, "emoji"),
    "poll": _poll,
    "checklist": _checklist,
    "dice": _dice,
    "game": lambda raw: _row(raw, "title"),
    "story": _story,
    "paid_media": lambda _: "",
    "invoice": lambda raw: _row(raw, "title"),
    "giveaway": lambda _: "",
}
