"""The terminal without a screen: answers as plain text on a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from channels.terminal.signs import Arrived, Noticed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.terminal.signs import Sign

REPEAT = "(may be a repeat) "


class Lines:
    """Prints each part when it arrives; a person at stderr sees what goes on."""

    def __init__(self, out: TextIO = sys.stdout, err: TextIO = sys.stderr) -> None:
        self._out = out
        self._err = err

    def __call__(self, sign: Sign) -> None:
        """Print what stays."""
        if isinstance(sign, Arrived):
            mark = REPEAT if sign.is_repeat else ""
            print(f"{mark}{sign.text}", file=self._out, flush=True)
        elif isinstance(sign, Noticed) and self._err.isatty():
            print(f"({sign.text})", file=self._err, flush=True)

    def say(self, text: str) -> None:
        """Print a command's answer."""
        print(text, file=self._out, flush=True)


def messages(lines: TextIO) -> Iterator[str]:
    """Read a message a line; blank lines are none."""
    for line in lines:
        if line.strip():
            yield line
