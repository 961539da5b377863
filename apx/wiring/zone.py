"""Which time it is for the person."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo


def local_zone(name: str) -> tzinfo:
    """Give the person's zone; without a name, the machine's."""
    if name:
        return ZoneInfo(name)
    try:
        with Path("/etc/localtime").open("rb") as file:
            return ZoneInfo.from_file(file, key="local")
    except (OSError, ValueError):
        return datetime.now(UTC).astimezone().tzinfo or UTC
