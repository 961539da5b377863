"""Which spaces stay beside the one that serves, for a switch back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apx.domain.space import Space
    from apx.store.index.vectors import VectorStore

# Spaces that wait for a switch back; older ones are removed.
_KEPT: Final = 3
_REMOVED_AT_ONCE: Final = 5_000


async def remove_old(store: VectorStore, now: Space) -> None:
    """Keep the newest space of a few embedders, beside the one that is filled now."""
    spaces = await store.spaces()
    newest = {s.identity: s for s in spaces if not s.is_serving and s.id != now.id}
    newest.pop(now.identity, None)
    kept = sorted(newest.values(), key=lambda s: s.id)[1 - _KEPT :]
    for space in spaces:
        if space.is_serving or space.id == now.id or space in kept:
            continue
        while await store.drop(space.id, _REMOVED_AT_ONCE):
            pass
