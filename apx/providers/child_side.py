"""Owns what a process of ours does for itself: its bounds, and how it says things."""

from __future__ import annotations

import json
import resource
import sys
from contextlib import suppress
from typing import Final

_CODE: Final = ("socket.", "subprocess.", "ctypes.")
_LOOKS: Final = frozenset({"os.listdir", "os.scandir"})  # for what is to be imported
_READ_ONLY: Final = 0
_ACCESS: Final = 3


def say(told: dict[str, object]) -> None:
    """Say something to whoever started this; where nobody listens, this ends."""
    sys.stdout.write(f"{json.dumps(told)}\n")
    # Whoever is killed in a moment has said it.
    sys.stdout.flush()


def limit(what: int, most: int) -> None:
    """Set a bound of this process, which may be made wider later."""
    with suppress(ValueError, OSError):  # some systems know not all of them
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, hard))


def write_nothing() -> None:
    """Have no file written from now on; also what is compiled is not kept."""
    limit(resource.RLIMIT_FSIZE, 0)
    limit(resource.RLIMIT_CORE, 0)


def stay_inside() -> None:
    """Have Python call nobody, start nothing and change no file from now on."""
    sys.addaudithook(_guard)


def _guard(event: str, about: tuple[object, ...]) -> None:
    if event == "open":
        flags = about[2]
        if isinstance(flags, int) and flags & _ACCESS == _READ_ONLY:
            return
    elif event in _LOOKS or not event.startswith(("os.", *_CODE)):
        return
    raise PermissionError(event)
