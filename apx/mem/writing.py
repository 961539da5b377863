"""One write of the curated store: locked, and all of it or nothing."""

from __future__ import annotations

import fcntl
import os
import time

from apx.mem import files, frontmatter, git, journal, mending, refs
from apx.mem.faults import MemFault
from apx.mem.index import Index
from apx.mem.memory import LETTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Final, Self

    from apx.mem.memory import Memory
    from apx.mem.store import Store

_PAUSE: Final = 0.01
# As many loose objects (a 256th of them; half of what git bears, as they are not
# compressed) or files of packs (each commit makes two) as are borne. So many packs
# cost a commit 2 ms; git gc, 70 to 300.
_LOOSE: Final = 13
_PACKED: Final = 400
_LONG: Final = 600


class Writing:
    """Holds the store's lock; what is put or removed is so once it is committed."""

    __slots__ = (
        "_handle",
        "_index",
        "_queued",
        "_read",
        "_store",
        "_wait",
        "held",
        "root",
    )

    def __init__(self, store: Store, wait: float) -> None:
        self.root = store.root
        # Files that somebody edited a credential into: they are in no history.
        self.held: set[str] = set()
        self._store = store
        self._wait = wait
        self._queued: dict[str, bytes | None] = {}
        # What each file was like that this write goes out from.
        self._read: dict[str, tuple[int, ...]] = {}
        self._handle = -1
        self._index: Index | None = None

    def __enter__(self) -> Self:
        git.program()
        try:
            self._handle = _locked(self.root, self._wait)
            git.hold(self._handle)
            self._index = Index(self.root)
            self.held = mending.mend(self.root, self._index)
        except OSError as error:
            self._release()
            raise files.fault(error, self.root) from error
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._release()

    @property
    def glances(self) -> dict[str, str] | None:
        """Give how the folders of the store looked when this began."""
        settled = None if self._index is None else self._index.settled
        return None if settled is None else settled.glances

    def read(self, name: str) -> Memory:
        """Give a memory as this write would leave it."""
        for path, data in self._queued.items():
            if path.endswith(f"/{name}.md"):
                return _parsed(name, data)
        kind = LETTERS.get(name[:1])
        path = f"objects/{kind.folder}/{name}.md" if kind and "\0" not in name else ""
        mark = files.mark(f"{self.root}/{path}")
        memory = self._store.read(name)
        self._read.setdefault(path, mark)
        return memory

    def put(self, memory: Memory) -> None:
        """Have a memory in the store."""
        self.put_file(memory.path, frontmatter.render(memory))

    def remove(self, memory: Memory) -> None:
        """Have a memory no more."""
        self.put_file(memory.path, None)

    def put_file(self, path: str, data: bytes | None) -> None:
        """Have these very bytes at a path of the store; None: no file."""
        self._queued[path] = data

    def commit(self, subject: str, more: str = "", merged: str = "") -> int:
        """Do all that was put and removed, as one commit; say how many files changed.

        Without a change there is no commit, unless it merges another one.
        """
        queued, self._queued = self._queued, {}
        try:
            changes = {
                path: data
                for path, data in queued.items()
                if data != files.read(f"{self.root}/{path}")
            }
            if changes or merged:
                self._land(changes, (subject, more, merged))
                self._tidy()
        except OSError as error:
            raise files.fault(error, self.root) from error
        return len(changes)

    def _land(
        self, changes: dict[str, bytes | None], words: tuple[str, str, str]
    ) -> None:
        """Journal, new files beside the old ones, commit, and only then the names.

        So what fails before the commit has changed nothing, and what comes after it
        needs no room on the disk.
        """
        marks = self._marks(changes)
        entry = journal.begin(self.root, changes)
        try:
            self._prepare(entry, changes)
            made = git.commit(self.root, changes, *words)
        except BaseException:
            self._give_up(entry)
            raise
        waiting = entry.waiting()
        for path, mark in marks.items():
            place = f"{self.root}/{path}"
            # What a person saved in this very moment stays, and is committed next.
            if files.mark(place) == mark:
                mending.move(waiting.get(path, ""), place)
            else:
                files.drop(waiting.get(path, ""))
        files.sync(folder for folder in entry.folders() if os.path.isdir(folder))  # noqa: PTH112 -- pathlib takes too long to load
        if self._index is not None:
            self._index.settle(changes, marks, made)
        journal.end(self.root)

    def _marks(self, paths: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """Tell what each file is like; one that was read is still what was read."""
        marks = {path: files.mark(f"{self.root}/{path}") for path in paths}
        for path, mark in marks.items():
            if self._read.pop(path, mark) != mark:
                words = f"{path} was edited by hand just now"
                raise MemFault("conflict", words, "try again")
        return marks

    def _prepare(self, entry: journal.Entry, changes: dict[str, bytes | None]) -> None:
        for path, new in entry.waiting().items():
            files.make(os.path.dirname(new))  # noqa: PTH120 -- as above
            files.write(new, changes[path] or b"")
        files.sync(folder for folder in entry.folders() if os.path.isdir(folder))  # noqa: PTH112 -- as above

    def _give_up(self, entry: journal.Entry) -> None:
        """Leave all as it was; or as it was wanted, if it is in HEAD after all."""
        from apx.mem import leftovers  # noqa: PLC0415 -- only when something went wrong

        try:
            leftovers.clear(self.root, entry.began)
            mending.settle(entry)
            journal.end(self.root)
        except (OSError, MemFault):
            # The journal stays, and the next one tries again.
            pass

    def _tidy(self) -> None:
        """Have git pack its objects when there are many, as it does by itself."""
        where = refs.common(refs.place(self.root)) + "/objects"
        if _many(f"{where}/17") <= _LOOSE and _many(f"{where}/pack") <= _PACKED:
            return
        journal.begin(self.root, {})
        try:
            git.run(self.root, "gc", "--quiet", seconds=_LONG)
        except MemFault:
            # It is written all the same; the next one tries again.
            return
        journal.end(self.root)

    def _release(self) -> None:
        try:
            if self._index is not None:
                self._index.clear()
        except OSError:
            # The next one tries again; what was done is done.
            pass
        finally:
            git.let_go()
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1


def _parsed(name: str, data: bytes | None) -> Memory:
    if data is None:
        raise MemFault("not_found", f"no memory {name}")
    return frontmatter.parse(name, data)


def _many(folder: str) -> int:
    try:
        return len(os.listdir(folder))  # noqa: PTH208 -- as above
    except OSError:
        return 0


def _locked(root: str, wait: float) -> int:
    """Lock the directory itself, so that no file of a lock is ever left behind."""
    end = time.monotonic() + wait
    while True:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(root)):  # noqa: PTH116 -- as above
                return handle
        except BlockingIOError:
            pass
        os.close(handle)
        if time.monotonic() >= end:
            raise MemFault("busy", f"another process writes to {root}", "try again")
        time.sleep(_PAUSE)
