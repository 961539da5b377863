"""The refusal to keep credentials in a memory."""

from __future__ import annotations

from itertools import combinations

from apx.domain.secrets import kinds
from apx.mem.faults import MemFault
from apx.mem.frontmatter import parse, render
from apx.mem.memory import KEYS

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from apx.mem.memory import Memory

_BEGINNING: Final = 1000


def refuse(memory: Memory, *, force: bool = False) -> None:
    """Refuse a memory with a credential; say where it is and its kind, never what."""
    if force:
        return
    for name, text in _texts(memory):
        found = _kinds(text)
        if found:
            named = ", ".join(dict.fromkeys(found))
            raise MemFault(
                "secret",
                f"{name}: this looks like a credential ({named})",
                "keep it in a password store, and say here where it is",
                status=2,
            )


def is_secret(path: str, data: bytes) -> bool:
    """Tell whether a file, as an editor left it, looks like it holds a credential."""
    try:
        refuse(parse(path.rpartition("/")[2].removesuffix(".md"), data))
    except MemFault as fault:
        is_readable = fault.code == "secret"
        return is_readable or bool(_kinds(data.decode("utf-8", "replace")))
    return False


def _kinds(text: str) -> tuple[str, ...]:
    """Name the kinds of credentials in a text, also in what a reader sees of it.

    A sign without width in a key, or letters of double width, hide it from a rule only.
    """
    found = kinds(text)
    if found or text.isascii():
        return found
    from unicodedata import category, normalize  # noqa: PLC0415 -- ASCII needs none

    plain = normalize("NFKC", text)
    unseen = {ord(one): "" for one in set(plain) if category(one) == "Cf"}
    plain = plain.translate(unseen)
    return () if plain == text else kinds(plain)


def _texts(memory: Memory) -> Iterator[tuple[str, str]]:
    """Give each place of a memory by name, with what stands there."""
    for key in KEYS:
        value = memory.fields.get(key)
        if isinstance(value, tuple):
            yield key, ", ".join(value)
        elif isinstance(value, str):
            yield key, value
    said = memory.said
    yield "body", said
    shown = (
        ("title", memory.title),
        ("abstract", memory.text("abstract")),
        ("body", said[:_BEGINNING].strip()),
    )
    for (first, above), (second, below) in combinations(shown, 2):
        yield f"{first} with {second}", _together(above, below)
    if memory.raw:
        # What is kept of a file that somebody else wrote, comments too.
        head = render(memory)
        yield "frontmatter", head[: len(head) - len(memory.body)].decode()


def _together(above: str, below: str) -> str:
    """Put texts together that a reader sees so; a word alone may be what was named."""
    if not above or not below:
        return ""
    return f"{above}{' ' if len(below.split()) == 1 else chr(10)}{below}"
