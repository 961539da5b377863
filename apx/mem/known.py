"""The memories of a store that hold now, kept in memory by a process that stays."""

from __future__ import annotations

import os
import time
from threading import Lock

from apx.domain.curated import Fact
from apx.mem.curated import is_foreign
from apx.mem.faults import MemFault
from apx.mem.frontmatter import parse
from apx.mem.memory import ACTIVE, FOLDERS
from apx.mem.scan import is_text
from apx.mem.scopes import audience
from apx.mem.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Final

    from apx.mem.memory import Memory

    Mark = tuple[int, ...]

_RULES: Final = ("constraints",)
_END: Final = ".md"
# Of a body so many characters are searched, and compared with notes.
_BODY: Final = 2_000
_AT_ONCE: Final = 100
# What changed just now may change again without a sign: some clocks tick in seconds.
_TICK: Final = 2_000_000_000
_NONE: Final = ((), None)


class Known:
    """Reads what changed since it was asked last; its methods block.

    A file that cannot be read, or goes away meanwhile, holds nothing.
    """

    def __init__(self, root: str) -> None:
        self._store = Store(root)
        self._seen: dict[tuple[str, str], tuple[Mark, Fact | None]] = {}
        self._lock = Lock()
        self.is_warm = False

    def is_there(self) -> bool:
        """Whether there is a store: a look at a directory, no more."""
        return self._store.is_there()

    def rules(self) -> dict[str, Fact]:
        """Give the constraints alone; quick also when nothing was read yet."""
        return self._renewed(_RULES)

    def facts(self) -> dict[str, Fact]:
        """Give all by their ids; what did not change is the very same object."""
        found = self._renewed(FOLDERS)
        self.is_warm = True
        return found

    def _renewed(self, folders: Collection[str]) -> dict[str, Fact]:
        now = dict(self._marks(folders))
        with self._lock:
            known = [file for file in self._seen if file[0] in folders]
            for file in known:
                if file not in now:
                    del self._seen[file]
            # A file without a mark has just changed, and may again.
            new = [
                file
                for file, mark in now.items()
                if not mark or self._seen.get(file, _NONE)[0] != mark
            ]
        for start in range(0, len(new), _AT_ONCE):
            part = new[start : start + _AT_ONCE]
            read = {file: (now[file], self._read(*file)) for file in part}
            # In pieces: who only wants the rules need not wait for all.
            with self._lock:
                for file, (mark, fact) in read.items():
                    before = self._seen.get(file, _NONE)[1]
                    # Equal ones stay the same object: nothing was changed.
                    self._seen[file] = (mark, before if fact == before else fact)
        with self._lock:
            some = [fact for file, (_, fact) in self._seen.items() if file in now]
        return {fact.id: fact for fact in some if fact is not None}

    def _marks(
        self, folders: Collection[str]
    ) -> Iterator[tuple[tuple[str, str], Mark]]:
        """Look at the files: what of each changes when it does."""
        edge = time.time_ns() - _TICK
        for folder in folders:
            place = f"{self._store.root}/objects/{folder}"
            try:
                # Nothing is listed behind a link, nor written.
                is_linked = os.path.islink(place)  # noqa: PTH114 -- pathlib loads long
                found = [] if is_linked else list(os.scandir(place))
            except OSError:
                continue
            for entry in found:
                if not (entry.name.endswith(_END) and is_text(entry.name)):
                    continue
                try:
                    at = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                mark = (at.st_mtime_ns, at.st_size, at.st_ino, at.st_ctime_ns)
                is_fresh = at.st_ctime_ns > edge
                yield (folder, entry.name), () if is_fresh else mark

    def _read(self, folder: str, name: str) -> Fact | None:
        path = f"{self._store.root}/objects/{folder}/{name}"
        try:
            # Since it was looked at, a pipe or a link may have taken its place.
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(handle, "rb") as file:  # noqa: PTH123 -- a descriptor
                memory = parse(name.removesuffix(_END), file.read())
        except (OSError, MemFault):
            return None
        is_here = memory.type.folder == folder and memory.status == ACTIVE
        return _fact(memory) if is_here else None


def _fact(memory: Memory) -> Fact:
    source = memory.text("source")
    return Fact(
        id=memory.id,
        kind=memory.type.name,
        title=memory.title,
        abstract=memory.text("abstract"),
        body=memory.body[: 4 * _BODY].decode("utf-8", "replace")[:_BODY].strip(),
        tags=memory.tags,
        audience=audience(memory.text("scope")),
        priority=memory.priority,
        day=max(memory.text(key) for key in ("created", "updated", "verified")),
        source=source,
        is_foreign=is_foreign(source),
    )
