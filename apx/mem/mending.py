"""What an interrupted write or a person's editor left, brought into history.

Called by who holds the store's lock, before each write. `git status` finds what is not
in HEAD, unless `settled` knows that nothing changed since the last write of ours.
"""

from __future__ import annotations

import os

from apx.mem import files, git, journal
from apx.mem.faults import MemFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from apx.mem.index import Index
    from apx.mem.journal import Entry

# So many at once are not taken back by hand, but by a disk that is not there.
_MANY: Final = 10
_NAMED: Final = 20
_BY_HAND: Final = "mem: edited by hand"
_DEPTH: Final = 3


def mend(root: str, index: Index) -> set[str]:
    """Have all memories on the disk be in HEAD, and what was interrupted ended.

    Given are those that are held back, as they look like they hold a credential.
    """
    entry = journal.found(root)
    written: list[str] = []
    if entry is not None:
        from apx.mem import leftovers  # noqa: PLC0415 -- only when something was left

        leftovers.clear(root, entry.began)
        settle(entry)
        written = list(entry.paths)
    index.clear()
    _check(root)
    found = _read(root, index.differing())
    differing = _harmless(found)
    if differing:
        if entry is None:
            entry = journal.begin(root, {})
        _commit(root, differing)
    if entry is not None:
        index.bring({*written, *differing})
        journal.end(root)
    return found.keys() - differing.keys()


def settle(entry: Entry) -> None:
    """Put what was committed in its place, and drop what was not."""
    waiting = entry.waiting()
    before = after = {}
    if git.head(entry.root) != entry.before:
        after = listed(entry.root, "HEAD")
        before = listed(entry.root, entry.before) if entry.before else {}
    for path, is_kept in entry.paths.items():
        new = waiting.get(path, "")
        wanted = blob(files.read(new), after) if is_kept else ""
        is_made = after is not before and after.get(path, "") == wanted
        place = f"{entry.root}/{path}"
        if is_made and _is(place, before.get(path, ""), before or after):
            move(new, place)
        elif new:
            files.drop(new)
    files.sync(folder for folder in entry.folders() if os.path.isdir(folder))  # noqa: PTH112 -- pathlib takes too long to load


def move(new: str, place: str) -> None:
    """Put a new file in its place; without a new one, remove what is there."""
    if new:
        os.rename(new, place)  # noqa: PTH104 -- as above
    else:
        files.drop(place)


def listed(root: str, commit: str) -> dict[str, str]:
    """Give the files that a commit has, and git's name of what each holds."""
    told = git.run(root, "ls-tree", "-r", "-z", commit)
    lines = [line.split("\t", 1) for line in os.fsdecode(told).split("\0") if line]
    return {path: about.split(" ")[2] for about, path in lines}


def blob(data: bytes | None, like: dict[str, str]) -> str:
    """Give git's name of bytes, "" for none, of the kind that `like` has."""
    import hashlib  # noqa: PLC0415 -- only when something was left

    if data is None:
        return ""
    name = next(iter(like.values()), "")
    kind = hashlib.sha256 if len(name) == 64 else hashlib.sha1  # noqa: PLR2004 -- digits
    return kind(b"blob %d\0%b" % (len(data), data)).hexdigest()


def _is(place: str, name: str, like: dict[str, str]) -> bool:
    """Tell whether a file is what it was: nobody edited it since."""
    return blob(files.read(place), like) == name


def _is_memory(path: str) -> bool:
    parts = path.split("/")
    return len(parts) == _DEPTH and path.endswith(".md") and parts[2][0] != "."


def _check(root: str) -> None:
    """Refuse to take a disk that is not there for a wish to forget everything."""
    try:
        os.listdir(f"{root}/objects")  # noqa: PTH208 -- as above
    except OSError as error:
        hint = f"git -C {root} checkout -- objects"
        raise MemFault("io", f"{root}/objects: {error.strerror}", hint) from error


def _read(root: str, paths: Iterable[str]) -> dict[str, bytes | None]:
    """Give what memories are on the disk; but empty ones: an editor is writing them."""
    found = {
        path: files.read(f"{root}/{path}")
        for path in paths
        if _is_memory(path) and not _is_elsewhere(f"{root}/{path}")
    }
    return {path: data for path, data in found.items() if data != b""}


def _is_elsewhere(place: str) -> bool:
    """Tell whether it is no file, or behind a link: its absence is no wish."""
    return files.is_other(place) or files.is_linked(place.rpartition("/")[0])


def _harmless(differing: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """Leave out what an editor wrote that looks like a credential.

    It stays on the disk, and in no history and on no other machine; doctor names it.
    """
    if not any(differing.values()):
        return differing
    from apx.mem import guard  # noqa: PLC0415 -- only when a person edited something

    return {
        path: data
        for path, data in differing.items()
        if data is None or not guard.is_secret(path, data)
    }


def _commit(root: str, differing: dict[str, bytes | None]) -> None:
    """Commit what differs from HEAD, as it is on the disk."""
    known = listed(root, "HEAD") if git.head(root) else {}
    changes = {
        path: data
        for path, data in differing.items()
        if blob(data, known) != known.get(path, "")
    }
    if not changes:
        return
    gone = sum(data is None for data in changes.values())
    if gone == sum(map(_is_memory, known)) > _MANY:
        raise MemFault(
            "io",
            f"all {gone} memories are gone from {root}/objects",
            f"git -C {root} checkout -- objects",
        )
    names = sorted(changes)
    more = [
        *names[:_NAMED],
        *[f"and {len(names) - _NAMED} more"][: len(names) > _NAMED],
    ]
    git.commit(root, changes, _BY_HAND, "\n".join(more))
