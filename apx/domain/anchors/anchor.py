"""A piece of text that must survive exactly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AnchorKind(StrEnum):
    """What an anchor is."""

    ID = "id"
    URL = "url"
    PATH = "path"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A piece of text, as it was written, that a summary must not change."""

    kind: AnchorKind
    text: str
