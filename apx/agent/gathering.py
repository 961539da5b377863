"""Fetches what came with messages; whole, they go to a turn."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from apx.agent.fetching import Fetching
from apx.agent.listening import Read
from apx.domain.attachment import Attachment, Gathered
from apx.domain.errors import (
    HomeError,
    StoreError,
)
from apx.domain.usage import Purpose, spending

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping

    from apx.agent.reading import Reading
    from apx.domain.thread import Thread
    from apx.ports import Channel, Clock
    from apx.store.files import Files
    from apx.store.gathered import Held
    from apx.store.ledger import Ledger

log = structlog.get_logger(__name__)

T = TypeVar("T")

# The messages of an album come one by one, in any order, within a second or so.
QUIET: Final = 1.6
LONGEST: Final = 2.5
# So long an attachment may take to come.
FETCHING: Final = 300.0
_AGAIN: Final = 5.0
# Seconds after which nobody will name a file any more.
_OLD: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: how long an album is quiet before it is whole, and how long at most."""

    quiet: float = QUIET
    longest: float = LONGEST
    fetching: float = FETCHING


USUAL: Final = Patience()


@dataclass(slots=True)
class _Batch:
    """Requests that go to a turn together: one, or those of an album."""

    ends: float
    held: list[Held] = field(default_factory=list)
    found: list[asyncio.Task[Gathered]] = field(default_factory=list)
    latest: float = 0.0


def _nobody(thread: Thread) -> None:
    """Wake no worker: the gateway that would is not there yet."""


class Gathering:
    """Holds requests until they are whole; a process that dies holds them still."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        files: Files,
        reading: Reading,
        channels: Mapping[str, Channel],
        clock: Clock,
        patience: Patience = USUAL,
    ) -> None:
        self._ledger = ledger
        self._files = files
        self._reading = reading
        self._channels = channels
        self._clock = clock
        self._patience = patience
        self._group = asyncio.TaskGroup()
        self._batches: dict[str, _Batch] = {}
        self._known: dict[str, Held] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._fetching = Fetching(files, channels, patience.fetching)
        self.wake: Callable[[Thread], None] = _nobody
        self._is_open = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Gather until the block ends; what another process left is taken up."""
        failure: Exception | None = None
        async with self._group:
            self._is_open = True
            self._start(self._sweep())  # nobody waits for it
            for held in await self._ledger.held():
                self.take(held)
            try:
                yield
            except Exception as error:  # noqa: BLE001 -- the caller's, bare, not in a group
                failure = error
            finally:
                self._is_open = False
                # What is under way is fetched again at the next start.
                for task in self._tasks:
                    task.cancel()
        if failure is not None:
            raise failure

    async def _sweep(self) -> None:
        """Remove what a process that died kept and nobody names."""
        try:
            await self._files.sweep(await self._ledger.attachments(), _OLD)
        except (HomeError, StoreError) as error:
            log.warning("files_not_swept", error=str(error))

    def holds(self, thread: Thread, person: str) -> bool:
        """Whether something that a person said in a thread is still to come."""
        return any(
            held.thread == thread and held.person == person
            for held in self._known.values()
        )

    def take(self, held: Held) -> None:
        """Begin to fetch what came with a request that is in the ledger."""
        if not self._is_open or held.key in self._known:
            return
        if held.thread.channel not in self._channels:
            return  # the process that has it will see to it
        self._known[held.key] = held
        now = asyncio.get_running_loop().time()
        name = held.album or held.key
        batch = self._batches.get(name)
        if batch is None:
            batch = self._batches[name] = _Batch(now + self._patience.longest)
            self._start(self._finished(name, batch))
        batch.latest = now
        batch.held.append(held)
        batch.found.append(self._start(self._gathered(held)))

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finished(self, name: str, batch: _Batch) -> None:
        """Let a batch go when all of it is there; then what comes is another one."""
        if batch.held[0].album:
            await self._quiet(batch)
        del self._batches[name]
        found = [await task for task in batch.found]
        taken = await self._taken(found)
        for held in batch.held:
            del self._known[held.key]
        self.wake(batch.held[0].thread)
        try:
            await self._let_go(found, taken)
        except (StoreError, HomeError) as error:
            log.warning("file_not_let_go", error=str(error))  # a sweep will

    async def _taken(self, found: list[Gathered]) -> frozenset[str]:
        while True:
            try:
                return frozenset(await self._ledger.gather(found, self._clock()))
            except StoreError:
                log.exception("gathering_failed")
                await asyncio.sleep(_AGAIN)

    async def _let_go(self, found: list[Gathered], taken: frozenset[str]) -> None:
        """Have files be the ledger's; those of requests that are gone go, too."""
        for one in found:
            for file in filter(_is_kept, one.files):
                if one.key not in taken and not await self._ledger.names(file.sha):
                    await asyncio.to_thread(self._files.remove, file.sha)
                self._files.coming.discard(file.sha)

    async def _quiet(self, batch: _Batch) -> None:
        loop = asyncio.get_running_loop()
        while True:
            until = min(batch.latest + self._patience.quiet, batch.ends)
            if (left := until - loop.time()) <= 0:
                return
            await asyncio.sleep(left)

    async def _gathered(self, held: Held) -> Gathered:
        """Give a request with all that came with it; what fails is said in a note."""
        with spending(Purpose.CHAT, held.person):
            found = [await self._one(held.thread, file) for file in held.files]
        return Gathered(
            held.key,
            tuple(one.file for one in found),
            "\n".join(filter(None, (one.added for one in found))),
            tuple(one.quoted for one in found if one.quoted),
        )

    async def _one(self, thread: Thread, file: Attachment) -> Read:
        if file.is_settled:
            return Read(file)
        kept = await self._fetching.fetched(thread, file)
        if not kept.sha:
            return Read(kept)
        try:
            return await self._reading.read(kept, self._files.path(kept.sha))
        except Exception:  # one file's fault must end nothing else
            log.exception("file_not_read")
            return Read(replace(kept, note="it could not be read"))


def _is_kept(file: Attachment) -> bool:
    return bool(file.sha)
