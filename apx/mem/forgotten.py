"""What was purged from a store, noted as hashes: so that it does not come back."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from apx.mem import files, refs

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Beside git's own files: it belongs to this clone, and no remote ever gets it.
_NAME: Final = "apx-purged"


class Forgotten:
    """Hashes of purged ids and contents; which old commits became which new ones.

    `pending` has those of a purge that has not ended.
    """

    __slots__ = ("blobs", "ids", "pairs", "pending")

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.blobs: set[str] = set()
        self.pending: set[str] = set()
        self.pairs: list[tuple[str, str]] = []

    def hides(self, id: str) -> bool:
        """Say whether the memory of this id was purged."""
        return bool(self.ids) and hashed(id) in self.ids

    def hides_blob(self, blob: str) -> bool:
        """Say whether the content of this name in git was purged."""
        return bool(self.blobs) and hashed(blob) in self.blobs

    def is_due(self, name: str) -> bool:
        """Say whether an id, or a content by its name in git, is being purged."""
        return bool(name) and hashed(name) in self.pending


def hashed(text: str) -> str:
    """Give what is noted instead of an id: it has a title in it."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def noted(root: str) -> Forgotten:
    """Read what was purged."""
    found = Forgotten()
    kinds = {"id": found.ids, "blob": found.blobs, "pending": found.pending}
    for line in (files.read(_path(root)) or b"").decode("ascii", "replace").split("\n"):
        match line.split(" "):
            case ["became", old, new]:
                found.pairs.append((old, new))
            case [kind, value] if kind in kinds:
                kinds[kind].add(value)
    return found


def note(root: str, found: Forgotten) -> None:
    """Write what was purged, whole or not at all."""
    lines = [f"id {value}" for value in sorted(found.ids)]
    lines += [f"blob {value}" for value in sorted(found.blobs)]
    lines += [f"pending {value}" for value in sorted(found.pending)]
    lines += [f"became {old} {new}" for old, new in found.pairs]
    path = _path(root)
    try:
        files.write(f"{path}.new", "".join(f"{line}\n" for line in lines).encode())
        Path(f"{path}.new").replace(path)
        files.sync((str(Path(path).parent),))
    except OSError as error:
        raise files.fault(error, path) from error


def _path(root: str) -> str:
    """Say where it is noted."""
    return f"{refs.common(refs.place(root))}/{_NAME}"
