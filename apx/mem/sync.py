"""A store and its remote brought to the same, in both directions."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from pathlib import Path

from apx.mem import (
    ailments,
    forgotten,
    git,
    joining,
    landing,
    meeting,
    refs,
    settings,
    trees,
)
from apx.mem.faults import MemFault
from apx.mem.remotes import Remote

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from apx.mem.forgotten import Forgotten
    from apx.mem.joining import Joint
    from apx.mem.store import Store

    Told = dict[str, str | int | list[str]]

# Somebody else may push between our fetch and our push.
_TRIES: Final = 3
_PAUSE: Final = 0.05
_OUT: Final = (
    "what was purged here stays out, but the history of {0} still has it, and with it"
    " that of this store: purge again once {0} has not"
)


def sync(store: Store, remote: str = "origin", seconds: float = 30) -> Told:
    """Fetch, merge, push; MemFault `unreachable` if that takes longer.

    `remote` is a name, or an address that is kept if it answers. Given are how many
    memories were `pushed` and `pulled`, the ids that both sides had changed (`merged`),
    `ahead`, `behind`, and `remarks` for a person; `credentials` has the ids of those
    that came and look like they hold one. The store is locked only while it is merged,
    never while the network is waited for.
    """
    store.check()
    _whole(store.root)
    far = Remote(store.root, remote, seconds)
    told: Told = {"outcome": "no-change", "remote": far.name, "branch": ""}
    told.update(pulled=0, pushed=0, merged=[])
    remarks: list[str] = []
    came: set[str] = set()
    with _alone(far):
        for _ in range(_TRIES):
            theirs = far.fetch(far.look())
            before, made = _merge(store, far, theirs)
            came |= _count(told, remarks, made)
            ours = git.head(store.root)
            if before != ours:
                told["outcome"] = "synced"
            if ours == theirs or far.push(ours):
                break
        else:
            words = f"others push to {far.name} all the time"
            raise MemFault("refused", words, "apx mem sync")
    if ours != theirs:
        told.update(outcome="synced", pushed=_memories(store.root, theirs, ours))
    if ours:
        far.follow()
    ahead, behind = trees.apart(store.root, git.head(store.root), ours)
    told.update(branch=far.branch, ahead=ahead, behind=behind)
    if found := ailments.suspects(store.root, came):
        told["credentials"] = list(map(joining.stem, found))
        remarks.append(f"{len(found)} of {len(came)} that came may hold a credential")
    return {**told, "remarks": remarks} if remarks else told


def _whole(root: str) -> None:
    """Refuse a clone whose contents are fetched when they are looked at."""
    known = settings.read(root)
    if "extensions.partialclone" in known or any(
        key.endswith(".promisor") for key in known
    ):
        words = f"{root} is a partial clone: it would wait for the network all the time"
        raise MemFault("partial", words, "clone it anew without --filter")


@contextmanager
def _alone(far: Remote) -> Iterator[None]:
    """Let one sync of a store at a time ask the network; others write meanwhile."""
    place = f"{refs.common(refs.place(far.root))}/refs"
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if far.is_late:
                    words = f"another sync of {far.root} is under way"
                    raise MemFault("busy", words, "try again") from None
                time.sleep(_PAUSE)
        yield
    finally:
        os.close(handle)


def _merge(store: Store, far: Remote, theirs: str) -> tuple[str, Joint | None]:
    """Bring theirs into the store; give our commit before, and what changed."""
    with store.writing():
        root = store.root
        ours = git.head(root)
        if trees.is_within(root, theirs, ours):
            return ours, None
        gone = forgotten.noted(root)
        purged = _purged(root, ours, theirs, gone)
        base = purged or _base(root, ours, theirs)
        today = time.strftime("%Y-%m-%d")
        made = joining.joint(root, (base, ours, theirs), gone, today)
        if purged or made.hidden:
            made.remarks.append(_OUT.format(far.name))
        after = theirs
        if not made.is_theirs:
            more = "\n".join([f"mem: sync with {far.name}", "", *made.merged])
            parents = (ours, theirs)
            after = meeting.joined(root, parents, made.changes, more, far.signer)
        landing.landed(root, after, made.changes, made.was)
        return ours, made


def _purged(root: str, ours: str, theirs: str, gone: Forgotten) -> str:
    """Give what was the same before a purge here; empty if there was none since."""
    for old, new in reversed(gone.pairs):
        if not trees.commit(root, old) or not trees.commit(root, new):
            continue
        if trees.is_within(root, old, ours):
            return ""
        if trees.is_within(root, old, theirs) and trees.is_within(root, new, ours):
            return old
    return ""


def _base(root: str, ours: str, theirs: str) -> str:
    """Give the newest commit that both come from; empty if there is none."""
    base = trees.base(root, ours, theirs)
    if not base and ours and theirs and not _is_store(root, theirs):
        words = "what is there is no memory store: it has directories, but no objects/"
        raise MemFault("no_store", words, "apx mem sync --remote URL, of an empty one")
    if not base and ours and Path(refs.place(root), "shallow").exists():
        words = "this clone does not have enough of the history to merge"
        raise MemFault("shallow", words, f"git -C {root} fetch --unshallow")
    return base


def _is_store(root: str, theirs: str) -> bool:
    """Tell somebody's code from a store, and from one that is still to be filled."""
    told = git.run(root, "ls-tree", "-z", theirs).split(b"\0")
    folders = {line.partition(b"\t")[2] for line in told if line.startswith(b"040000")}
    return not folders or b"objects" in folders


def _count(told: Told, remarks: list[str], made: Joint | None) -> set[str]:
    """Add what a merge brought; give the files of memories among it."""
    if made is None:
        return set()
    pulled, merged = told["pulled"], told["merged"]
    came = {path for path in made.changes if joining.stem(path)}
    told["pulled"] = len(came) + (pulled if isinstance(pulled, int) else 0)
    known = merged if isinstance(merged, list) else []
    told["merged"] = list(dict.fromkeys([*known, *made.merged]))
    remarks += made.remarks
    return came


def _memories(root: str, before: str, after: str) -> int:
    """Count the memories that differ between two commits."""
    return sum(map(bool, map(joining.stem, trees.changes(root, before, after))))
