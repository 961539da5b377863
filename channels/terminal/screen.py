"""What a person at a terminal sees: answers that grow, then stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit.utils import get_cwidth
from rich.console import Console
from rich.text import Text

from apx.domain.text import clean, excerpt
from channels.terminal.lines import heading
from channels.terminal.markdown import rendered
from channels.terminal.prompt import MARK
from channels.terminal.signs import Arrived, Noticed, Shown, Working

if TYPE_CHECKING:
    from rich.console import RenderableType

    from channels.terminal.prompt import Prompt
    from channels.terminal.signs import Sign

# Rich needs a little room for its frames and bullets.
_NARROWEST: Final = 10
# Of a long answer only the end is looked at while it grows.
_LOOKED_AT: Final = 8_000
_WAITING: Final = 3
# Marks that join or turn characters: terminals do not agree on their effect on width.
_UNSTEADY: Final = dict.fromkeys(
    [
        0x200D,
        0xFE0E,
        0xFE0F,
        0x200E,
        0x200F,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ]
)


class Screen:
    """Shows what grows above the prompt for a while, and prints what stays.

    Without a prompt only what stays is seen.
    """

    def __init__(
        self, console: Console | None = None, prompt: Prompt | None = None
    ) -> None:
        self._console = console or Console()
        self._prompt = prompt
        self._turn = 0
        self._text = ""
        self._note = ""
        self._waiting: list[str] = []

    def __call__(self, sign: Sign) -> None:
        """Show what came."""
        match sign:
            case Shown(turn=turn, text=text):
                self._grow(turn, text)
            case Working(turn=turn, tools=tools):
                self._settle_before(turn)
                # The answer does not repeat what was said before the tools.
                self._print_partial()
                self._note = f"· {', '.join(tools)}" if tools else ""
            case Noticed(text=text):
                self._note = f"· {text}"
            case Arrived():
                self._arrive(sign)
        self._refresh()

    def echo(self, text: str) -> None:
        """Print what the person said."""
        indented = text.replace("\n", "\n" + " " * len(MARK))
        self._print(Text(f"\n{MARK}{indented}"))

    def say(self, text: str) -> None:
        """Print a command's answer."""
        self._print(Text(clean(text)))

    def hint(self, text: str) -> None:
        """Show a word about the keys, until something else comes."""
        self._note = text
        self._refresh()

    def waits(self, texts: list[str]) -> None:
        """Show what was typed and has to wait for its turn."""
        self._waiting = texts
        self._refresh()

    def settle(self) -> None:
        """Leave what was shown as it is: nothing more comes."""
        self._print_partial()
        self._note = ""
        self._refresh()

    def live(self, width: int, height: int) -> list[str]:
        """Give the lines above the prompt: the answer's end, then what goes on."""
        told = [self._note] if self._note else []
        told += [f"(waits) {excerpt(text, 200)}" for text in self._waiting[:_WAITING]]
        if len(self._waiting) > _WAITING:
            told.append(f"(waits) and {len(self._waiting) - _WAITING} more")
        below = [line for text in told for line in tail(text, width, 1)][-height:]
        return [*tail(self._text, width, height - len(below)), *below]

    def _grow(self, turn: int, text: str) -> None:
        self._settle_before(turn)
        self._text += text
        self._note = ""

    def _arrive(self, sign: Arrived) -> None:
        if self._text.strip() in sign.text:
            # What was streamed, perhaps with a remark of ours around it.
            self._text = ""
        self._print_partial()
        self._note = ""
        if before := heading(sign):
            self._print(Text(before.rstrip()))
        self._print(rendered(sign.text, is_plain=sign.is_plain))

    def _settle_before(self, turn: int) -> None:
        if turn != self._turn:
            self._print_partial()
            self._turn = turn

    def _print_partial(self) -> None:
        text, self._text = self._text, ""
        if text.strip():
            self._print(rendered(text))

    def _print(self, what: RenderableType) -> None:
        if self._prompt is None:
            self._console.print(what)
            return
        self._console.width = max(self._prompt.columns(), _NARROWEST)
        self._prompt.above(lambda: self._console.print(what))

    def _refresh(self) -> None:
        if self._prompt is not None:
            self._prompt.refresh()


def tail(text: str, width: int, height: int) -> list[str]:
    """Give the last lines of a text, each at most `width` columns wide."""
    if height < 1 or width < 1 or not text.strip():
        return []
    steady = clean(text[-_LOOKED_AT:]).expandtabs(4).translate(_UNSTEADY)
    lines = steady.strip("\n").split("\n")[-height:]
    return [piece for line in lines for piece in _wrapped(line, width)][-height:]


def _wrapped(line: str, width: int) -> list[str]:
    pieces, start, space, used = [], 0, -1, 0
    for place, character in enumerate(line):
        columns = get_cwidth(character)
        while used + columns > width and place > start:
            end = space + 1 if space >= start else place
            pieces.append(line[start:end])
            start, used = end, get_cwidth(line[end:place])
        if character == " ":
            space = place
        used += columns
    return [*pieces, line[start:]]
