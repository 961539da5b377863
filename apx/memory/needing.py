"""Says what there is to embed, before anybody is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.memory.embedding import Need

if TYPE_CHECKING:
    from apx.domain.space import Space
    from apx.memory.embedding import Embedders
    from apx.ports import Embedder
    from apx.store.index.vectors import VectorStore


async def chosen(
    embedders: Embedders, serving: Space | None, provider: str
) -> Embedder | None:
    """Give who would embed: the one that is named, or the one that is used now."""
    embedders.forgive()
    if provider:
        return await embedders.named(provider)
    return await embedders.choose(serving.identity if serving else "")


async def lacking(store: VectorStore, embedder: Embedder | None, *, anew: bool) -> Need:
    """Count what lacks a vector of an embedder, or everything if it is `anew`."""
    if embedder is None:
        return Need("", 0, 0)
    name = embedder.identity
    known = [space for space in await store.spaces() if space.identity == name]
    chunks, size = await store.lacking(known[-1] if known and not anew else None)
    return Need(name, chunks, -(-size // 3))
