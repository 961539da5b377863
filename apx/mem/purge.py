"""Memories taken out of a store and of all its history, for ever."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path

from apx.mem import blobs, files, forgotten, frontmatter, git, refs, settings, tables
from apx.mem.faults import MemFault
from apx.mem.history import earlier
from apx.mem.ids import same
from apx.mem.joining import stem
from apx.mem.rewriting import Filter

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from apx.mem.forgotten import Forgotten
    from apx.mem.store import Store

_LONG: Final = 600
_EXPORT: Final = (
    *("fast-export", "--all", "--no-data", "--reencode=no"),
    *("--signed-tags=strip", "--tag-of-filtered-object=rewrite"),
)
_IMPORT: Final = ("fast-import", "--quiet", "--force", "--date-format=raw-permissive")
_REFS: Final = ("for-each-ref", "--format=%(objectname)", "refs/remotes/")
# What git remembers beside its references.
_TRACES: Final = (
    *("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "SQUASH_MSG"),
    *("MERGE_MSG", "fast_import_crash_*"),
)


def purge(store: Store, ids: Iterable[str], texts: Iterable[str] = ()) -> int:
    """Take memories out of the files, the history and the cache; say how many.

    `texts` also takes away the earlier versions and the commit messages that say one
    of them; a memory that says it today must be among the `ids`. What a memory was
    called before somebody renamed its file goes as well. An interrupted purge is ended
    by the next one. What remotes and other clones have is theirs.
    """
    store.check()
    root = store.root
    with store.writing():
        _check(root)
        gone = forgotten.noted(root)
        said = _Said(texts)
        names = list(ids)
        names += earlier(root, names)
        due = {forgotten.hashed(name) for name in names}
        due |= {forgotten.hashed(blob) for blob in _saying(root, said)}
        is_left = bool(gone.pending)
        gone.pending |= due
        history = _History(root, gone, said)
        if not history.is_changed and not is_left:
            return 0
        gone.pending -= due - history.hashes
        gone.ids |= gone.pending & {forgotten.hashed(name) for name in history.ids}
        gone.blobs |= history.hashes - gone.ids
        forgotten.note(root, gone)
        history.write()
        _remove(root, gone)
        _sweep(root)
        gone.pending = set()
        forgotten.note(root, gone)
    return len(history.ids)


def unreached(store: Store) -> list[str]:
    """Name the remotes of a store: what they have, a purge does not reach."""
    keys = (
        key.split(".", 1)[1] for key in settings.read(store.root) if _is_remote(key)
    )
    return sorted(key.removesuffix(".url") for key in keys)


class _Said:
    """Tells whether a text says one of some others."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = [text for text in map(same, texts) if text]

    def __call__(self, text: str) -> bool:
        folded = same(text) if self.texts else ""
        return any(one in folded for one in self.texts)


class _History:
    """The history of a store without what is due, to be written."""

    def __init__(self, root: str, gone: Forgotten, said: _Said) -> None:
        self._root = root
        self._gone = gone
        where = refs.place(root)
        self._marks = (f"{where}/apx-purge.old", f"{where}/apx-purge.new")
        known = f"--export-marks={self._marks[0]}"
        stream = git.run(root, *_EXPORT, known, seconds=_LONG)
        self._old = self._marked(0)
        made = Filter(gone.is_due, said)
        self._given = made.filtered(stream)
        self.is_changed = made.is_changed
        self.ids = {name for name, _ in made.found if name}
        every = {one for pair in made.found for one in pair if one}
        self.hashes = {forgotten.hashed(one) for one in every}

    def write(self) -> None:
        """Have all references lead to it; note which commit became which."""
        there = git.run(self._root, *_REFS).decode().split()
        known = f"--export-marks={self._marks[1]}"
        git.run(self._root, *_IMPORT, known, given=self._given, seconds=_LONG)
        new = self._marked(1)
        became = {commit: new[at] for at, commit in self._old.items() if at in new}
        pairs = [(one, became.get(other, other)) for one, other in self._gone.pairs]
        pairs += [(one, became[one]) for one in there if became.get(one, one) != one]
        self._gone.pairs = list(dict.fromkeys(pairs))
        forgotten.note(self._root, self._gone)

    def _marked(self, which: int) -> dict[str, str]:
        """Read which commit got which mark."""
        data = files.read(self._marks[which]) or b""
        files.drop(self._marks[which])
        words = (line.split() for line in data.decode().split("\n"))
        return {pair[0]: pair[1] for pair in words if len(pair) > 1}


def _is_remote(key: str) -> bool:
    return key.startswith("remote.") and key.endswith(".url")


def _check(root: str) -> None:
    """Refuse where something of git's would keep it all."""
    if not git.run(root, "symbolic-ref", "--quiet", "HEAD", ok=(0, 1)):
        raise MemFault("git", "HEAD is on no branch", f"git -C {root} switch main")
    if _names(f"{refs.common(refs.place(root))}/worktrees"):
        words = "the repository has other working trees, which would keep it"
        raise MemFault("git", words, f"git -C {root} worktree list")


def _saying(root: str, said: _Said) -> list[str]:
    """Give git's names of the old contents that say it, of what does so no more."""
    if not said.texts:
        return []
    told = os.fsdecode(git.run(root, "rev-list", "--objects", "--all", "--"))
    lines = (line.partition(" ") for line in told.split("\n"))
    every = [(blob, path) for blob, _, path in lines if stem(path)]
    data = blobs.contents(root, (blob for blob, _ in every))
    found = [one for one in every if said(_words(one[1], data.get(one[0], b"")))]
    paths = {path for _, path in found}
    now = blobs.contents(root, (f"HEAD:{path}" for path in paths))
    still = {path for path in paths if said(_words(path, now.get(f"HEAD:{path}", b"")))}
    return [blob for blob, path in found if path not in still]


def _words(path: str, data: bytes) -> str:
    """Give all that a content says: as it stands there, and as it is read."""
    said = [data.decode("utf-8", "replace")]
    try:
        memory = frontmatter.parse(stem(path), data)
        said += [str(value) for value in memory.fields.values()]
    except MemFault:
        pass
    return "\n".join(said)


def _remove(root: str, gone: Forgotten) -> None:
    """Take away the files, and what git's index says of them."""
    listed = git.run(root, "ls-files", "-z", "--", "objects")
    paths = {path for path in os.fsdecode(listed).split("\0") if path}
    for folder in Path(root, "objects").iterdir():
        paths |= {f"objects/{folder.name}/{name}" for name in _names(str(folder))}
    due = [path for path in paths if gone.is_due(stem(path))]
    for path in due:
        files.drop(f"{root}/{path}")
    words = ("update-index", "--force-remove", "-z", "--stdin")
    git.run(root, *words, given=b"".join(os.fsencode(path) + b"\0" for path in due))


def _sweep(root: str) -> None:
    """Have git keep nothing that no reference leads to; nor the cache."""
    where = refs.place(root)
    for name in _names(where):
        if any(fnmatch(name, pattern) for pattern in _TRACES):
            files.drop(f"{where}/{name}")
    git.run(
        root, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"
    )
    words = ("gc", "--quiet", "--prune=now", "--force")
    git.run(root, *words, seconds=_LONG)
    tables.discard(root)


def _names(folder: str) -> list[str]:
    try:
        return [one.name for one in Path(folder).iterdir()]
    except OSError:
        return []
