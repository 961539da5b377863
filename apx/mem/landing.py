"""How a store goes from its commit to one that came from elsewhere, files and all.

As with a write of our own: journal, new files beside the old ones, HEAD, and only then
the names. Who is killed in the midst leaves what the next command ends.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from apx.mem import blobs, files, git, journal, leftovers, mending, trees
from apx.mem.faults import MemFault
from apx.mem.index import Index

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from apx.mem.trees import Entry

    # What is to stand at a path: an entry of git, or bytes that are new.
    Wanted = Entry | bytes | None

_RUNS: Final = "100755"
_RUNNABLE: Final = 0o700


def landed(
    root: str, after: str, wanted: Mapping[str, Wanted], was: Mapping[str, Entry | None]
) -> None:
    """Have HEAD at a commit, and the files as it has them; only under the store's lock.

    `wanted` is what the commit changes, `was` is what we have there now. MemFault
    `edited`, with nothing done, if a person's own file is in the way.
    """
    before = git.head(root)
    wanted, derived = _apart(wanted)
    fresh = _contents(root, wanted)
    try:
        marks = {path: files.mark(f"{root}/{path}") for path in fresh}
        told = {path: _looked(root, path, was[path], fresh[path]) for path in fresh}
        changes = {path: fresh[path] for path, is_due in told.items() if is_due}
        _moved(root, (before, after), changes, wanted, marks)
    except OSError as error:
        raise files.fault(error, root) from error
    if derived:
        _unknown(root, derived)


def _apart(wanted: Mapping[str, Wanted]) -> tuple[dict[str, Wanted], list[str]]:
    """Part from the files those that are only in a history, not to be touched."""
    derived = [path for path in wanted if path.startswith(trees.DERIVED)]
    others = {path: one for path, one in wanted.items() if path not in derived}
    return others, derived


def _unknown(root: str, derived: list[str]) -> None:
    """Have the index know nothing of files that stay where they are."""
    given = b"".join(os.fsencode(path) + b"\0" for path in derived)
    words = ("update-index", "--force-remove", "-z", "--stdin")
    # Where somebody holds its lock, `git status` speaks of them, and no more.
    git.run(root, *words, given=given, ok=(0, 128))


def _contents(root: str, wanted: Mapping[str, Wanted]) -> dict[str, bytes | None]:
    """Give the bytes of the files; a link is in git's tree alone."""
    names = {one[1] for one in wanted.values() if isinstance(one, tuple)}
    every = blobs.contents(root, names)
    found: dict[str, bytes | None] = {}
    for path, one in wanted.items():
        if not isinstance(one, tuple):
            found[path] = one
        elif trees.is_file(one):
            if one[1] not in every:
                words = f"the content of {path} is missing in git"
                raise MemFault("git", words, "apx mem doctor")
            found[path] = every[one[1]]
    return found


def _looked(root: str, path: str, was: Entry | None, new: bytes | None) -> bool:
    """Say whether a file is to be written; nobody's edit is to be written over."""
    try:
        there = files.read(f"{root}/{path}")
        is_known = there == new or _is(there, was)
    except OSError:
        there = None
        is_known = False
    if not is_known or not _is_open(root, path):
        is_linked = files.is_linked(f"{root}/{path}".rpartition("/")[0])
        why = "is behind a symbolic link" if is_linked else "was edited here"
        words = f"{path} {why} and is in the way of what came"
        raise MemFault("edited", words, f"git -C {root} status")
    return there != new


def _is(there: bytes | None, was: Entry | None) -> bool:
    if there is None or was is None:
        return there is None and not trees.is_file(was)
    return trees.blob(there, was[1]) == was[1]


def _is_open(root: str, path: str) -> bool:
    """Say whether only directories lead to a path: no link, no file."""
    *above, _ = path.split("/")
    for count in range(1, len(above) + 1):
        try:
            mode = os.lstat("/".join((root, *above[:count]))).st_mode
        except FileNotFoundError:
            return True
        if not stat.S_ISDIR(mode):
            return False
    return True


def _moved(
    root: str,
    tips: tuple[str, str],
    changes: dict[str, bytes | None],
    wanted: Mapping[str, Wanted],
    marks: Mapping[str, tuple[int, ...]],
) -> None:
    """Change HEAD and the files; what a person saved in this very moment stays."""
    before, after = tips
    entry = journal.begin(root, changes)
    waiting = entry.waiting()
    try:
        for path, new in waiting.items():
            files.make(str(Path(new).parent))
            files.write(new, changes[path] or b"")
            one = wanted[path]
            if isinstance(one, tuple) and one[0] == _RUNS:
                Path(new).chmod(_RUNNABLE)
        files.sync(folder for folder in entry.folders() if Path(folder).is_dir())
        words = (
            "update-ref",
            "-m",
            "mem: sync",
            "HEAD",
            after,
            before or "0" * len(after),
        )
        git.run(root, *words)
    except BaseException:
        _given_up(root, entry)
        raise
    _named(root, {path: waiting.get(path, "") for path in changes}, marks)
    files.sync(folder for folder in entry.folders() if Path(folder).is_dir())
    index = Index(root)
    index.bring(wanted)
    index.clear()
    journal.end(root)


def _named(
    root: str, waiting: Mapping[str, str], marks: Mapping[str, tuple[int, ...]]
) -> None:
    """Put the new files in their places, but where somebody saved one meanwhile."""
    for path, new in waiting.items():
        place = f"{root}/{path}"
        if files.mark(place) == marks[path]:
            mending.move(new, place)
        else:
            files.drop(new)


def _given_up(root: str, entry: journal.Entry) -> None:
    """Leave all as it was; or as it was wanted, if HEAD went there after all."""
    try:
        leftovers.clear(root, entry.began)
        mending.settle(entry)
        journal.end(root)
    except (OSError, MemFault):
        # The journal stays, and the next command tries again.
        pass
