"""What the files of a store say right now."""

# ruff: noqa: PTH114, PTH123, PTH208 -- pathlib takes as long to load as all these files to look at

from __future__ import annotations

import os
import time

from apx.mem.faults import MemFault
from apx.mem.fold import fold
from apx.mem.memory import ABSTRACT, FOLDERS, LETTERS, TITLE

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.memory import Memory

    Cell = str | int | float | bytes

OBJECTS: Final = "objects"
START: Final = 160

_KIND: Final = 0o170000
_REGULAR: Final = 0o100000
# A file that changed just now may change again without a sign: some clocks of file
# systems tick in seconds.
TICK_NS: Final = 2_000_000_000
_NEVER: Final = 1 << 63


def glance(root: str, folder: str) -> str:
    """Say in short what the files of a folder are: nothing changed if it is equal."""
    return Look(root, folder, _NEVER).said


class Look:
    """A folder at a glance: its own times, its names, the sum of its files' times.

    Names are not in what is `said`; the times of the folder and its files tell of other
    names. `young` has the files that changed after `edge`, and when. A folder from
    which a file went meanwhile, or that is none, is not `whole`.
    """

    __slots__ = ("is_whole", "names", "own", "total", "young")

    def __init__(self, root: str, folder: str, edge: int) -> None:
        self.own = self.total = 0
        self.names: list[str] = []
        self.young: dict[str, int] = {}
        self.is_whole = False
        try:
            handle = _opened(root, folder)
        except OSError:
            return
        try:
            self.own = told(os.fstat(handle))
            self.names = os.listdir(handle)
            self._sum(handle, edge)
            self.is_whole = True
        except OSError:
            # Gone since its name was read; the next one sees other times.
            self.total += 1
        finally:
            os.close(handle)

    @property
    def said(self) -> str:
        """Say it in short."""
        return f"{self.own + self.total:x}" if self.own else "none"

    def _sum(self, handle: int, edge: int) -> None:
        look, total = os.stat, 0
        for name in self.names:
            at = look(name, dir_fd=handle, follow_symlinks=False)
            changed = at.st_ctime_ns
            total += hash((at.st_ino, at.st_size, at.st_mtime_ns, changed))
            if changed > edge:
                self.young[name] = changed
        self.total = total


def told(at: os.stat_result) -> int:
    """Give a number that changes with a file, the hash of `files.mark`."""
    return hash((at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns))


class Folder:
    """The files of a folder, as they are after a glance.

    `files` has them by path below `objects`, each with a number that changes with it;
    None, where the next change might not be seen. If any is like that, or the folder
    itself, it `is_fresh`, and the glance of no use later.
    """

    __slots__ = ("files", "is_fresh")

    def __init__(self, root: str, folder: str) -> None:
        self.files: dict[str, int | None] = {}
        self.is_fresh = False
        edge = time.time_ns() - TICK_NS
        try:
            handle = _opened(root, folder)
        except OSError:
            return
        try:
            for name in (".", *os.listdir(handle)):
                self._look(handle, folder, name, edge)
        finally:
            os.close(handle)

    def _look(self, handle: int, folder: str, name: str, edge: int) -> None:
        """Look at what may be a memory; links and directories are none."""
        try:
            at = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except FileNotFoundError:
            return
        is_fresh = at.st_ctime_ns > edge
        self.is_fresh = self.is_fresh or is_fresh
        is_named = name.endswith(".md") and name[0] != "." and is_text(name)
        if is_named and at.st_mode & _KIND == _REGULAR:
            self.files[f"{folder}/{name}"] = None if is_fresh else told(at)


def is_text(name: str) -> bool:
    """Tell whether a name is UTF-8: any other can neither be kept nor said."""
    return name.isascii() or not any("\ud800" <= one <= "\udfff" for one in name)


def closed(root: str) -> list[tuple[str, str]]:
    """Give the folders that cannot be read, and why."""
    found = []
    for folder in FOLDERS:
        try:
            os.close(_opened(root, folder))
        except FileNotFoundError:
            continue
        except OSError as error:
            is_link = os.path.islink(f"{root}/{OBJECTS}/{folder}")
            why = "it is a symbolic link" if is_link else reason(error)
            found.append((f"{OBJECTS}/{folder}", why))
    return found


def nameless(root: str) -> list[tuple[str, str]]:
    """Give the files whose names are no text, with other letters for that."""
    found = []
    for folder in FOLDERS:
        try:
            handle = _opened(root, folder)
        except OSError:
            continue
        try:
            names = [name for name in os.listdir(handle) if not is_text(name)]
        finally:
            os.close(handle)
        spelt = [os.fsencode(name).decode("utf-8", "replace") for name in names]
        found += [
            (f"{OBJECTS}/{folder}/{one}", "its name is not UTF-8") for one in spelt
        ]
    return sorted(found)


def reason(error: OSError) -> str:
    """Say why a file cannot be read."""
    return error.strerror or "cannot be read"


def _opened(root: str, folder: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    return os.open(f"{root}/{OBJECTS}/{folder}", flags)


def data(root: str, path: str) -> tuple[bytes, int]:
    """Read a file of the store; say when it was written, too."""
    name = f"{root}/{OBJECTS}/{path}"
    # Not waiting: since it was looked at, a pipe may have taken its place.
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        return file.read(), os.fstat(handle).st_mtime_ns


def memory(path: str, content: bytes) -> Memory:
    """Understand a file of the store, or say why not."""
    from apx.mem.frontmatter import parse  # noqa: PLC0415 -- only what changed is read

    folder, _, name = path.partition("/")
    found = parse(name.removesuffix(".md"), content)
    if found.type.folder != folder:
        raise MemFault("unreadable", f"its name belongs into {found.type.folder}/")
    return found


def said(root: str, name: str) -> str:
    """Give the body of a memory; nothing, if it changed a moment ago."""
    path = f"{LETTERS[name[0]].folder}/{name}.md"
    try:
        return memory(path, data(root, path)[0]).said
    except (OSError, MemFault):
        return ""


def row(one: Memory, mtime: int) -> dict[str, Cell]:
    """Give what a memory is listed and found by."""
    from apx.mem.ids import same  # noqa: PLC0415 -- as above

    said = one.said
    days = {key: one.text(key) for key in ("created", "updated", "verified")}
    texts = {key: one.text(key) for key in ("scope", "source")}
    head = (one.title, *one.tags, one.text("abstract"), one.id)
    return {
        "id": one.id,
        "type": one.type.name,
        "title": _short(one.title, TITLE),
        "status": one.status,
        "priority": one.priority,
        "confidence": one.confidence,
        "version": one.version,
        **days,
        "tags": "\n".join(one.tags),
        **texts,
        "abstract": _short(one.text("abstract"), ABSTRACT),
        "supersedes": one.text("supersedes"),
        "start": " ".join(said[: 4 * START].split())[:START],
        "size": len(said),
        "mtime": mtime,
        "fresh": max(days.values()),
        "same": same(one.title),
        "filed": "\n".join(same(tag) for tag in one.tags),
        "head": "".join(map(_line, head)),
        "body": _line(said),
    }


def _short(text: str, most: int) -> str:
    """Cut what somebody wrote longer than any of ours is."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _line(text: str) -> str:
    """Give a text as it is searched: each word has a blank before it.

    Two characters end it, as the index has its letters by three.
    """
    return f" {fold(text)} \n"
