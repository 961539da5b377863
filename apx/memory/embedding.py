"""The words between spaces and who fills them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.ports import Embedder


class Embedders(Protocol):
    """Who can embed, as config.json allows."""

    wanted: str

    @property
    def failures(self) -> Mapping[str, str]:
        """Say why providers that were asked do not embed."""
        ...

    async def choose(self, serving: str) -> Embedder | None:
        """Give the embedder to use, or None while there is none; `serving` is in use.

        Under `auto` what serves is kept as long as it can be: another one would
        have to embed everything again.
        """
        ...

    def forgive(self) -> None:
        """Ask everybody again who was down: a person may have mended it."""
        ...

    def is_wanted(self, identity: str, provider: str = "") -> bool:
        """Whether this is the embedder to use, as far as can be told unasked."""
        ...

    async def named(self, provider: str) -> Embedder | None:
        """Give the embedder of a provider, or None if it cannot be had now."""
        ...

    async def revive(self, identity: str) -> Embedder | None:
        """Give the embedder of a space, or None if it cannot be had."""
        ...


@dataclass(slots=True)
class Progress:
    """How far a space is."""

    identity: str
    done: int = 0
    total: int = 0
    refused: int = 0
    is_serving: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """What is to be embedded, by whom; tokens are an estimate."""

    identity: str
    chunks: int
    tokens: int
