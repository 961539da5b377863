"""Owns what is known of how much a provider of embeddings takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider takes: of one call, and at the same time."""

    items: int = 64
    bytes: int = 1 << 20
    tokens: int = 100_000
    concurrency: int = 3
    seconds: float = 60.0


_LIMITS: Final = {
    "ollama": Limits(),
    # Both take more in a call (2048 and 100), but while such an answer is read,
    # nothing else happens here for a tenth of a second.
    "openai": Limits(items=128, tokens=250_000, concurrency=6),
    "gemini": Limits(items=50, bytes=1 << 19, concurrency=6),
    "local": Limits(concurrency=1),
    "tf": Limits(items=1024, bytes=16 << 20, tokens=4_000_000, concurrency=1),
}


def limits_of(identity: str) -> Limits:
    """Give what the provider in an identity is known to take."""
    return _LIMITS.get(identity.partition(":")[0], Limits())
