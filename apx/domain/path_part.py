"""How an id becomes a part of a path: the same on every file system."""

from __future__ import annotations

import hashlib
import re
from typing import Final

_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
# Windows takes these for devices, whatever stands behind a dot.
_DEVICES: Final = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


def path_part(name: str) -> str:
    """Keep a plain name as it is; of any other give `sha256-` and its digest."""
    if _PLAIN.fullmatch(name) and not _DEVICES.fullmatch(name):
        return name
    return f"sha256-{hashlib.sha256(name.encode()).hexdigest()}"
