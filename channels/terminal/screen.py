"""A person at a terminal: a prompt with a history, answers that stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings
from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.text import Text

from channels.terminal.lines import heading
from channels.terminal.signs import Arrived, Noticed, Shown

if TYPE_CHECKING:
    from pathlib import Path

    from prompt_toolkit.key_binding import KeyPressEvent

    from channels.terminal.signs import Sign

_REFRESH: Final = 8


def session(history: Path) -> PromptSession[str]:
    """Open the prompt: Enter sends, Alt-Enter (or Esc, Enter) begins a new line."""
    keys = KeyBindings()

    @keys.add("enter")
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return PromptSession(
        history=FileHistory(str(history)),
        key_bindings=keys,
        multiline=True,
        enable_open_in_editor=True,
        prompt_continuation="  ",
    )


class Screen:
    """Shows an answer while it grows, then as it stays."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()
        self._live: Live | None = None
        self._text = ""

    def __call__(self, sign: Sign) -> None:
        """Show what came."""
        match sign:
            case Shown(text=text):
                self._grow(text)
            case Noticed(text=text):
                self.settle()
                self._console.print(Text(f"· {text}", style="dim"))
            case Arrived():
                self._arrive(sign)

    def say(self, text: str) -> None:
        """Show a command's answer."""
        self.settle()
        self._console.print(Text(text))

    def settle(self) -> None:
        """Leave what was shown as it is."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._text = ""

    def _grow(self, text: str) -> None:
        self._text += text
        if self._live is None:
            self._live = Live(
                console=self._console,
                refresh_per_second=_REFRESH,
                vertical_overflow="visible",
            )
            self._live.start()
        self._live.update(_rendered(self._text))

    def _arrive(self, sign: Arrived) -> None:
        shown = self._text
        if self._live is not None and sign.text.startswith(shown):
            # What was streamed, perhaps with a remark of ours behind it.
            self._live.update(_rendered(sign.text))
            self.settle()
            return
        self.settle()
        self._console.print(_rendered(f"{heading(sign)}{sign.text}"))


def _rendered(text: str) -> Markdown:
    """Render Markdown as chats do: a line's end is a line's end, not a space."""
    lines, in_fence = [], False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith(("```", "~~~"))
        in_fence ^= is_fence
        lines.append(line if in_fence or is_fence or not line else f"{line}  ")
    return Markdown("\n".join(lines))
