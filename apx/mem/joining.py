"""What becomes of a store's files when two machines have changed them."""

from __future__ import annotations

import re

from apx.mem import blobs, frontmatter, merging, trees
from apx.mem.faults import MemFault
from apx.mem.memory import FOLDERS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.mem.forgotten import Forgotten
    from apx.mem.memory import Memory
    from apx.mem.trees import Change, Entry

# How a memory's own file is called; everything else in a store is the person's.
_MEMORY: Final = re.compile(rf"objects/(?:{'|'.join(FOLDERS)})/([^/]+)\.md")
_OBJECTS: Final = "objects/"
# How a write that has not ended calls its files.
_WAITING: Final = ".apx-"


class Joint:
    """What is to change in our files, and what there is to say about it.

    `changes` has the new content of a path: its entry in git, or bytes that are new;
    None removes it. `was` has the entry that we have there now. `merged` names the
    memories that both sides had changed. `is_theirs` says that all of it together is
    what they have.
    """

    __slots__ = ("changes", "hidden", "is_theirs", "merged", "remarks", "was")

    def __init__(self) -> None:
        self.changes: dict[str, Entry | bytes | None] = {}
        self.was: dict[str, Entry | None] = {}
        self.merged: list[str] = []
        self.hidden = 0
        self.remarks: list[str] = []
        self.is_theirs = True

    def left(self, remark: str = "") -> None:
        """Note that something of theirs does not come in."""
        self.is_theirs = False
        self.remarks += [remark] * bool(remark)


class _Clash:
    """A memory that both sides changed, or that one removed and the other changed."""

    __slots__ = ("base", "ours", "path", "stem", "theirs")

    def __init__(
        self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None
    ) -> None:
        self.path = path
        self.stem = stem(path)
        self.base = base
        self.ours = ours
        self.theirs = theirs


class _Sides:
    """What the two changed since they last knew the same, and what is not to return."""

    __slots__ = ("gone", "ours", "theirs")

    def __init__(
        self, ours: dict[str, Change], theirs: dict[str, Change], gone: Forgotten
    ) -> None:
        self.ours = ours
        self.theirs = theirs
        self.gone = gone


def stem(path: str) -> str:
    """Give the id of the memory whose file this is; empty for any other file."""
    found = _MEMORY.fullmatch(path)
    return found[1] if found else ""


def joint(root: str, tips: tuple[str, str, str], gone: Forgotten, today: str) -> Joint:
    """Decide for every path; `tips` are the common commit, ours, and theirs.

    What one side alone changed stays. What both changed is reconciled if it is a
    memory, and ours else.
    """
    base, ours, theirs = tips
    ourselves = trees.changes(root, base, ours) if base != ours else {}
    sides = _Sides(ourselves, trees.changes(root, base, theirs), gone)
    made = Joint()
    made.is_theirs = base == ours
    clashes = [clash for path in sides.theirs if (clash := _placed(made, path, sides))]
    names = {
        entry[1]
        for clash in clashes
        for entry in (clash.base, clash.ours, clash.theirs)
        if entry
    }
    every = blobs.contents(root, names)
    for clash in clashes:
        _settle(made, clash, every, today)
    return made


def _placed(made: Joint, path: str, sides: _Sides) -> _Clash | None:
    """Take a change of theirs over, leave it out, or give what both changed."""
    before, theirs = sides.theirs[path]
    ours = sides.ours[path][1] if path in sides.ours else before
    if ours == theirs:
        return None
    made.was[path] = ours
    if _is_derived(made, path, ours, theirs) or _is_left(
        made, path, ours, theirs, sides.gone
    ):
        return None
    if ours == before:
        made.changes[path] = theirs
        return None
    made.left()
    if stem(path) and all(trees.is_file(one) for one in (ours, theirs) if one):
        return _Clash(path, before, ours, theirs)
    return None


def _is_derived(
    made: Joint, path: str, ours: Entry | None, theirs: Entry | None
) -> bool:
    """Have a cache go out of a history that it came into: each machine has its own."""
    is_derived = path.startswith(trees.DERIVED)
    if is_derived and theirs:
        made.left()
    if is_derived and ours:
        made.changes[path] = None
    return is_derived


def _is_left(
    made: Joint,
    path: str,
    ours: Entry | None,
    theirs: Entry | None,
    gone: Forgotten,
) -> bool:
    """Say whether something of theirs is not to come in at all."""
    if theirs is None:
        return False
    parts = path.casefold().split("/")
    if any(part in {"", ".", ".."} or part.startswith(".git~") for part in parts) or (
        ".git" in parts
    ):
        made.left("a file with a name that git does not allow was left out")
        return True
    is_link = path.startswith(_OBJECTS) and not trees.is_file(theirs)
    if is_link or parts[-1].startswith(_WAITING):
        what = "a link there" if is_link else "half a write"
        made.left(f"{path} is {what} and was left out")
        return True
    if gone.hides_blob(theirs[1]) or (ours is None and gone.hides(stem(path))):
        made.hidden += 1
        made.left()
        return True
    return False


def _settle(made: Joint, clash: _Clash, every: dict[str, bytes], today: str) -> None:
    """Decide about a memory that both sides changed."""
    before, ours, theirs = (
        every.get(entry[1]) if entry else None
        for entry in (clash.base, clash.ours, clash.theirs)
    )
    made.merged.append(clash.stem)
    if ours is None or theirs is None:
        data = ours if theirs is None else theirs
        made.remarks.append(f"{clash.stem} was removed on one side, changed on another")
        memory = _read(clash.stem, data)
        result = frontmatter.render(_doubted(memory)) if memory else data
    else:
        result = _one(made, clash.stem, (before, ours, theirs), today)
    if result != ours:
        made.changes[clash.path] = result


def _one(
    made: Joint, name: str, texts: tuple[bytes | None, bytes, bytes], today: str
) -> bytes:
    """Make one content of two; one that cannot be read gives way to one that can."""
    before, ours, theirs = (_read(name, text) for text in texts)
    if ours and theirs:
        return frontmatter.render(merging.reconciled(before, ours, theirs, today))
    if theirs:
        made.remarks.append(f"{name} could not be read here: theirs was taken")
        return texts[2]
    whose = "there" if ours else "on either side"
    made.remarks.append(f"{name} cannot be read {whose}: ours was kept")
    return texts[1]


def _read(name: str, data: bytes | None) -> Memory | None:
    if data is None:
        return None
    try:
        return frontmatter.parse(name, data)
    except MemFault:
        return None


def _doubted(memory: Memory) -> Memory:
    """Give it for a person to look at."""
    return memory.changed(
        verified=None,
        confidence=min(memory.confidence, merging.DOUBTED),
        version=memory.version + 1,
    )
