"""Owns processes of ours that do one thing, say it in lines, and can be killed.

What people attach is read there: a file that makes its reader hang, swell or crash
takes a process with it that nobody needs.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Sequence
    from typing import BinaryIO

_CHUNK: Final = 1 << 16
# What Python and a model's files are found by. No key that may stand beside them.
_ENVIRONMENT: Final = ("PYTHONPATH", "PATH", "HOME", "HF_HOME", "XDG_CACHE_HOME")


@asynccontextmanager
async def running(
    module: str, arguments: Sequence[str], file: BinaryIO
) -> AsyncIterator[Process]:
    """Run a module with a file as its input; after the block it is gone.

    Its arguments can be read by everybody on this machine: no names, no words.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *arguments),
        stdin=file,
        stdout=PIPE,
        stderr=DEVNULL,
        cwd="/",
        env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        # A Ctrl-C in the terminal is for us to act on.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        await _end(process)


async def said(process: Process, most: int) -> AsyncIterator[dict[str, Any]]:
    """Give what a process says, an object a line, up to so many bytes in all.

    It ends where the process does, or where it says what is none of this.
    """
    assert process.stdout is not None  # noqa: S101 -- `running` made it so
    rest = b""
    while most > 0 and (piece := await process.stdout.read(_CHUNK)):
        most -= len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            with suppress(ValueError, RecursionError):
                told = json.loads(line)
                if isinstance(told, dict):
                    yield told


async def _end(process: Process) -> None:
    assert process.stdout is not None  # noqa: S101 -- as above
    with suppress(ProcessLookupError):
        if process.returncode is None:
            process.kill()
    # What it said and nobody read would keep the pipe open.
    while await process.stdout.read(_CHUNK):
        pass
    await process.wait()
