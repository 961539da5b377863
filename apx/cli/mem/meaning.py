"""What `apx mem search --features=vector` adds: memories near in meaning."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from apx.mem.cache import Cache, Row
    from apx.mem.wanted import Wanted


def fused(root: str, known: Cache, want: Wanted, query: str) -> tuple[list[Row], str]:  # noqa: ARG001 -- what the vectors will be asked with
    """Give what words and meaning find together, and how that went."""
    return known.rows(want), "lexical (no vectors of memories here)"
