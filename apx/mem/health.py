"""How a store is: what it holds, how far from its remote, what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

from apx.mem import ailments, files, git, refs, settings, trees
from apx.mem.faults import MemFault
from apx.mem.memory import STATES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.cache import Cache
    from apx.mem.store import Store

    Value = str | int | dict[str, int] | list[dict[str, str]]
    Report = dict[str, Value]

_STATUS: Final = ("status", "--porcelain", "-z", "--no-renames", "--", "objects")
_BLOCK: Final = 512


def brief(store: Store, cache: Cache) -> Report:
    """Say how a store is, as far as that can be seen at a glance.

    What is wrong is in `problems`, each with what to `do`. The memories themselves are
    told also where git is missing or broken.
    """
    told, problems = _told(store, cache)
    told["problems"] = [{"problem": what, "do": do} for what, do in problems]
    return told


def report(store: Store, cache: Cache) -> Report:
    """Say how a store is, with every file and all of its history looked at.

    What may be as somebody wants it is in `remarks`, likewise.
    """
    told, problems = _told(store, cache)
    ids = cache.ids()
    problems += ailments.differing(store.root, sorted(ids))
    held, kept = ailments.credentials(store.root, ids)
    problems += held
    known = {do for _, do in problems}
    problems += [one for one in ailments.broken(store.root) if one[1] not in known]
    told["problems"] = [{"problem": what, "do": do} for what, do in problems]
    if kept:
        told["remarks"] = [{"remark": what, "do": do} for what, do in kept]
    return told


def _told(store: Store, cache: Cache) -> tuple[Report, list[tuple[str, str]]]:
    root = store.root
    told: Report = {"store": root, "total": cache.total("all")}
    told.update({status: cache.total(status) for status in STATES})
    told["size"] = _size(root)
    problems = [
        (
            f"{path} cannot be read: {why}",
            f"{'edit' if path.endswith('.md') else 'ls -ld'} {root}/{path}",
        )
        for path, why in cache.unreadable()
    ]
    told["unreadable"] = len(problems)
    try:
        git.program()
        problems += ailments.seen(root, total=int(cache.total("all")))
        told.update(_history(root))
        told.update(_remote(root))
    except MemFault as fault:
        problems.append(ailments.named(root, fault))
    return told, problems


def _history(root: str) -> Report:
    """Say what was committed last, and what was not yet."""
    head = git.head(root)
    if not head:
        return {"commit": ""}
    shape = ("-1", "--format=%h %cd %s", "--date=short-local", "--encoding=UTF-8")
    last = git.run(root, "log", *shape, head, "--").decode("utf-8", "replace")
    changed = git.run(root, *_STATUS).split(b"\0")
    return {"commit": last.strip(), "uncommitted": sum(map(bool, changed))}


def _remote(root: str) -> Report:
    """Say how far it is from its remote, as of the last time it was asked."""
    known = settings.read(root)
    name = os.environ.get("MEM_REMOTE") or "origin"
    address = known.get(f"remote.{name}.url", "")
    if not address:
        return {"remote": ""}
    told: Report = {"remote": f"{name} {settings.without_secrets(address)}"}
    theirs = trees.commit(root, _followed(root, known, name))
    if not theirs:
        return {**told, "synced": "never"}
    ahead, behind = trees.apart(root, git.head(root), theirs)
    return {**told, "ahead": ahead, "behind": behind}


def _followed(root: str, known: dict[str, str], name: str) -> str:
    """Name our reference for the branch there."""
    head = (files.read(f"{refs.place(root)}/HEAD") or b"").decode("utf-8", "replace")
    ours = head.strip().removeprefix("ref: refs/heads/")
    branch = known.get(f"branch.{ours}.merge", "").removeprefix("refs/heads/")
    if known.get(f"branch.{ours}.remote") != name or not branch:
        return f"refs/remotes/{name}/HEAD"
    return f"refs/remotes/{name}/{branch}"


def _size(root: str) -> str:
    """Say how much room all of it takes."""
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                total += Path(folder, name).lstat().st_blocks * _BLOCK
            except OSError:
                continue
    return f"{total / 1e6:.1f} MB"
