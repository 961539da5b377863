"""The journal of a write that has not ended, by which the next one can end it."""

from __future__ import annotations

import os

from apx.mem import files, git, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

# The last word: without it nothing was done yet but this file.
_END: Final = "end"


class Entry:
    """A write: HEAD before it, and its paths (False: removed), in order.

    The new bytes of the nth path wait in `waiting(n)`, in the directory of the path.
    """

    __slots__ = ("before", "began", "paths", "root")

    def __init__(
        self, root: str, before: str, paths: dict[str, bool], began: int
    ) -> None:
        self.root = root
        self.before = before
        self.paths = paths
        self.began = began

    def waiting(self) -> dict[str, str]:
        """Give the file in which the new bytes of each path wait."""
        return {
            path: f"{self._folder(path)}/.apx-{number}.new"
            for number, (path, is_kept) in enumerate(self.paths.items())
            if is_kept
        }

    def folders(self) -> set[str]:
        """Give the directories that the paths are in."""
        return {self._folder(path) for path in self.paths}

    def _folder(self, path: str) -> str:
        return os.path.dirname(f"{self.root}/{path}")  # noqa: PTH120 -- pathlib takes too long to load


def place(root: str) -> str:
    """Give the directory in the repository that is ours."""
    return f"{refs.place(root)}/apx"


def is_open(root: str) -> bool:
    """Tell, for the price of a look, whether a write has not ended."""
    try:
        return bool(os.listdir(place(root)))  # noqa: PTH208 -- pathlib takes too long to load
    except OSError:
        return False


def begin(root: str, changes: Mapping[str, bytes | None]) -> Entry:
    """Write down, on the disk, what is about to be done."""
    where = place(root)
    files.make(where)
    path = f"{where}/journal"
    paths = {path: data is not None for path, data in changes.items()}
    entry = Entry(root, git.head(root), paths, 0)
    lines = ["+-"[not is_kept] + path for path, is_kept in paths.items()]
    text = "\0".join((entry.before, *lines, _END))
    files.write(path, os.fsencode(text), os.O_EXCL)
    files.sync((where,))
    entry.began = os.lstat(path).st_mtime_ns
    return entry


def found(root: str) -> Entry | None:
    """Give the write that has not ended, if there is one."""
    path = f"{place(root)}/journal"
    data = files.read(path)
    if data is None:
        return None
    before, *lines, _ = _split(data)
    paths = {line[1:]: line[0] == "+" for line in lines}
    return Entry(root, before, paths, os.lstat(path).st_mtime_ns)


def _split(data: bytes) -> list[str]:
    words = os.fsdecode(data).split("\0")
    # Half a journal of a write that has done nothing yet.
    return words if words[-1] == _END else ["", _END]


def end(root: str) -> None:
    """Have no write that has not ended."""
    files.drop(f"{place(root)}/journal")
