"""What a reply of Discord looks like while it grows."""

from __future__ import annotations

from typing import Final

from channels.discord.markdown import render
from channels.discord.splitting import LIMIT, split
from channels.shared.units import units

_CUT: Final = "…\n"
NOTHING: Final = "…"
STOPPED: Final = "(stopped)"


def drawn(text: str, line: str, *, is_cut: bool) -> str:
    """Lay out what is seen now: the text, and small below it what is being done."""
    doing = render(line, is_plain=True)
    below = f"-# … {doing}" if doing else ""
    return _laid(text, f"\n{below}" if below else "", is_cut=is_cut) or below or NOTHING


def stopped(text: str, *, is_cut: bool) -> str:
    """Lay out what stays of a reply that was stopped."""
    return _laid(text, f"\n\n{STOPPED}", is_cut=is_cut) or STOPPED


def _laid(text: str, below: str, *, is_cut: bool) -> str:
    """Give the end of a text with something below it; empty if there is no text."""
    room = LIMIT - units(below) - units(_CUT)
    chunks = split(render(text, is_plain=False), room)
    if not chunks:
        return ""
    above = _CUT if is_cut or len(chunks) > 1 else ""
    return f"{above}{chunks[-1]}{below}"
