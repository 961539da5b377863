"""What is known to be in HEAD just as it is on the disk, so that git need not look.

Written down after a write of ours: the commit, the index, and how the files look. That
all of it is still so means that nobody changed anything; else git is asked. A file that
changed within a tick of the clock may change again and look the same: what those hold
is summed up as well. No name is written down, as that may be what is to be forgotten.
"""

# ruff: noqa: PTH123, PTH208 -- pathlib takes as long to load as all these files to look at

from __future__ import annotations

import os
import time
from binascii import crc32

from apx.mem import files, refs, scan
from apx.mem.faults import MemFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

_FORM: Final = "settled 1"
# To read more of them costs as much as to ask git.
_MANY: Final = 20
_DEPTH: Final = 2
# What tells git which files are not its own.
_RULES: Final = (".gitignore", ".gitattributes")
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


class Settled:
    """The files of a store as they are when a write begins; made under its lock.

    `young` has what is in the files that changed a moment ago, by path.
    """

    __slots__ = ("_edge", "_looks", "_place", "_root", "_told", "_young")

    def __init__(self, root: str) -> None:
        self._root = root
        self._place = f"{refs.place(root)}/apx-settled"
        self._told = _read(self._place)
        # What is young by now, and what was young when it was written down.
        self._edge = time.time_ns() - scan.TICK_NS
        edge = min(_edge(self._told) or self._edge, self._edge)
        names = sorted(os.listdir(f"{root}/{scan.OBJECTS}"))
        self._looks = {name: scan.Look(root, name, edge) for name in names}
        self._young = self._summed()

    @property
    def glances(self) -> dict[str, str]:
        """Give what was seen of each folder."""
        return {name: look.said for name, look in self._looks.items()}

    def is_so(self, index: tuple[int, ...]) -> bool:
        """Tell whether all is as it was when all was in HEAD."""
        edge = _edge(self._told)
        if self._young is None or edge > self._edge:
            return False
        try:
            head = refs.head(self._root)
        except MemFault:
            return False
        return bool(head) and self._told == self._text(
            head or "", index, edge, self._young
        )

    def forget(self) -> None:
        """Have nothing written down after this write: something was not in HEAD."""
        self._young = None

    def keep(
        self,
        changes: Mapping[str, bytes | None],
        marks: Mapping[str, tuple[int, ...]],
        head: str,
        index: tuple[int, ...],
    ) -> None:
        """Write down how it is after a commit of these changes, if that is known.

        `marks` are of the files before it. That those in their places are ours, and
        still are, is seen next time from what they hold.
        """
        if self._young is None or len(changes) > _MANY or not index:
            return
        young = {
            path: (crc, changed)
            for path, (crc, changed) in self._young.items()
            if changed > self._edge and path not in changes
        }
        young |= {path: (crc32(data), 0) for path, data in changes.items() if data}
        try:
            if len(young) <= _MANY and self._bring(changes, marks):
                text = self._text(head, index, self._edge, young)
                with open(os.open(self._place, _WRITE, 0o600), "wb") as file:
                    file.write(text.encode())
        except OSError:
            # What stands there is of before, or half: git is asked.
            pass

    def _summed(self) -> dict[str, tuple[int, int]] | None:
        """Read what is young; None if that is too much, or no file."""
        found = {
            f"{scan.OBJECTS}/{folder}/{name}": changed
            for folder, look in self._looks.items()
            for name, changed in look.young.items()
        }
        if len(found) > _MANY:
            # Since it was written down, much was written: this time git is asked, and
            # the next time only what is young by now counts.
            self._told = ""
            found = {path: at for path, at in found.items() if at > self._edge}
        if len(found) > _MANY:
            return None
        try:
            return {
                path: (crc32(files.read(f"{self._root}/{path}") or b""), changed)
                for path, changed in found.items()
            }
        except OSError:
            return None

    def _bring(
        self,
        changes: Mapping[str, bytes | None],
        marks: Mapping[str, tuple[int, ...]],
    ) -> bool:
        """Have the looks say what they say now, if nobody else did anything."""
        names: dict[str, set[str]] = {}
        for path, data in changes.items():
            folder, name = (
                path.split("/")[1:] if path.count("/") == _DEPTH else ("", "")
            )
            look = self._looks.get(folder)
            if look is None:
                return False
            if before := marks[path]:
                look.total -= hash(before)
            there = names.setdefault(folder, set(look.names))
            if data is None:
                there.discard(name)
            else:
                there.add(name)
                look.total += hash(files.mark(f"{self._root}/{path}"))
        for folder, wanted in names.items():
            place = f"{self._root}/{scan.OBJECTS}/{folder}"
            self._looks[folder].own = hash(files.mark(place))
            # Looked at after its times: what comes later is seen by them.
            if set(os.listdir(place)) != wanted:
                return False
        return True

    def _text(
        self,
        head: str,
        index: tuple[int, ...],
        edge: int,
        young: Mapping[str, tuple[int, int]],
    ) -> str:
        rules = [files.mark(f"{self._root}/{name}") for name in _RULES]
        # Of each file with its place, as two may have changed places.
        held = sum(
            hash((crc32(os.fsencode(path)), crc)) for path, (crc, _) in young.items()
        )
        looks = [f"{name} {said}" for name, said in self.glances.items()]
        return "\n".join(
            (_FORM, str(edge), head, f"{index} {rules} {held}", *looks, "")
        )


def _read(place: str) -> str:
    try:
        return (files.read(place) or b"").decode("utf-8", "replace")
    except OSError:
        return ""


def _edge(told: str) -> int:
    """Say from when on files were young; 0 if nothing is told."""
    form, _, rest = told.partition("\n")
    number = rest.partition("\n")[0]
    return int(number) if form == _FORM and number.isdigit() else 0
