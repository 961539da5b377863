"""The terminal without a screen: answers as plain text on a pipe."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TextIO

from channels.terminal.signs import Arrived, Noticed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from channels.terminal.signs import Sign

# What a person writes to leave; in a terminal alone, so it is no chat command.
QUIT: Final = frozenset({"/quit", "/exit"})

_BLOCK: Final = 65536


def heading(sign: Arrived) -> str:
    """Say what one could not tell from the text: a repeat, what it answers."""
    repeat = "(may be a repeat) " if sign.is_repeat else ""
    late = f"(answer to “{sign.request}”) " if sign.is_late else ""
    return f"{late}{repeat}"


class Lines:
    """Prints answers, and on stderr what to wait for.

    `aside` is where failures and answers to other messages go: they belong to a
    conversation, but not to what a program gets that asked one thing.
    """

    def __init__(
        self,
        out: TextIO = sys.stdout,
        err: TextIO = sys.stderr,
        aside: TextIO = sys.stderr,
    ) -> None:
        self._out = out
        self._err = err
        self._aside = aside
        self._arrived: list[Arrived] = []

    def __call__(self, sign: Sign) -> None:
        """Keep what arrives until it is known which message it answers."""
        if isinstance(sign, Arrived):
            self._arrived.append(sign)
        elif isinstance(sign, Noticed):
            print(f"({sign.text})", file=self._err, flush=True)

    def end(self, turn: int, state: str) -> None:
        """Print what arrived by the end of a turn."""
        for sign in self._arrived:
            is_ours = sign.turn == turn
            shown = sign if is_ours else replace(sign, is_late=True)
            is_answer = is_ours and state == "completed"
            out = self._out if is_answer else self._aside
            print(f"{heading(shown)}{shown.text}", file=out, flush=True)
        self._arrived.clear()

    def say(self, text: str) -> None:
        """Print a command's answer."""
        print(text, file=self._out, flush=True)


class Piped:
    """The messages that come through a pipe, one a line; blank lines are none.

    A thread of its own reads them: a read cannot be given up, and the program must
    be able to end while nobody writes into the pipe.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self.was_left = False
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def end(self) -> None:
        """Give no more messages: the person wants to leave."""
        self.was_left = True
        self._lines.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[str]:
        """Give each message as soon as its line has ended."""
        while (line := await self._lines.get()) is not None:
            if line.strip():
                yield line

    def _read(self) -> None:
        rest = b""
        while block := self._block():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                self._put(line.decode("utf-8", "replace"))
        self._put(rest.decode("utf-8", "replace"))
        self._put(None)

    def _block(self) -> bytes:
        try:
            return os.read(self._descriptor, _BLOCK)
        except OSError:
            return b""

    def _put(self, line: str | None) -> None:
        # The program may have ended meanwhile.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
