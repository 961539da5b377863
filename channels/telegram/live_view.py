"""What a reply of Telegram looks like while it grows."""

from __future__ import annotations

from typing import Final

from channels.telegram.markdown import render
from channels.telegram.rendered import Rendered, is_blank
from channels.telegram.sending_pieces import joined
from channels.telegram.splitting import LIMIT, split

_ROOM: Final = LIMIT - 400
_CUT: Final = Rendered("…\n")
NOTHING: Final = Rendered("…")
STOPPED: Final = Rendered("(stopped)")


def drawn(text: str, line: str, *, is_cut: bool) -> Rendered:
    """Lay out what is seen now."""
    chunks = split(render(text, is_plain=False), _ROOM)
    shown = [chunks[-1]] if chunks else []
    if shown and (is_cut or len(chunks) > 1):
        shown.insert(0, _CUT)
    if line and not is_blank(line):
        shown.append(Rendered(f"\n\n… {line}" if shown else f"… {line}"))
    return joined(*shown) if shown else NOTHING


def stopped(text: str, *, is_cut: bool) -> Rendered:
    """Lay out what stays of a reply that was stopped."""
    seen = drawn(text, "", is_cut=is_cut)
    return STOPPED if seen == NOTHING else joined(seen, Rendered("\n\n"), STOPPED)
