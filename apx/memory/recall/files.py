"""Owns the files that hold a shelf's large parts, so that a start need not make them.

`index/<audience>/<what>-<first>-<last>-<count>`: ids of the first and the last row of
memory.db in it, and how many there are. A file that disagrees with memory.db is not
used, and is removed.
"""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apx.domain.chunk import FORM
from apx.memory.recall.columns import Columns, chained
from apx.memory.recall.lookup import LexicalPart
from apx.memory.recall.lsm import SMALL
from apx.memory.recall.postings import Postings
from apx.memory.recall.shelf import Shelf, SpacePart
from apx.memory.recall.vectors import VectorPart
from apx.store import arrays

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Sequence
    from pathlib import Path

    from apx.store.arrays import Array

# What the arrays mean; files of another layout are not used.
_LAYOUT: Final = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was mapped, with the ids that it says to hold."""

    path: Path
    first: int
    last: int
    count: int
    arrays: dict[str, Array]


class Files:
    """The files of one audience in one index."""

    def __init__(self, directory: Path, index_id: str) -> None:
        self._directory = directory
        self._tag = {"index": index_id, "form": FORM, "layout": _LAYOUT}

    def lexical(self) -> list[Saved]:
        """Map the files of documents and terms, the oldest first."""
        return self._mapped("text")

    def vectors(self, space: int) -> list[Saved]:
        """Map the files of a space's vectors, the oldest first."""
        return self._mapped(f"space{space}")

    def save(self, shelf: Shelf) -> None:
        """Write what is not written yet, and remove what no longer holds."""
        wanted = {
            self._save_text(shelf, part)
            for part in shelf.parts
            if part.postings.size >= SMALL
        }
        for space, parts in shelf.spaces.items():
            wanted |= {
                self._save_vectors(shelf, space, part)
                for part in parts
                if part.vectors.size >= SMALL
            }
        self._remove_all_but(wanted)

    def _mapped(self, what: str) -> list[Saved]:
        found = []
        for path in sorted(self._directory.glob(f"{what}-*")):
            loaded = arrays.load(path)
            if loaded is None or not self._is_ours(loaded[0], what):
                # Else it would pass for the one that is to be written.
                _remove(path)
                continue
            tag, content = loaded
            found.append(Saved(path, tag["first"], tag["last"], tag["count"], content))
        return sorted(found, key=lambda saved: (saved.first, -saved.last))

    def _is_ours(self, tag: dict[str, Any], what: str) -> bool:
        return {**tag, **self._tag, "what": what} == tag

    def _save_text(self, shelf: Shelf, part: LexicalPart) -> str:
        dead = shelf.columns["dead"][part.base : part.end]
        chunks = shelf.columns["chunk"]
        ids = (int(chunks[part.base]), int(chunks[part.end - 1]))
        name = _name("text", ids, len(dead) - int(dead.sum()))
        if not (self._directory / name).exists():
            postings = part.postings.without(dead) if dead.any() else part.postings
            columns = shelf.columns.living(part.base, part.end)
            self._write(name, {**postings.arrays(), **columns})
        return name

    def _save_vectors(self, shelf: Shelf, space: int, part: SpacePart) -> str:
        dead = shelf.columns["dead"]
        count = part.vectors.size - int(dead[part.vectors.docs].sum())
        name = _name(f"space{space}", (part.first, part.last), count)
        if not (self._directory / name).exists():
            vectors = part.vectors.without(dead)
            chunks = shelf.columns["chunk"][vectors.docs]
            self._write(name, {**vectors.arrays(), "chunks": chunks})
        return name

    def _write(self, name: str, content: dict[str, Array]) -> None:
        what, first, last, count = name.split("-")
        tag = {"what": what, "first": int(first), "last": int(last)}
        tag |= {"count": int(count), **self._tag}
        arrays.save(self._directory / name, tag, content)

    def _remove_all_but(self, wanted: set[str]) -> None:
        for path in self._directory.glob("*"):
            if path.name not in wanted:
                _remove(path)


def shelf_of(found: Sequence[Saved]) -> Shelf:
    """Make a shelf of the files of documents and terms."""
    parts, base = [], 0
    for saved in found:
        postings = Postings.from_arrays(saved.count, saved.arrays)
        parts.append(LexicalPart(base, postings))
        base += saved.count
    return Shelf(Columns(chained([saved.arrays for saved in found])), parts)


def add_vectors(shelf: Shelf, space: int, found: Sequence[Saved]) -> None:
    """Put the files of a space's vectors into a shelf."""
    for saved in found:
        if not saved.count:
            continue
        docs, _ = shelf.columns.doc_of(saved.arrays["chunks"])
        part = VectorPart.from_arrays(docs, saved.arrays)
        shelf.put(space, SpacePart(saved.first, saved.last, part))


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def tidy(directory: Path, known: Container[str]) -> None:
    """Remove the folders of audiences that have nothing any more."""
    for folder in directory.glob("*"):
        if folder.is_dir() and folder.name not in known:
            shutil.rmtree(folder, ignore_errors=True)


async def agreeing(
    found: Sequence[Saved], count: Callable[[int, int], Awaitable[int]]
) -> list[Saved]:
    """Keep the files that say what memory.db says, up to the first that does not."""
    good: list[Saved] = []
    last = 0
    for saved in found:
        if saved.first <= last:
            continue
        if await count(last, saved.last) != saved.count:
            _remove(saved.path)
            break
        good.append(saved)
        last = saved.last
    return good


def _name(what: str, ids: tuple[int, int], count: int) -> str:
    return f"{what}-{ids[0]}-{ids[1]}-{count}"
