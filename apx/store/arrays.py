"""Owns files of arrays: written whole, and mapped into memory at once when read.

They are caches. What cannot be read, or is not what was wanted, is not there.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np

from apx.domain.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    import numpy.typing as npt

    Array = npt.NDArray[Any]

_MAGIC: Final = b"apx arrays 2\n"
# How long the header is, and its checksum: a wrong one could be read as wrong arrays.
_HEAD: Final = struct.Struct("<QI")
_SUMMED: Final = 1 << 27
_LINE: Final = 64  # arrays begin where a cache line does


def save(path: Path, tag: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write arrays with what they are; raises `StoreError` when the disk is full.

    After a crash the file is there as a whole, or not at all.
    """
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    header = json.dumps({"tag": tag, "arrays": _described(arrays)}).encode()
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                head = _HEAD.pack(len(header), crc32(header))
                file.write(_MAGIC + head + header)
                for array in arrays.values():
                    _align(file)
                    array.tofile(file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}") from error


def load(path: Path) -> tuple[dict[str, Any], dict[str, Array]] | None:
    """Map a file: its tag, and its arrays, which cannot be changed."""
    try:
        with path.open("rb") as file:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _read(whole)
    except (OSError, ValueError, struct.error):
        return None


def _read(whole: mmap.mmap) -> tuple[dict[str, Any], dict[str, Array]]:
    begin = len(_MAGIC) + _HEAD.size
    size, checksum = _HEAD.unpack(whole[len(_MAGIC) : begin])
    text = whole[begin : begin + size]
    if whole[: len(_MAGIC)] != _MAGIC or crc32(text) != checksum:
        raise ValueError("not a file of arrays")
    header, place = json.loads(text), begin + size
    arrays = {}
    for name, (kind, shape, told) in header["arrays"].items():
        place = -(-place // _LINE) * _LINE
        dtype = np.dtype(kind)
        count = int(np.prod(shape))
        # numpy keeps the map open for as long as it needs it.
        flat = np.frombuffer(whole, dtype, count, place)
        if told != _checksum(flat):
            raise ValueError(f"{name} was changed")
        arrays[name] = flat.reshape(shape)
        place += count * dtype.itemsize
    return header["tag"], arrays


def _described(
    arrays: Mapping[str, Array],
) -> dict[str, tuple[str, list[int], int]]:
    return {
        name: (array.dtype.str, list(array.shape), _checksum(array))
        for name, array in arrays.items()
    }


def _checksum(array: Array) -> int:
    """Sum up an array, unless it is so large that reading it would take long.

    The large ones are vectors: a changed one is a little less alike to what it was.
    """
    small = array.nbytes <= _SUMMED
    return crc32(array.reshape(-1).view(np.uint8).data) if small and array.size else 0


def _align(file: BinaryIO) -> None:
    file.write(b"\0" * (-file.tell() % _LINE))
