"""What may be asked of the owner about recall itself: its state, and to reindex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apx.domain.text import clean
from apx.memory.reindexing import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.wiring import House

Json = Any


async def memory_status(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Say how much is remembered, how well it can be found, and what is behind."""
    return await house.status.memory()


async def reindex_estimate(house: House, args: Mapping[str, Json]) -> Json:
    """Say what a reindex would embed, with whom, and what that costs."""
    return await house.memory.recall.reindexing.estimate(_wish(args))


async def reindex(house: House, args: Mapping[str, Json]) -> Json:
    """Begin to reindex; `reindex_state` tells how it goes."""
    await house.memory.recall.reindexing.start(_wish(args))


async def reindex_stop(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """End a reindex; what it embedded stays, the rest waits for the next one."""
    await house.memory.recall.reindexing.stop()


async def reindex_state(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Say how far a reindex is."""
    return await house.memory.recall.reindexing.state()


async def mem_vectors(house: House, args: Mapping[str, Json]) -> Json:
    """Give `[id, cosine]` of the curated memories for a text, the most alike first.

    With a `root`, only of that very store.
    """
    return await house.memory.curating.near(clean(args["text"]), args.get("root", ""))


def _wish(args: Mapping[str, Json]) -> Wish:
    return Wish(full=args["full"], provider=args["provider"])
