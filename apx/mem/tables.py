"""How the cache comes to hold what the files of a store say."""

# ruff: noqa: PTH103, PTH108, PTH112, PTH114 -- pathlib takes as long to load as a store to look at

from __future__ import annotations

import _sqlite3 as sqlite3  # its package loads dates, which take longer than SQLite
import os

from apx.mem import scan as files
from apx.mem.faults import MemFault
from apx.mem.memory import FOLDERS, LETTERS
from apx.mem.schema import DROP, PUT, TABLES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Final

# Another number, and caches of another form are made anew.
FORM: Final = 2
PLACE: Final = ".cache"
NAME: Final = "mem.db"
# How long another process may take to bring the cache up to date.
WAIT: Final = 10.0

_SHARE: Final = 1000
_BROKEN: Final = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connected(
    root: str,
    wait: float = WAIT,
    folders: Collection[str] = FOLDERS,
    seen: Mapping[str, str] | None = None,
) -> sqlite3.Connection:
    """Open the cache, up to date in some folders; in memory, if none can be kept.

    `seen` are glances of just now: who has them need not look again.
    """
    for _ in range(2):
        try:
            db = _kept(root, wait)
        except (OSError, sqlite3.DatabaseError):
            break
        try:
            _renew(db, root, folders, seen)
        except sqlite3.DatabaseError as error:
            if not is_broken(error):
                return _copied(db, root)
            db.close()
            discard(root)
        else:
            return db
    return in_memory(root)


def in_memory(root: str) -> sqlite3.Connection:
    """Read all files into a cache that ends with this process."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    _renew(db, root)
    return db


def is_broken(error: sqlite3.DatabaseError) -> bool:
    """Whether it is the cache itself that is damaged, or of another form."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def named(path: str) -> str:
    """Give the id of the memory that may be at a path; none where it may not be."""
    folder, _, name = path.partition("/")
    kind = LETTERS.get(name[:1])
    is_id = kind is not None and kind.folder == folder and name[1:2] == "-"
    return name.removesuffix(".md") if is_id else ""


def discard(root: str) -> None:
    """Take away a cache that cannot be read."""
    for name in (NAME, f"{NAME}-journal", f"{NAME}-wal", f"{NAME}-shm"):
        try:
            os.unlink(f"{root}/{PLACE}/{name}")
        except OSError:
            continue


def _kept(root: str, wait: float) -> sqlite3.Connection:
    """Open the file; nothing of ours is written through a link."""
    place = f"{root}/{PLACE}"
    if not os.path.isdir(f"{root}/{files.OBJECTS}") or os.path.islink(place):
        raise FileNotFoundError(place)
    name = f"{place}/{NAME}"
    try:
        os.close(os.open(name, os.O_RDONLY | os.O_NOFOLLOW))
    except FileNotFoundError:
        os.makedirs(place, 0o700, exist_ok=True)
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
    return sqlite3.connect(name, timeout=wait, isolation_level=None)


def _copied(db: sqlite3.Connection, root: str) -> sqlite3.Connection:
    """Bring a copy in memory up to date, as the file cannot be written."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    try:
        # A lock to read: without one, `backup` waits for whoever writes, for ever.
        db.execute("pragma busy_timeout = 0")
        db.execute("begin")
        _glances(db)
        db.backup(copy)
        _renew(copy, root)
    except sqlite3.DatabaseError:
        copy.close()
        return in_memory(root)
    finally:
        db.close()
    return copy


def _renew(
    db: sqlite3.Connection,
    root: str,
    folders: Collection[str] = FOLDERS,
    seen: Mapping[str, str] | None = None,
) -> None:
    """Bring in what is not as it was."""
    before = _glances(db)
    if seen is None:
        now = _now(root, folders, before)
    else:
        now = [seen.get(folder, "none") for folder in FOLDERS]
    if now == before:
        return
    db.execute("pragma cache_size = -65536")
    db.execute("pragma synchronous = normal")
    db.execute("begin immediate")
    with db:
        last = _glances(db)
        if last is None:
            # A file of another form has tables of these names: an error.
            for statement in TABLES.split(";\n"):
                db.execute(statement)
            db.execute("insert into state values (?, '')", (FORM,))
            last = [""] * len(FOLDERS)
        elif last != before:
            # Another process was here, and may have seen more.
            now = _now(root, folders, last)
        for at, folder in enumerate(FOLDERS):
            if now[at] != last[at] and _compared(db, root, folder):
                now[at] = ""
        db.execute("update state set glances = ?", (" ".join(now),))


def _now(root: str, folders: Collection[str], before: list[str] | None) -> list[str]:
    """Look at the folders; what is not looked at is as it was."""
    if before is None or len(before) != len(FOLDERS):
        return [files.glance(root, folder) for folder in FOLDERS]
    return [
        files.glance(root, folder) if folder in folders else was
        for folder, was in zip(FOLDERS, before, strict=True)
    ]


def _glances(db: sqlite3.Connection) -> list[str] | None:
    """Give the glances that the cache is of; None, if it is of none of this form."""
    try:
        row = db.execute("select glances from state where form = ?", (FORM,)).fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return None
    return None if row is None else str(row[0]).split(" ")


def _compared(db: sqlite3.Connection, root: str, folder: str) -> bool:
    """Bring in what is new in a folder; tell whether it is too new to be sure."""
    sql = "select path, mark, digest from files where path between ? and ?"
    rows = db.execute(sql, (f"{folder}/", f"{folder}0"))
    known = {path: (mark, digest) for path, mark, digest in rows}
    seen = files.Folder(root, folder)
    _drop(db, known.keys() - seen.files.keys())
    new = (None, b"")
    fresh = [
        (path, mark, known.get(path, new)[1])
        for path, mark in seen.files.items()
        if mark is None or known.get(path, new)[0] != mark
    ]
    for start in range(0, len(fresh), _SHARE):
        _take(db, root, fresh[start : start + _SHARE])
    return seen.is_fresh


def _take(
    db: sqlite3.Connection, root: str, fresh: list[tuple[str, int | None, bytes]]
) -> None:
    """Read files; those that say what they said are only looked at."""
    # Most times nothing has changed; hashlib would load all of OpenSSL.
    from _blake2 import blake2b  # noqa: PLC0415 -- as said

    rows, marks, others, mtimes = [], [], [], []
    for path, mark, before in fresh:
        digest, why = b"", ""
        try:
            content, mtime = files.data(root, path)
            digest = blake2b(content, digest_size=16).digest()
            if digest == before:
                mtimes.append((mtime, named(path)))
                marks.append((mark, path))
                continue
            rows.append(files.row(files.memory(path, content), mtime))
        except MemFault as fault:
            why = str(fault)
        except OSError as error:
            why = files.reason(error)
        others.append((path, mark, digest, why))
    db.executemany("update files set mark = ? where path = ?", marks)
    db.executemany("update memories set mtime = ? where id = ?", mtimes)
    _drop(db, [other[0] for other in others])
    db.executemany("insert into files values (?, ?, ?, ?)", others)
    last = db.execute("select coalesce(max(number), 0) from memories").fetchone()[0]
    numbered = [{**row, "number": last + at} for at, row in enumerate(rows, 1)]
    for statement in PUT:
        db.executemany(statement, numbered)


def _drop(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    paths = list(paths)
    ids = [(named(path),) for path in paths]
    for statement in DROP:
        db.executemany(statement, ids)
    db.executemany("delete from files where path = ?", [(path,) for path in paths])
