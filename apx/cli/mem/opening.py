"""What the commands of `apx mem` have in common: the store, ids, what was given."""

from __future__ import annotations

import os
import sys

from apx.mem.faults import MemFault, wrong
from apx.mem.store import Store, place

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO, Final

    from apx.cli.mem.words import Words
    from apx.mem.cache import Cache
    from apx.mem.memory import Value
    from apx.mem.toon import Json

_MOST: Final = 50_000_000  # bytes; nobody wrote more into one memory
_NAMED: Final = 10  # ids that a message names; more would hide what it says


def opened() -> Store:
    """Give the store, which is there."""
    store = Store(place(os.environ))
    store.check()
    return store


def today() -> str:
    """Give the local date."""
    from time import strftime  # noqa: PLC0415 -- what only reads does without

    return strftime("%Y-%m-%d")


def one(cache: Cache, word: str) -> str:
    """Give the id that a word means: all of one, or a part that only one has."""
    ids = cache.find(word)
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise MemFault("not_found", f"no memory {word!r}", "apx mem list")
    more = [f"and {len(ids) - _NAMED} more"] if len(ids) > _NAMED else []
    named = ", ".join([*ids[:_NAMED], *more])
    raise MemFault(
        "ambiguous",
        f"{word!r} may be any of {len(ids)}: {named}",
        f"apx mem show {ids[0]}",
    )


def several(cache: Cache, words: Iterable[str]) -> list[str]:
    """Give the ids that words mean, each once."""
    return list(dict.fromkeys(one(cache, word) for word in words))


def body(words: Words) -> bytes | None:
    """Give the body that was given, in words, through stdin or in a file."""
    text, path = words.text("--body"), words.text("--body-file")
    if path is not None:
        if text is not None:
            raise wrong("--body and --body-file: one of them")
        return _utf8(contents(path), path)
    if text == "-":
        return _utf8(stdin(), "stdin")
    if text is None:
        return None
    from apx.mem import check  # noqa: PLC0415 -- what only reads does without

    return check.body(_text("--body", text))


def contents(path: str) -> bytes:
    """Read a file that a person named."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- pathlib takes long to load
            return _bounded(file, path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise wrong(f"{path}: {why}") from error


def _bounded(file: BinaryIO, name: str) -> bytes:
    """Read all of it, as some files never end."""
    data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise wrong(f"{name}: more than {_MOST // 1_000_000} MB")
    return data


def stdin() -> bytes:
    """Read what is piped in; nobody is asked to type it."""
    if sys.stdin.isatty():
        raise wrong("stdin is a terminal", "pipe the text in: ... --body - < FILE")
    try:
        return _bounded(sys.stdin.buffer, "stdin")
    except OSError as error:
        raise wrong(f"stdin: {error.strerror}") from error


def fields(words: Words, names: Iterable[str]) -> dict[str, Value | None]:
    """Give the fields that were given, checked; None for one that is to go."""
    from apx.mem import check  # noqa: PLC0415 -- what only reads does without

    found: dict[str, Value | None] = {}
    for name in names:
        text = words.text(f"--{name}")
        if text is None:
            continue
        text = _text(f"--{name}", text)
        if name == "verified" and text == "today":
            text = today()
        is_gone = not text.strip() and name not in ("title", "tags", "status", "type")
        found[name] = None if is_gone else check.field(name, text)
    return found


def plain(value: Value | None) -> Json:
    """Give a field as an answer has it."""
    return list(value) if isinstance(value, tuple) else value


def _text(name: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        # Without what is no letter it would be another word, and nobody would know.
        raise wrong(f"{name}: not UTF-8 at character {error.start}") from error
    return text


def _utf8(data: bytes, name: str) -> bytes:
    from apx.mem import check  # noqa: PLC0415 -- what only reads does without

    try:
        return check.body(data.decode())
    except UnicodeDecodeError as error:
        raise wrong(f"{name}: not UTF-8 at byte {error.start}") from error
