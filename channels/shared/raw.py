"""The fields of raw JSON, checked: a platform may send anything."""

from __future__ import annotations

from typing import Any

from apx.domain.errors import InputError

Raw = dict[str, Any]


def number(body: Raw, key: str) -> int:
    """Read a whole number that must be there."""
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{key}: expected a whole number")
    return value


def maybe_number(body: Raw, key: str) -> int:
    """Read a whole number, 0 if there is none."""
    value = body.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def text(body: Raw, key: str) -> str:
    """Read a text that must be there."""
    value = body.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key}: expected a text")
    return value


def said(body: Raw, key: str) -> str:
    """Read a text, empty if there is none; what is no text is refused."""
    return text(body, key) if body.get(key) is not None else ""


def word(body: Raw, key: str) -> str:
    """Read a text that only adorns: what is no text counts as none."""
    value = body.get(key)
    return value if isinstance(value, str) else ""


def section(body: Raw, key: str) -> Raw:
    """Read an object that must be there."""
    value = body.get(key)
    if not isinstance(value, dict):
        raise InputError(f"{key}: expected an object")
    return value


def part(body: Raw, key: str) -> Raw:
    """Read an object, empty if there is none."""
    value = body.get(key)
    return value if isinstance(value, dict) else {}


def parts(body: Raw, key: str) -> list[Raw]:
    """Read a list of objects, empty if there is none; other things in it are left."""
    value = body.get(key)
    listed = value if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, dict)]
