"""Patterns that are compiled when they are first used: a short command needs none."""

from __future__ import annotations

import re
from functools import cache


@cache
def pattern(source: str) -> re.Pattern[str]:
    """Compile a pattern once."""
    return re.compile(source)


@cache
def ascii_pattern(source: str) -> re.Pattern[str]:
    """Compile a pattern in which letters and digits are those of English, once."""
    return re.compile(source, re.ASCII)
