"""What a reply looks like while it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.text import flatten
from channels.telegram.markdown import render
from channels.telegram.rendered import Rendered, is_blank
from channels.telegram.sending_pieces import joined
from channels.telegram.splitting import LIMIT, split

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of a long reply its end is looked at while it grows; all of it comes when it is done.
_LOOKED_AT: Final = 4_000
_ROOM: Final = LIMIT - 400
_LINE: Final = 300
_CUT: Final = Rendered("…\n")
NOTHING: Final = Rendered("…")
STOPPED: Final = Rendered("(stopped)")


class View:
    """The text so far, and the line under it that says what is being done."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = ""

    @property
    def has_text(self) -> bool:
        """Whether there is anything of the reply."""
        return bool(self._parts)

    def show(self, text: str) -> None:
        """Append text; what was being done is done."""
        if text:
            self._parts.append(text)
            self._line = ""

    def work(self, tools: Sequence[str]) -> None:
        """Say what is at work."""
        self.notice(", ".join(tools))

    def notice(self, text: str) -> None:
        """Say something under the text."""
        self._line = flatten(text).strip()[:_LINE]

    @property
    def source(self) -> tuple[str, str, bool]:
        """The end of the text, the line, and whether text was left out.

        Taken apart from `drawn`, which may run beside the loop.
        """
        text = "".join(self._parts)
        self._parts = [text] if text else []
        if len(text) <= _LOOKED_AT:
            return text, self._line, False
        start = len(text) - _LOOKED_AT
        line_start = text.find("\n", start, start + _LOOKED_AT // 2) + 1
        return text[line_start or start :], self._line, True


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
