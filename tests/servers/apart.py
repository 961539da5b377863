"""A server in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[2]


@contextmanager
def apart(module: str, *arguments: str) -> Iterator[list[str]]:
    """Start a module, and give the words that it says first; it ends with us."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()
        finally:
            process.stdin.close()
            process.wait(30)
