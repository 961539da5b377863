"""What files and lines from elsewhere say, read as memories to be taken in."""

# ruff: noqa: PTH112, PTH113, PTH123 -- as everywhere here, pathlib takes long to load

from __future__ import annotations

import os

from apx.mem import check
from apx.mem.deeds import Draft
from apx.mem.faults import MemFault, wrong
from apx.mem.frontmatter import claimed, parse
from apx.mem.memory import TYPES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

    from apx.mem.memory import Memory, Value

    # Where it stands, such as `notes.jsonl, line 3`, and what is to be taken in.
    Found = tuple[str, Memory | Draft]

_LINES: Final = (".jsonl", ".ndjson", ".json")
_BOM: Final = b"\xef\xbb\xbf"
# A file of another name is read as if it had this one; its own type counts.
_ANY: Final = "d-2000-01-01-any"
# What a line may say of a memory, besides its body. Others' ids are not ours to keep.
_SAID: Final = (
    "type",
    "title",
    "scope",
    "status",
    "priority",
    "confidence",
    "created",
    "verified",
    "tags",
    "abstract",
    "source",
)


def read(given: Sequence[str] | bytes, faults: list[str]) -> Iterator[Found]:
    """Give what is there, with its place; what cannot be read is told to `faults`."""
    if isinstance(given, bytes):
        yield from _content("stdin", "", given, faults)
        return
    for path in given:
        for name in _files(path, faults):
            try:
                with open(name, "rb") as file:
                    data = file.read()
            except OSError as error:
                faults.append(f"{name}: {error.strerror}")
            else:
                yield from _content(name, os.path.basename(name), data, faults)  # noqa: PTH119 -- as above


def _files(path: str, faults: list[str]) -> Iterator[str]:
    """Name the files that are meant; of a store, its memories alone."""
    if os.path.isfile(path):
        yield path
    elif os.path.isdir(path):
        memories = os.path.join(path, "objects")  # noqa: PTH118 -- as above
        for folder, below, names in os.walk(
            memories if os.path.isdir(memories) else path
        ):
            # A history and a cache are no memories.
            below[:] = sorted(one for one in below if not one.startswith("."))
            every = (f"{folder}/{name}" for name in sorted(names) if name[0] != ".")
            some = (one for one in every if one.endswith((".md", *_LINES)))
            yield from filter(os.path.isfile, some)
    else:
        faults.append(f"{path}: there is no such file")


def _content(place: str, name: str, data: bytes, faults: list[str]) -> Iterator[Found]:
    is_lines = name.endswith(_LINES) or not data.removeprefix(_BOM).startswith(b"---")
    if is_lines and not name.endswith(".md"):
        yield from _lines(place, data, faults)
        return
    try:
        yield place, _file(name.removesuffix(".md"), data)
    except MemFault as fault:
        faults.append(f"{place}: {fault}")


def _file(stem: str, data: bytes) -> Memory | Draft:
    """Read a file in the store's format; one that is named otherwise gets a new id."""
    try:
        memory = parse(stem, data)
    except MemFault:
        memory = parse(_ANY, data)
        told = claimed(memory.raw)
        if told.get("type") not in TYPES:
            raise wrong("its name is no id, and it does not say its type") from None
        fields = {**_said_of(memory), "type": str(told["type"])}
        return Draft(_checked(fields), memory.body, memory.raw)
    _checked(_said_of(memory))
    if not memory.title:
        raise wrong("a memory has a title")
    return memory


def _said_of(memory: Memory) -> dict[str, Value]:
    return {key: memory.fields[key] for key in _SAID if key in memory.fields}


def _lines(place: str, data: bytes, faults: list[str]) -> Iterator[Found]:
    import json  # noqa: PLC0415 -- only who takes in lines

    # Only line feeds end lines: the others may stand in a text of JSON as they are.
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line.decode())
            if not isinstance(said, dict):
                raise wrong("no object with type and title")
            yield f"{place}, line {number}", _said(said)
        except MemFault as fault:
            faults.append(f"{place}, line {number}: {fault}")
        except UnicodeDecodeError:
            faults.append(f"{place}, line {number}: not UTF-8")
        except (ValueError, RecursionError):
            faults.append(f"{place}, line {number}: no JSON")


def _said(said: dict[str, object]) -> Draft:
    fields: dict[str, Value] = {}
    for key in _SAID:
        if key in said and said[key] is not None:
            fields[key] = check.field(key, _text(said[key]))
    body = said.get("body") or ""
    if not isinstance(body, str):
        raise wrong("body: a text")
    draft = Draft(fields, check.body(body))
    # Each complains if it is not there.
    _ = draft.type, draft.title
    return draft


def _text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)


def _checked(fields: Mapping[str, Value]) -> dict[str, Value]:
    return {
        key: check.field(
            key, ",".join(value) if isinstance(value, tuple) else str(value)
        )
        for key, value in fields.items()
    }
