"""What a memory said earlier, out of the git history of its store."""

from __future__ import annotations

import os.path

from apx.mem import blobs, git
from apx.mem.faults import MemFault
from apx.mem.joining import stem
from apx.mem.memory import LETTERS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

    from apx.mem.store import Store

    Entry = dict[str, str | int | None]

# A removed memory was whole at most this many commits of its file ago.
_BACK: Final = 50
_LONG: Final = 600
# A person's own settings of `git log` are not to change what it prints.
_PLAIN: Final = ("-c", "log.follow=false", "-c", "log.showSignature=false")


def of(store: Store, id: str, limit: int = 0) -> list[Entry]:
    """Give the commits that wrote a memory, the newest first; all of them for 0.

    Each has its `version` (None where it was removed or cannot be read), `commit`,
    local `date` and `subject`.
    """
    path = _path(id)
    if _is_purged(store.root, id, path):
        return []
    commits = _commits(store.root, path, limit)
    every = blobs.contents(store.root, (f"{one[0]}:{path}" for one in commits))
    return [
        {
            "version": _version(id, every.get(f"{commit}:{path}")),
            "commit": commit,
            "date": date,
            "subject": subject,
        }
        for commit, date, subject in commits
    ]


def last(store: Store, id: str) -> bytes:
    """Give the newest content of a memory that can be read, also of a removed one."""
    return readable(store, id)[0]


def readable(store: Store, id: str) -> tuple[bytes, int]:
    """Give it with how many later ones cannot be read; if none can, the newest."""
    path = _path(id)
    if not _is_purged(store.root, id, path):
        commits = _commits(store.root, path, _BACK)
        names = [f"{commit}:{path}" for commit, _, _ in commits]
        every = blobs.contents(store.root, names)
        found = [every[name] for name in names if name in every]
        for at, data in enumerate(found):
            if _version(id, data) is not None:
                return data, at
        if found:
            return found[0], 0
    raise MemFault("not_found", f"no memory {id}, in the history neither")


def before(store: Store, id: str) -> bytes | None:
    """Give the content before the newest commit that wrote it; None if it was new."""
    path = _path(id)
    newest = _commits(store.root, path, 1)
    if not newest:
        return None
    name = f"{newest[0][0]}^1:{path}"
    return blobs.contents(store.root, (name,)).get(name)


def earlier(root: str, ids: Collection[str]) -> list[str]:
    """Give what files of memories were called before somebody renamed them.

    Such a file is there no more, and by its name or its `id` it was the same memory.
    """
    every = _written(root) if ids else []
    live = {name for _, name, path in every if os.path.lexists(f"{root}/{path}")}
    live -= set(ids)
    past = [(blob, name) for blob, name, _ in every if name not in live]
    data = blobs.contents(root, (blob for blob, _ in past))
    links = [{name, _claimed(data.get(blob, b""))} - live - {""} for blob, name in past]
    found, before = set(ids), set[str]()
    while found != before:
        before = found
        found = found.union(*(link for link in links if link & found))
    return sorted({name for _, name in past if name in found} - set(ids))


def _written(root: str) -> list[tuple[str, str, str]]:
    """Give each content that a memory ever had: git's name of it, its id, its file."""
    commits = git.run(root, "rev-list", "--all", "--")
    shape = ("-r", "-m", "--root", "-z", "--no-commit-id", "--no-renames")
    words = ("diff-tree", "--stdin", *shape, "--", "objects")
    told = os.fsdecode(git.run(root, *words, given=commits, seconds=_LONG)).split("\0")
    return [
        (about.split(" ")[3], name, path)
        for about, path in zip(told[::2], told[1::2], strict=False)
        if (name := stem(path)) and not about.endswith("D")
    ]


def _claimed(data: bytes) -> str:
    """Give the id that a content says it has; empty if it says none."""
    from apx.mem import frontmatter  # noqa: PLC0415 -- as below

    try:
        return str(frontmatter.claimed(data).get("id", ""))
    except MemFault:
        return ""


def _path(id: str) -> str:
    """Say where the file of a memory is, or was."""
    kind = LETTERS.get(id[:1])
    if kind is None or "/" in id or not id.isprintable():
        raise MemFault("not_found", f"no memory {id!r}")
    return f"objects/{kind.folder}/{id}.md"


def _is_purged(root: str, id: str, path: str) -> bool:
    """Say whether it was purged; a fetch may have brought its history back."""
    from apx.mem import forgotten  # noqa: PLC0415 -- only the history asks

    return forgotten.noted(root).hides(id) and not os.path.lexists(f"{root}/{path}")


def _commits(root: str, path: str, limit: int) -> list[tuple[str, str, str]]:
    """Give commit, local date, and subject of what touched a path, newest first."""
    if not git.head(root):
        return []
    most = (f"-n{limit}",) if limit > 0 else ()
    shape = ("-z", "--format=%H%x00%cd%x00%s", "--date=short-local", "--encoding=UTF-8")
    answer = git.run(
        root, *_PLAIN, "log", *most, *shape, "HEAD", "--", f":(literal){path}"
    )
    words = answer.decode("utf-8", "replace").split("\0")
    return list(zip(words[::3], words[1::3], words[2::3], strict=False))


def _version(id: str, data: bytes | None) -> int | None:
    """Say which version a content was."""
    from apx.mem import frontmatter  # noqa: PLC0415 -- only the history reads old files

    if data is None:
        return None
    try:
        return frontmatter.parse(id, data).version
    except MemFault:
        return None
