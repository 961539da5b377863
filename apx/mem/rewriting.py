"""A history without some of its contents: the stream of `git fast-export`, filtered."""

from __future__ import annotations

import re

from apx.mem.joining import stem

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

# What a commit says that wrote something which is no more.
_INSTEAD: Final = b"mem: purged\n"
# First lines of ours that name no memory; below them, some do.
_COMMON: Final = re.compile(
    rb"mem: (?:init|edited by hand|sync with \S+|[a-z]+ \d+ memories)(?:\n|\Z)"
)
_ESCAPED: Final = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_CHARS: Final = dict(zip(b'abtnvfr"\\', (7, 8, 9, 10, 11, 12, 13, 34, 92), strict=True))
# Words that may be ids, wherever a message has them.
_WORD: Final = re.compile(r"[a-z]-\d{4}-\d\d-\d\d-[^\s,;:/]+")


class Filter:
    """Leaves out of a stream what is due, and what messages say of it.

    `is_due` is asked with ids and with git's names of contents, `is_said` with the
    message of a commit. `found` has the ids and the contents that were left out.
    """

    def __init__(
        self, is_due: Callable[[str], bool], is_said: Callable[[str], bool]
    ) -> None:
        self._is_due = is_due
        self._is_said = is_said
        self.found: set[tuple[str, str]] = set()
        self.is_changed = False
        self._known: dict[str, bool] = {}
        self._out: list[bytes] = []
        # Where in what is given the message of the present commit stands.
        self._message = -1
        # What it says if the commit turns out to have written what is due.
        self._instead = _INSTEAD

    def filtered(self, stream: bytes) -> bytes:
        """Give the stream of the new history; it was exported without contents."""
        at = 0
        while at < len(stream):
            end = stream.find(b"\n", at) + 1 or len(stream)
            line = stream[at:end]
            at = end
            if line.startswith(b"data "):
                size = int(line[len(b"data ") :])
                self._say(stream[at : at + size])
                at += size
            elif line[:2] in {b"M ", b"D "}:
                self._change(line)
            else:
                self._out.append(line)
        return b"".join(self._out)

    def _say(self, message: bytes) -> None:
        self._message = len(self._out)
        text = message.decode("utf-8", "replace")
        words = (word.removesuffix(".md") for word in _WORD.findall(text))
        instead = found[0] if (found := _COMMON.match(message)) else _INSTEAD
        is_told = self._is_said(text) or any(map(self._asked, words))
        self.is_changed |= is_told and message != instead
        self._instead = message if found and not is_told else instead
        self._out.append(_data(instead if is_told else message))

    def _change(self, line: bytes) -> None:
        """Take over a file that a commit wrote or removed, or leave it out."""
        words = line.rstrip(b"\n").split(b" ", 3 if line[:1] == b"M" else 1)
        blob = words[2].decode() if line[:1] == b"M" else ""
        name = stem(_path(words[-1]))
        if self._asked(name) or self._asked(blob):
            self.is_changed = True
            self.found.add((name, blob))
            self._out[self._message] = _data(self._instead)
        else:
            self._out.append(line)

    def _asked(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = bool(name) and self._is_due(name)
        return self._known[name]


def _path(word: bytes) -> str:
    """Read a path as git writes it."""
    if word.startswith(b'"'):
        word = _ESCAPED.sub(_unescaped, word[1:-1])
    return word.decode("utf-8", "surrogateescape")


def _unescaped(found: re.Match[bytes]) -> bytes:
    said = found[1]
    return bytes([int(said, 8) if len(said) > 1 else _CHARS[said[0]]])


def _data(data: bytes) -> bytes:
    return b"data %d\n%b" % (len(data), data)
