"""Where a conversation is."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from apx.domain.errors import InputError

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True, order=True)
class Thread:
    """One conversation in one place, such as `terminal:main` or `telegram:7:-100:4`."""

    channel: str
    place: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.place}"

    @classmethod
    def parse(cls, text: str) -> Thread:
        """Read `channel:place`; a bare word is a place in the terminal."""
        channel, colon, place = text.partition(":")
        if not colon:
            channel, place = "terminal", text
        if not channel or not place or _unprintable(text):
            raise InputError(f"thread {text[:40]!a}: expected a name such as `other`")
        return cls(channel, place)

    @classmethod
    def named(cls, text: str) -> Thread:
        """Read the name that a person gives a conversation: it is no password or key.

        It stands in every list, and nothing masks it there.
        """
        # Later: what only reads names that are there never needs it.
        from apx.domain.secrets import mask  # noqa: PLC0415 -- as said

        if mask(text) != text:
            raise InputError(
                "thread: this looks like a password or a key; choose another name"
            )
        return cls.parse(text)


def _unprintable(text: str) -> bool:
    return len(text) > _LONGEST or any(
        unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
        for character in text
    )
