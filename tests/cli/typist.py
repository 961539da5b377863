"""Somebody at a terminal, and what stands on it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.utils import get_cwidth

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Command

PATIENCE = 30
_SIGN = re.compile(r"\x1b\[([\d;?]*)([A-Za-z])|\x1b[>=]|.", re.DOTALL)


class Typist:
    """Types at a terminal of its own, and sees what stands on it."""

    def __init__(self, apx: Command, columns: int = 80, **environ: str) -> None:
        self.fd, side = pty.openpty()
        self.resize(columns)
        env = {"TERM": "xterm", "XTERM_VERSION": "1", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "apx", "chat"],
            env={**apx.env, **env, **environ},
            stdin=side,
            stdout=side,
            stderr=side,
            umask=0,
        )
        os.close(side)
        apx.running.append(self.process)
        self.columns = columns
        self.raw = b""
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(self.fd, self._read)

    def _read(self) -> None:
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            piece = b""
        if not piece:
            self.hang_up()
        self.raw += piece
        self._more.set()

    def type(self, text: str | bytes) -> None:
        os.write(self.fd, text if isinstance(text, bytes) else text.encode())

    def resize(self, columns: int) -> None:
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)

    def hang_up(self) -> None:
        """Close the terminal."""
        if self.fd >= 0:
            asyncio.get_running_loop().remove_reader(self.fd)
            os.close(self.fd)
            self.fd = -1

    def screen(self) -> str:
        return drawn(self.raw.decode(errors="replace"), self.columns)

    async def sees(self, wanted: str) -> None:
        """Wait until something stands on the screen."""
        await self._until(lambda: wanted in self.screen())

    async def gets(self, wanted: bytes) -> None:
        """Wait until something was written, wherever it stands."""
        await self._until(lambda: wanted in self.raw)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            pytest.fail(f"it never came:\n{self.screen()}")

    async def leaves(self) -> None:
        """Wait until apx has ended, in good order."""
        assert await asyncio.to_thread(self.process.wait, PATIENCE) == 0
        assert "Traceback" not in self.screen()


def drawn(raw: str, columns: int) -> str:
    """Give what stands on an endless screen after all that was written on it."""
    glass = Glass(columns)
    for found in _SIGN.finditer(raw):
        if found[2]:
            glass.move(found[2], int(found[1]) if found[1].isdigit() else 1)
        else:
            glass.write(found[0])
    return "\n".join(line.rstrip() for line in glass.lines).replace("\0", "")


class Glass:
    """The lines of a terminal, and a cursor on them."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lines = [""]
        self.x = self.y = 0

    def move(self, sign: str, count: int) -> None:
        if sign in "AB":
            self._go(self.x, self.y - count if sign == "A" else self.y + count)
        elif sign in "CD":
            self._go(self.x + count if sign == "C" else self.x - count, self.y)
        elif sign in "JK":
            self.lines[self.y] = self.lines[self.y][: self.x]
            if sign == "J":
                del self.lines[self.y + 1 :]

    def write(self, character: str) -> None:
        if character in "\r\n\b":
            x = {"\r": 0, "\n": self.x, "\b": self.x - 1}[character]
            self._go(x, self.y + (character == "\n"))
        elif character.isprintable():
            width = get_cwidth(character)
            if self.x + width > self.columns:
                self._go(0, self.y + 1)
            line, end = self.lines[self.y].ljust(self.x), self.x + width
            # A wide character takes two places; the second one is empty.
            put = character + "\0" * (width - 1)
            self.lines[self.y] = line[: self.x] + put + line[end:]
            self._go(end, self.y)

    def _go(self, x: int, y: int) -> None:
        self.x, self.y = max(x, 0), max(y, 0)
        self.lines += [""] * (self.y + 1 - len(self.lines))
