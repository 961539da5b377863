"""What of a store says that which is forgotten, and how it goes."""

from __future__ import annotations

import asyncio
import os

from apx.domain.memory_file import key_of
from apx.mem import files
from apx.mem.faults import MemFault
from apx.mem.frontmatter import parse
from apx.mem.memory import FOLDERS
from apx.mem.scopes import audience, scope
from apx.mem.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator
    from typing import Final

    from apx.domain.erasing_lines import Told
    from apx.mem.memory import Memory

_END: Final = ".md"


class Erasing:
    """Finds memories of any status, and purges them; `gone` hears which.

    One at a time with whoever holds the `lock`: what makes memories of notes must not
    do so in between.
    """

    def __init__(
        self,
        root: str,
        lock: asyncio.Lock,
        gone: Callable[[Collection[str]], Awaitable[object]],
    ) -> None:
        self._store = Store(root)
        self._lock = lock
        self._gone = gone

    async def telling(
        self, told: Told, audiences: Collection[str], noted: Collection[str]
    ) -> list[str]:
        """Name those of some audiences that say it, or were made of a note."""
        if not self._store.is_there():
            return []

        def look() -> list[str]:
            sources = _sources(noted) if noted else set()
            return [
                one.id
                for one in _every(self._store.root)
                if (seen := audience(one.text("scope"))) in audiences
                and _tells(one, told.among(seen), sources)
            ]

        return await asyncio.to_thread(look)

    async def of_person(self, person: str) -> list[str]:
        """Name those that are one person's alone, or were proposed by them."""
        theirs, word = scope(f"private:{person}"), f"person:{person}"
        if not theirs or not self._store.is_there():
            return []
        return await asyncio.to_thread(
            lambda: [
                one.id
                for one in _every(self._store.root)
                if one.text("scope") == theirs or word in one.text("source").split()
            ]
        )

    async def purge(self, names: Collection[str], texts: Collection[str]) -> int:
        """Take memories out of files and history, and earlier versions that say texts.

        Gives how many memories that concerned. Raises `MemFault` where git is missing
        or fails.
        """
        if not self._store.is_there():
            return 0

        def purged() -> int:
            from apx.mem.purge import purge  # noqa: PLC0415 -- few forget

            return purge(self._store, sorted(names), texts)

        async with self._lock:
            many = await asyncio.to_thread(purged)
            await self._gone(names)
        return many

    async def unreached(self) -> list[str]:
        """Say which copies of it are elsewhere."""

        def look() -> list[str]:
            from apx.mem.purge import unreached  # noqa: PLC0415 -- as above

            return unreached(self._store)

        return [
            f"curated memories: the remote {name} may say it still, as other clones may"
            for name in await asyncio.to_thread(look)
        ]


def _every(root: str) -> Iterator[Memory]:
    """Read all that can be read."""
    for folder in FOLDERS:
        path = f"{root}/objects/{folder}"
        try:
            names = os.listdir(path)  # noqa: PTH208 -- as in all of this room
        except OSError:
            continue
        for name in names:
            if not name.endswith(_END):
                continue
            try:
                # Never waiting for a pipe.
                if (data := files.read(f"{path}/{name}")) is not None:
                    yield parse(name.removesuffix(_END), data)
            except (OSError, MemFault):
                continue


def _tells(one: Memory, told: Told, sources: Collection[str]) -> bool:
    said = one.said
    if one.text("source") in sources:
        return True
    if told.keys and any(key_of(text) in told.keys for text in (one.title, said)):
        return True
    # The id is made of what the title was; unknown lines of the file count, too.
    named = one.id.replace("-", " ")
    texts = (one.title, one.text("abstract"), said, named)
    whole = one.raw.decode("utf-8", "replace")
    return any(told.holds(text) for text in (*texts, whole) if text)


def _sources(noted: Collection[str]) -> set[str]:
    from apx.mem.importing import note_source  # noqa: PLC0415 -- few forget

    return {note_source(text) for text in noted}
