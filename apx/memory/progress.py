"""How far each space is with the chunks that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.memory.embedding import Progress

if TYPE_CHECKING:
    from apx.store.index.vectors import VectorStore


async def progress_of(store: VectorStore) -> list[Progress]:
    """Say how far each space is."""
    sizes = await store.sizes()
    found = []
    for space in await store.spaces():
        refused = await store.refusals(space.id)
        waiting, _ = await store.lacking(space)
        done = sizes.get(space.id, 0)
        total = done + refused + waiting
        found.append(Progress(space.identity, done, total, refused, space.is_serving))
    return found
