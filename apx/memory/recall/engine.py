"""Owns the shelves of all audiences: loads them, keeps them up, lets them be asked."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import structlog

from apx.domain.errors import DamagedStore, StoreError
from apx.memory.recall.files import Files, add_vectors, agreeing, shelf_of, tidy
from apx.memory.recall.keys import Keys
from apx.memory.recall.search import search
from apx.memory.recall.shelf import NewVectors, Shelf

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from apx.domain.chunk import Gone, Stored, Taken
    from apx.domain.space import Filled
    from apx.memory.recall.search import Answer, Asked
    from apx.store.index.chunks import Chunks
    from apx.store.index.vectors import VectorStore

T = TypeVar("T")

log = structlog.get_logger(__name__)

_AT_ONCE: Final = 2_000
_READERS: Final = 2


class Engine:
    """Finds chunks. Two threads write the shelves, two read them without a lock."""

    def __init__(self, directory: Path, chunks: Chunks, vectors: VectorStore) -> None:
        self._directory = directory
        self._chunks = chunks
        self._vectors = vectors
        self.keys = Keys()
        self._shelves: dict[str, Shelf] = {}
        self._files: dict[str, Files] = {}
        self._hand = ThreadPoolExecutor(1, "apx-shelves")
        # Vectors by the hundred thousand take seconds to prepare: what was said is
        # brought in meanwhile.
        self._second_hand = ThreadPoolExecutor(1, "apx-vectors")
        self._eyes = ThreadPoolExecutor(_READERS, "apx-recall")
        self._missed = False
        self._gone: list[Gone] = []
        self._serving: int | None = None
        self._loading: asyncio.Future[None] = asyncio.Future()
        self.ready = asyncio.Event()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, directory: Path, chunks: Chunks, vectors: VectorStore
    ) -> AsyncIterator[Engine]:
        """Open the engine; it loads in the background, and is `ready` when it has."""
        engine = cls(directory, chunks, vectors)
        engine._loading = asyncio.ensure_future(engine._load())
        try:
            yield engine
        finally:
            engine._loading.cancel()
            await asyncio.wait([engine._loading])
            for threads in (engine._hand, engine._second_hand, engine._eyes):
                # A part may be under preparation for seconds: others go on meanwhile.
                await asyncio.to_thread(threads.shutdown, cancel_futures=True)

    @property
    def has_failed(self) -> bool:
        """Whether loading ended without success."""
        return self._loading.done() and not self.ready.is_set()

    @property
    def size(self) -> int:
        """How many documents are loaded, with those that are gone."""
        return sum(shelf.columns.size for shelf in self._shelves.values())

    async def take(self, taken: Taken) -> None:
        """Bring in what a pass of the indexer changed."""
        if not self.ready.is_set():
            # What is loading reads the rows themselves, to the end.
            self._missed = True
            self._gone += taken.gone
            return
        await self._in_hand(lambda: self._apply(taken.added, taken.gone))
        if taken.gone:
            # Files shall not keep the numbers of what was forgotten.
            await self.save()

    async def take_vectors(self, space: int, filled: Sequence[Filled]) -> None:
        """Bring in vectors of the space that serves; others wait for their turn."""
        if not self.ready.is_set():
            self._missed = True
        elif space == self._serving:
            # After their chunks, which may still wait for the other thread.
            await self._in_hand(lambda: None)
            await self._in_second_hand(partial(self._apply_vectors, space, filled))

    async def prepare(self, space: int) -> None:
        """Load a space's vectors beside those of the space that serves."""
        await asyncio.wait([self._loading])
        if not self.ready.is_set():
            raise StoreError("memory.db could not be loaded; apx.log says why")
        await self._in_hand(lambda: None)
        for audience, shelf in self._shelves.items():
            await self._load_vectors(audience, shelf, space)

    async def serve(self, space: int) -> None:
        """Take vectors of a prepared space from now on, and let go of all others."""
        self._serving = space
        await self._in_second_hand(self._drop_other_spaces)

    async def find(self, asked: Asked, audiences: Sequence[str]) -> Answer:
        """Give the best chunks that these audiences may see."""
        shelves = [self._shelves[a] for a in audiences if a in self._shelves]
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._eyes, search, shelves, asked)

    async def save(self) -> None:
        """Write large parts to files, so that the next start is quick."""
        if not self.ready.is_set():
            return
        for audience, shelf in list(self._shelves.items()):
            files = await self._files_of(audience)
            try:
                await self._in_second_hand(partial(files.save, shelf))
            except StoreError as error:
                log.warning("index_not_saved", reason=str(error))

    async def _load(self) -> None:
        """Map the files, read the rest of the rows, until nothing is missed."""
        try:
            audiences = await self._chunks.audiences()
            known = {f"{self.keys.of(audience):016x}" for audience in audiences}
            await self._in_second_hand(partial(tidy, self._directory, known))
            for audience in audiences:
                await self._load_audience(audience)
            self._serving = await self._serving_space()
            self._missed = True
            while self._missed:
                self._missed = False
                await self._catch_up()
        except (DamagedStore, ValueError):  # rows that cannot be read are damage too
            log.exception("index_not_loaded")
            self._chunks.condemn()
            return
        except Exception:  # a background task: without a word it would be a silence
            # Full text goes on serving as well as it can.
            log.exception("index_not_loaded")
            return
        # Without an await since the last look: what comes now is taken as it comes.
        self._apply((), self._gone)
        self.ready.set()

    async def _load_audience(self, audience: str) -> None:
        files = await self._files_of(audience)
        found = await self._in_hand(files.lexical)
        good = await agreeing(
            found, lambda after, last: self._chunks.count(audience, after, last)
        )
        self._shelves[audience] = await self._in_hand(lambda: shelf_of(good))

    async def _catch_up(self) -> None:
        for audience in await self._chunks.audiences():
            shelf = self._shelves.setdefault(audience, Shelf())
            while rows := await self._chunks.after(audience, shelf.newest, _AT_ONCE):
                await self._in_hand(partial(shelf.take, rows, self.keys))
            if self._serving is not None:
                await self._load_vectors(audience, shelf, self._serving)

    async def _load_vectors(self, audience: str, shelf: Shelf, space: int) -> None:
        if not shelf.newest_vector(space):
            files = await self._files_of(audience)
            found = await self._in_second_hand(lambda: files.vectors(space))
            good = await agreeing(
                found,
                lambda after, last: self._vectors.count(
                    space, audience, range(after + 1, last + 1)
                ),
            )
            await self._in_second_hand(lambda: add_vectors(shelf, space, good))
        last = shelf.newest_vector(space)
        while rows := await self._vectors.after(space, audience, last, _AT_ONCE):
            await self._in_second_hand(
                partial(shelf.take_vectors, space, NewVectors.of(rows))
            )
            last = shelf.newest_vector(space)
            if last < rows[-1].id:
                # The chunk came after the chunks were read; so will the next pass.
                return

    async def _serving_space(self) -> int | None:
        for space in await self._vectors.spaces():
            if space.state == "serving":
                return space.id
        return None

    def _apply(self, added: Sequence[Stored], gone: Sequence[Gone]) -> None:
        for audience in dict.fromkeys(stored.chunk.audience for stored in added):
            chunks = [one for one in added if one.chunk.audience == audience]
            self._shelf(audience).take(chunks, self.keys)
        for audience in dict.fromkeys(one.audience for one in gone):
            chunk_ids = [one.id for one in gone if one.audience == audience]
            self._shelf(audience).kill(chunk_ids)

    def _apply_vectors(self, space: int, filled: Sequence[Filled]) -> None:
        for audience in dict.fromkeys(one.audience for one in filled):
            rows = [one for one in filled if one.audience == audience]
            self._shelf(audience).take_vectors(space, NewVectors.of(rows))

    def _shelf(self, audience: str) -> Shelf:
        shelf = self._shelves.get(audience)
        if shelf is None:
            # Replaced as a whole: a reader may be going through the old one.
            shelf = Shelf()
            self._shelves = {**self._shelves, audience: shelf}
        return shelf

    def _drop_other_spaces(self) -> None:
        wanted = set() if self._serving is None else {self._serving}
        for shelf in self._shelves.values():
            shelf.keep_spaces(wanted)

    async def _files_of(self, audience: str) -> Files:
        if audience not in self._files:
            name = f"{self.keys.of(audience):016x}"
            index_id = await self._chunks.index_id()
            self._files[audience] = Files(self._directory / name, index_id)
        return self._files[audience]

    async def _in_hand(self, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._hand, job)

    async def _in_second_hand(self, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._second_hand, job)
