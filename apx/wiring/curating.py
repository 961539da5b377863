"""What the assistant does with the curated memories: recall, vectors, proposals."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from apx.agent.tools.memories import (
    MemoryAdd,
    MemorySearch,
    MemoryShow,
    MemoryUpdate,
)
from apx.domain.errors import InputError
from apx.domain.person import OWNERS_OWN
from apx.domain.secrets import mask
from apx.mem.curated import Curated
from apx.mem.erasing import Erasing
from apx.mem.faults import MemFault
from apx.mem.known import Known
from apx.mem.proposing import Proposing
from apx.mem.store import place as store_place
from apx.memory.curated.source import Asked, CuratedMemories
from apx.memory.curated.vectors import FactVectors
from apx.store.drawers import ChannelDrawer
from apx.store.index.memories import MemoryVectors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import tzinfo

    from apx.config import Config
    from apx.memory.books import NoteBooks
    from apx.ports import Clock, Tool
    from apx.store.database import Database
    from apx.wiring.recalling import Place, Recalling

# What is kept in the ledger beside the channels' own.
_DRAWER: Final = "mem"


@dataclass(slots=True)
class Curating:
    """The rooms of the curated memories; `source` is what a turn asks."""

    curated: Curated
    known: Known
    source: CuratedMemories
    vectors: FactVectors
    proposing: Proposing
    erasing: Erasing
    recall: Recalling
    proposes: bool

    @property
    def is_enabled(self) -> bool:
        """Whether the assistant has them."""
        return not self.curated.off

    async def keep_up(self) -> None:
        """Propose new notes, read what changed, embed what lacks a vector."""
        if not self.is_enabled or not self.known.is_there():
            return
        if self.proposes:
            await self.proposing.propose()
        await self.vectors.fill(await self.source.warm())

    async def near(self, text: str, root: str = "") -> list[tuple[str, float]]:
        """Give the memories with their likeness to a text, the most alike first.

        Raises `InputError` with the reason if there is nothing to compare.
        """
        if root and not await asyncio.to_thread(_is_same, root, self.curated.root):
            raise InputError("the assistant has another store")
        meaning = await self.recall.spaces.meaning(mask(text))
        if meaning is None:
            raise InputError("no embedder answers")
        found = await self.vectors.cosines(meaning)
        if not found:
            raise InputError("no vectors of memories yet")
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))

    async def counts(self) -> dict[str, int]:
        """Count them; nothing where there is no store."""
        if not self.is_enabled or not self.known.is_there():
            return {}

        def look() -> dict[str, int]:
            from apx.mem.counting import counted  # noqa: PLC0415 -- few processes ask

            return counted(self.curated.root)

        try:
            return await asyncio.to_thread(look)
        except MemFault:
            return {}

    @property
    def trouble(self) -> dict[str, str]:
        """Name what is degraded."""
        said = {
            "curated memories": self.proposing.trouble,
            "vectors of curated memories": self.vectors.trouble,
        }
        return {name: why for name, why in said.items() if why}

    def tools(self) -> list[Tool]:
        """Give what a model may do with them."""
        if not self.is_enabled:
            return []
        kinds = (MemorySearch, MemoryShow, MemoryAdd, MemoryUpdate)
        return [kind(self.curated) for kind in kinds]


@asynccontextmanager
async def curating(
    config: Config,
    place: Place,
    clock: Clock,
    database: Database,
    recall: Recalling,
    books: NoteBooks,
) -> AsyncIterator[Curating]:
    """Build what works on the store of a home, whether there is one yet or not."""
    memory, zone = config.memory, place.zone
    root = root_of(place)
    known, lock = Known(root), asyncio.Lock()
    vectors = FactVectors(
        MemoryVectors(recall.index), recall.vectors, recall.embedders, recall.meter
    )
    source = CuratedMemories(
        known,
        Asked(recall.spaces.meaning, vectors),
        zone,
        recall.patience,
        finds=memory.recall.passive_inject,
    )
    own = books.of(str(OWNERS_OWN))
    drawer = ChannelDrawer(database, _DRAWER)
    try:
        yield Curating(
            curated=Curated(root, today=partial(_day, clock, zone), off=_off(config)),
            known=known,
            source=source,
            vectors=vectors,
            proposing=Proposing(root, lock, own.sync, drawer, clock, zone),
            erasing=Erasing(root, lock, vectors.forget),
            recall=recall,
            proposes=memory.curated.propose_notes,
        )
    finally:
        await source.aclose()


def _day(clock: Clock, zone: tzinfo) -> str:
    return f"{clock().astimezone(zone):%Y-%m-%d}"


def _off(config: Config) -> str:
    """Name the key that keeps them from the assistant, if one does."""
    memory = config.memory
    if not memory.enabled:
        return "memory.enabled"
    return "" if memory.curated.enabled else "memory.curated.enabled"


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def root_of(place: Place) -> str:
    """Say where the store of a home is: `MEM_DIR`, else in it."""
    return store_place({**os.environ, "APX_HOME": str(place.home)})


def note_source(text: str) -> str:
    """Say how a memory names the note that it was made of."""
    from apx.mem.importing import note_source  # noqa: PLC0415 -- only beside a memory

    return note_source(text)


def told(counts: dict[str, Any]) -> list[str]:
    """Say it in words, where there is a store."""
    if not counts:
        return []
    line = f"curated: {counts['active']} active, {counts['to_review']} to review"
    if counts["unreadable"]:
        line += f", {counts['unreadable']} unreadable (`apx mem doctor`)"
    return [line]
