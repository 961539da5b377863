"""Files that people and bots sent, by file_id and by path."""

from __future__ import annotations

from dataclasses import dataclass

from tests.servers.telegram.refused import bad

MOST_DOWN = 20 << 20
MOST_UP = 50 << 20


@dataclass(frozen=True)
class File:
    """A stored file; `size` may be claimed of one that is not really there."""

    file_id: str
    name: str
    content: bytes
    size: int
    path: str

    @property
    def brief(self) -> dict[str, str | int]:
        """What every kind of file says of itself."""
        return {
            "file_id": self.file_id,
            "file_unique_id": f"U{self.file_id}",
            "file_size": self.size,
        }


class Files:
    """All files of the server."""

    def __init__(self) -> None:
        self._by_id: dict[str, File] = {}

    def keep(
        self, content: bytes, name: str, folder: str, size: int | None = None
    ) -> File:
        """Store a file."""
        number = len(self._by_id) + 1
        ending = name.rpartition(".")[2] if "." in name else "bin"
        file = File(
            f"AgAD-{folder}-{number}",
            name,
            content,
            len(content) if size is None else size,
            f"{folder}/file_{number}.{ending}",
        )
        self._by_id[file.file_id] = file
        return file

    def get(self, file_id: str) -> File:
        """Give a file, or refuse an id that none has."""
        try:
            return self._by_id[file_id]
        except KeyError:
            raise bad("wrong file_id or the file is temporarily unavailable") from None

    def at(self, path: str) -> File | None:
        """Find a file that may be downloaded."""
        return next(
            (
                file
                for file in self._by_id.values()
                if file.path == path and file.size <= MOST_DOWN
            ),
            None,
        )
