"""Errors on their way over the socket."""

from __future__ import annotations

from typing import Any

from apx.domain import errors
from apx.domain.errors import ApxError, HomeError


class OwnerLeft(HomeError):
    """The owner of the home went away; open the desk again."""


def to_json(error: ApxError) -> dict[str, Any]:
    """Write an error down."""
    return {"kind": type(error).__name__, "text": str(error)}


def from_json(value: dict[str, Any]) -> ApxError:
    """Read an error; one whose class wants more than a text becomes an `ApxError`."""
    found = getattr(errors, value["kind"], ApxError)
    is_plain = found in {
        errors.ConfigError,
        errors.InputError,
        errors.HomeError,
        errors.StoreError,
        errors.Conflict,
    }
    chosen: type[ApxError] = found if is_plain else ApxError
    return chosen(value["text"])
