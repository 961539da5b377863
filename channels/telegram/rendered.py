"""A text as Telegram takes it: plain words, and what lies over them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from channels.shared.units import units

# What Telegram counts as nothing: spaces, marks of zero width, tags, and the marks
# that it takes out. A message of these alone is refused as empty.
_NOTHING: Final = re.compile(
    "[\\s\u030a\u0333\u033f\u180e\u200b-\u200f\u2028-\u202e\u2800\ufeff\ufffc"
    "\U000e0000-\U000e007f]*"
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A stretch of a text and what it is; counted in UTF-16 units."""

    kind: str
    offset: int
    length: int
    url: str = ""
    language: str = ""

    @property
    def end(self) -> int:
        """The first unit behind it."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text and its entities, the outer ones before those inside them."""

    text: str
    entities: tuple[Entity, ...] = ()

    @property
    def units(self) -> int:
        """How long it is for Telegram."""
        return units(self.text)


def is_blank(text: str) -> bool:
    """Whether Telegram would refuse a text because there is nothing to see."""
    return _NOTHING.fullmatch(text) is not None
