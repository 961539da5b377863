"""What there is of a reply while it grows, before it is laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.text import flatten

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of a long reply its end is looked at while it grows; all of it comes when it is done.
_LOOKED_AT: Final = 4_000
_LINE: Final = 300


class View:
    """The text so far, and the line under it that says what is being done."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = ""

    @property
    def has_text(self) -> bool:
        """Whether there is anything of the reply."""
        return bool(self._parts)

    @property
    def has_line(self) -> bool:
        """Whether something is being done."""
        return bool(self._line)

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

        Taken apart from the laying out, which may run beside the loop.
        """
        text = "".join(self._parts)
        self._parts = [text] if text else []
        if len(text) <= _LOOKED_AT:
            return text, self._line, False
        start = len(text) - _LOOKED_AT
        line_start = text.find("\n", start, start + _LOOKED_AT // 2) + 1
        return text[line_start or start :], self._line, True
