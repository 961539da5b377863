"""Git's index of the store, brought in line without waiting for anybody's lock.

Git works on a copy of ours, which takes the index's place under git's own lock. That
lock is a second name of the copy: so one that a killed process of ours left is told
from anybody else's, which is never touched.
"""

from __future__ import annotations

import os

from apx.mem import files, git, journal, refs
from apx.mem.faults import MemFault
from apx.mem.settled import Settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

_TRIES: Final = 3
_STATUS: Final = (
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--",
    "objects",
)


class Index:
    """The index of a store, for who holds the store's lock."""

    __slots__ = ("_copy", "_index", "_mark", "_root", "_used", "settled")

    def __init__(self, root: str) -> None:
        self._root = root
        self._index = f"{refs.place(root)}/index"
        self._copy = f"{journal.place(root)}/index"
        files.make(journal.place(root))
        # The copy, or the index itself where a file cannot have two names.
        self._used = self._copy
        self._mark: tuple[int, ...] = ()
        self.settled: Settled | None = None

    def clear(self) -> None:
        """Remove what a killed process of ours left."""
        lock = f"{self._index}.lock"
        copied = _state(self._copy)
        if copied and _state(lock) == copied:
            files.drop(lock)
        files.drop(self._copy)
        files.drop(f"{self._copy}.lock")

    def differing(self) -> list[str]:
        """Give the paths that are not the same in HEAD, the index and the tree."""
        self.settled = Settled(self._root)
        if self.settled.is_so(_state(self._index)):
            return []
        self._take()
        told = git.run(self._root, *_STATUS, also={"GIT_INDEX_FILE": self._used})
        lines = [os.fsdecode(one) for one in told.split(b"\0") if one]
        if any("U" in line[:2] or line[:2] in {"AA", "DD"} for line in lines):
            # What stands in the files now is no memory, but the marks of a conflict.
            words = f"a merge by hand is under way in {self._root}"
            raise MemFault("git", words, f"git -C {self._root} merge --abort")
        if lines:
            self.settled.forget()
        return [line[3:] for line in lines]

    def bring(self, paths: Iterable[str]) -> bool:
        """Have the index say what the files are; False if somebody holds its lock."""
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        words = ("update-index", "--add", "--remove", "-z", "--stdin")
        if not _state(self._copy):
            self._take()
        for _ in range(_TRIES):
            also = {"GIT_INDEX_FILE": self._used}
            try:
                if given:
                    git.run(self._root, *words, given=given, also=also)
                if self._used is self._index or _state(self._copy) == self._mark:
                    return True
                os.link(self._copy, f"{self._index}.lock")
            except (OSError, MemFault):
                return False
            if _state(self._index) == self._mark:
                os.rename(f"{self._index}.lock", self._index)  # noqa: PTH104 -- pathlib takes too long to load
                self._mark = _state(self._index)
                return True
            # Somebody wrote it meanwhile: once more, from theirs.
            files.drop(f"{self._index}.lock")
            self._take()
        return False

    def settle(
        self,
        changes: Mapping[str, bytes | None],
        marks: Mapping[str, tuple[int, ...]],
        head: str,
    ) -> None:
        """Bring in what was committed, and write down that all is settled if it is."""
        if self.bring(changes) and self.settled is not None:
            mark = () if self._used is self._index else self._mark
            self.settled.keep(changes, marks, head, mark)
        # It knows of one write alone.
        self.settled = None

    def _take(self) -> None:
        """Copy the index as it is now, by giving it a second name."""
        files.drop(self._copy)
        self._used = self._copy
        try:
            os.link(self._index, self._copy)
        except FileNotFoundError:
            # There is none yet.
            self._mark = ()
        except OSError:
            self._used = self._index
        else:
            self._mark = _state(self._index)


def _state(path: str) -> tuple[int, ...]:
    """Tell one index from another; a second name changes nothing but the ctime."""
    return files.mark(path)[:3]
