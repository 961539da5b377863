"""What stands where in the commits of a store, and which of them know each other."""

from __future__ import annotations

import os

from apx.mem import git

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    # The mode of a file as git writes it, and the name of its content.
    Entry = tuple[str, str]
    # What stood at a path, and what stands there now; None is nothing.
    Change = tuple[Entry | None, Entry | None]

# The cache of each machine, which no other one has a use for.
DERIVED: Final = ".cache/"
_NOTHING: Final = "000000"
_FILES: Final = ("100644", "100755")


def changes(root: str, before: str, after: str) -> dict[str, Change]:
    """Give the paths at which two commits differ; an empty name is an empty store."""
    one, other = (name or _empty(root) for name in (before, after))
    answer = git.run(root, "diff-tree", "-r", "-z", "--no-renames", one, other)
    words = os.fsdecode(answer).split("\0")
    found: dict[str, Change] = {}
    for kind, path in zip(words[::2], words[1::2], strict=False):
        old, new, was, now, _ = kind.removeprefix(":").split(" ")
        found[path] = (_entry(old, was), _entry(new, now))
    return found


def is_file(entry: Entry | None) -> bool:
    """Say whether it is a plain file: no link, and no repository in the repository."""
    return entry is not None and entry[0] in _FILES


def is_within(root: str, older: str, newer: str) -> bool:
    """Say whether a commit knows another one; the empty name is known to all."""
    if not older or older == newer:
        return True
    return bool(newer) and _common(root, older, newer) == older


def commit(root: str, name: str) -> str:
    """Give the commit that a name stands for; empty if there is none."""
    words = ("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return git.run(root, *words, ok=(0, 1)).decode().strip()


def base(root: str, ours: str, theirs: str) -> str:
    """Give the newest commit that both know; empty if there is none."""
    return _common(root, ours, theirs) if ours and theirs else ""


def apart(root: str, ours: str, theirs: str) -> tuple[int, int]:
    """Count the commits that only the one knows, and those that only the other does."""
    if ours and theirs:
        both = f"{ours}...{theirs}"
        answer = git.run(root, "rev-list", "--left-right", "--count", both, "--")
        ahead, behind = answer.split()
        return int(ahead), int(behind)
    counts = [
        int(git.run(root, "rev-list", "--count", name, "--")) if name else 0
        for name in (ours, theirs)
    ]
    return counts[0], counts[1]


def blob(data: bytes, like: str) -> str:
    """Give the name that git has for a content, in a repository that has `like`."""
    from hashlib import new  # noqa: PLC0415 -- most commands compare no contents

    kind = "sha1" if len(like) == 40 else "sha256"  # noqa: PLR2004 -- digits of SHA-1
    return new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _common(root: str, one: str, other: str) -> str:
    answer = git.run(root, "merge-base", one, other, ok=(0, 1))
    return answer.decode().strip()


def _empty(root: str) -> str:
    """Give the name of the tree without anything, which git knows by itself."""
    return git.run(root, "hash-object", "-t", "tree", "--stdin").decode().strip()


def _entry(mode: str, name: str) -> Entry | None:
    return None if mode == _NOTHING else (mode, name)
