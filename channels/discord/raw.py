"""What raw JSON of Discord has and other platforms' has not: its ids and times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError
from channels.shared.raw import Raw, text

if TYPE_CHECKING:
    from collections.abc import Iterable

# Ids tell when they were made: milliseconds since 2015, times 2**22.
_EPOCH: Final = 1_420_070_400_000
_SHIFT: Final = 22
_LONGEST: Final = 20
# The largest that a database takes; Discord gets there in 2084.
_LARGEST: Final = (1 << 63) - 1


def snowflake(body: Raw, key: str) -> int:
    """Read an id that must be there."""
    if (found := _number(body.get(key))) is None:
        raise InputError(f"{key}: expected an id")
    return found


def maybe_snowflake(body: Raw, key: str) -> int:
    """Read an id, 0 if there is none."""
    return _number(body.get(key)) or 0


def snowflakes(values: object) -> Iterable[int]:
    """Read a list of ids; whatever else is in it is left."""
    listed = values if isinstance(values, list) else []
    return (number for one in listed if (number := _number(one)) is not None)


def made_at(number: int) -> datetime:
    """Say when an id was made."""
    return datetime.fromtimestamp(((number >> _SHIFT) + _EPOCH) / 1000, UTC)


def first_at(moment: datetime) -> int:
    """Give the smallest id that is made at a moment."""
    return max(int(moment.timestamp() * 1000) - _EPOCH, 0) << _SHIFT


def time(body: Raw, key: str) -> datetime:
    """Read a time that must be there."""
    try:
        told = datetime.fromisoformat(text(body, key))
        return told.replace(tzinfo=told.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InputError(f"{key}: no time") from None


def _number(value: object) -> int | None:
    digits = value if isinstance(value, str) else ""
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > _LONGEST:
        return None
    number = int(digits)
    return number if number <= _LARGEST else None
