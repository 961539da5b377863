"""The terminal without a screen: answers as plain text on a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from channels.terminal.signs import Arrived, Noticed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.terminal.signs import Sign


def heading(sign: Arrived) -> str:
    """Say what one could not tell from the text: a repeat, what it answers."""
    repeat = "(may be a repeat) " if sign.is_repeat else ""
    late = f"(answer to “{sign.request}”) " if sign.request else ""
    return f"{late}{repeat}"


class Lines:
    """Prints each part when it arrives; what to wait for is said on stderr."""

    def __init__(self, out: TextIO = sys.stdout, err: TextIO = sys.stderr) -> None:
        self._out = out
        self._err = err

    def __call__(self, sign: Sign) -> None:
        """Print what stays."""
        if isinstance(sign, Arrived):
            # Whoever reads our output waits for the answers to what was put in.
            out = self._err if sign.request else self._out
            print(f"{heading(sign)}{sign.text}", file=out, flush=True)
        elif isinstance(sign, Noticed):
            print(f"({sign.text})", file=self._err, flush=True)

    def say(self, text: str) -> None:
        """Print a command's answer."""
        print(text, file=self._out, flush=True)


def messages(lines: TextIO) -> Iterator[str]:
    """Read a message a line; blank lines are none."""
    for line in lines:
        if line.strip():
            yield line
