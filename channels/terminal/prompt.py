"""The line at the bottom of a terminal: what is typed there, what stands above it."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Final, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings

from apx.domain.secrets import mask
from apx.domain.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.layout.screen import Char

MARK: Final = "> "
# A growing answer is drawn so many seconds after it grew, with all that came since.
_PAUSE: Final = 1 / 8
_TALLEST: Final = 10
_IS_OURS: Final = has_focus(DEFAULT_BUFFER)
_IS_EMPTY: Final = Condition(lambda: not get_app().current_buffer.text)


class Typing(Protocol):
    """Who sits behind a prompt."""

    def live(self, width: int, height: int) -> list[str]:
        """Give the lines that stand above the prompt now and go away later."""
        ...

    def take(self, text: str) -> None:
        """Take what was typed."""
        ...

    def interrupt(self) -> None:
        """Take note of a Ctrl-C where nothing was typed."""
        ...


class _History(FileHistory):
    """What was typed, for the arrow keys; passwords and keys are not kept."""

    def store_string(self, string: str) -> None:
        """Append a line to the file; what is to be forgotten is not kept for it."""
        if not string.lstrip().startswith("/forget"):
            super().store_string(mask(string))


class Prompt:
    """Is there all the time: one may type while an answer grows above."""

    def __init__(self, history: Path) -> None:
        # Nobody else's business, whatever the umask.
        history.touch(mode=0o600)
        history.chmod(0o600)
        self._session: PromptSession[None] = PromptSession(
            history=_History(str(history)),
            multiline=True,
            enable_suspend=True,
            prompt_continuation=" " * len(MARK),
        )
        self._typing: Typing | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._session.app.erase_when_done = True
        self._session.app.terminal_size_polling_interval = None
        self._session.app.before_render += self._mend
        self._size = self._session.output.get_size()
        self._reflows = reflows(os.environ)
        self._is_away = False
        self._held: list[Callable[[], None]] = []

    async def run(self, typing: Typing) -> None:
        """Let the person type until they leave."""
        self._typing = typing
        self._session.key_bindings = self._keys(typing)
        try:
            await self._session.prompt_async(
                self._message,
                set_exception_handler=False,
                pre_run=self._mind_the_size,
            )
        except (EOFError, OSError, KeyboardInterrupt):
            # The terminal itself was closed; or it is a dumb one, which knows no
            # other Ctrl-C.
            return
        finally:
            self._typing = None
            if self._timer is not None:
                self._timer.cancel()

    def leave(self) -> None:
        """End `run`."""
        app = get_app()
        if app.is_running and not app.is_done:
            app.exit()

    def columns(self) -> int:
        """Give the width of the terminal."""
        return self._session.output.get_size().columns

    def above(self, show: Callable[[], None]) -> None:
        """Have something printed that stays, above the prompt."""
        if self._is_away:
            self._held.append(show)
            return
        app = self._session.app
        if app.is_running:
            # At once and not with `run_in_terminal`: that gives the terminal its echo
            # back for a moment, and tells us too late that something was shown.
            self._mend()
            app.renderer.erase()
        show()
        app.invalidate()

    def refresh(self) -> None:
        """Draw what is live soon; however often it changes, that stays cheap."""
        if self._timer is None and self._session.app.is_running:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_PAUSE, self._draw)

    def _draw(self) -> None:
        self._timer = None
        self._session.app.invalidate()

    def _mind_the_size(self) -> None:
        # Soon, as prompt_toolkit puts a handler of its own in this place first. That
        # one erases too little where lines were broken.
        loop = asyncio.get_running_loop()
        loop.call_soon(
            loop.add_signal_handler, signal.SIGWINCH, self._session.app.invalidate
        )

    def _mend(self, _: object = None) -> None:
        """Erase what was drawn for another size of the terminal."""
        app = self._session.app
        size, screen = app.output.get_size(), app.renderer.last_rendered_screen
        if size == self._size:
            return
        self._size = size
        if screen is not None and self._reflows:
            cursor = screen.get_cursor_position(app.layout.current_window)
            widths = [_used(screen.data_buffer[y]) for y in range(cursor.y)]
            app.output.cursor_up(broken([*widths, cursor.x + 1], size.columns))
        app.renderer.erase(leave_alternate_screen=False)

    def _message(self) -> StyleAndTextTuples:
        app = self._session.app
        if self._typing is None or app.is_done:
            return [("", MARK)]
        size = app.output.get_size()
        height = min(_TALLEST, size.rows // 2 - 1)
        # One column is left free: some terminals begin a new line in the last one.
        lines = self._typing.live(size.columns - 1, height) if height > 0 else []
        return [*(("dim", f"{line}\n") for line in lines), ("", MARK)]

    def _keys(self, typing: Typing) -> KeyBindings:
        keys = _writing(typing)

        @keys.add("c-x", "c-e", filter=_IS_OURS)
        async def _edit(event: KeyPressEvent) -> None:
            self._is_away = True
            try:
                await event.current_buffer.open_in_editor()
            finally:
                self._come_back()

        return keys

    def _come_back(self) -> None:
        self._is_away = False
        held, self._held = self._held, []
        for show in held:
            self.above(show)


def broken(widths: Iterable[int], columns: int) -> int:
    """Count the rows that lines take beyond one each, once they are broken."""
    return sum(max(width - 1, 0) // columns for width in widths)


def _used(row: Mapping[int, Char]) -> int:
    return max(
        (x + char.width for x, char in row.items() if char.char.strip()), default=0
    )


def reflows(environ: Mapping[str, str]) -> bool:
    """Tell whether the terminal breaks long lines anew when it gets narrower.

    Nearly all do; xterm, GNU screen, rxvt and the console of Linux cut them off.
    """
    if "TMUX" in environ:
        return True
    is_cutting = {"XTERM_VERSION", "STY"} & environ.keys()
    return not is_cutting and not environ.get("TERM", "").startswith(("linux", "rxvt"))


def _writing(typing: Typing) -> KeyBindings:
    """Bind Enter, Alt-Enter (or Esc, Enter), Ctrl-C and Ctrl-D."""
    keys = KeyBindings()

    @keys.add("enter", filter=_IS_OURS)
    def _send(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if (text := clean(buffer.text)).strip():
            buffer.append_to_history()
            buffer.reset()
            typing.take(text)

    @keys.add("escape", "enter", filter=_IS_OURS)
    def _break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("c-c", filter=_IS_OURS)
    @keys.add("<sigint>")
    def _interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            typing.interrupt()

    @keys.add("c-d", filter=_IS_OURS & _IS_EMPTY)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit()

    return keys
