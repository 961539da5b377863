"""What a memory said earlier, out of the git history of its store."""

from __future__ import annotations

import os.path

from apx.mem import blobs, git
from apx.mem.faults import MemFault
from apx.mem.memory import LETTERS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.store import Store

    Entry = dict[str, str | int | None]

# A removed memory was whole at most this many commits of its file ago.
_BACK: Final = 50
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
    """Give the newest content of a memory that history has, also of a removed one."""
    path = _path(id)
    if not _is_purged(store.root, id, path):
        commits = _commits(store.root, path, _BACK)
        names = [f"{commit}:{path}" for commit, _, _ in commits]
        every = blobs.contents(store.root, names)
        for name in names:
            if name in every:
                return every[name]
    raise MemFault("not_found", f"no memory {id}, in the history neither")


def before(store: Store, id: str) -> bytes | None:
    """Give the content before the newest commit that wrote it; None if it was new."""
    path = _path(id)
    newest = _commits(store.root, path, 1)
    if not newest:
        return None
    name = f"{newest[0][0]}^1:{path}"
    return blobs.contents(store.root, (name,)).get(name)


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
