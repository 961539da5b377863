"""Markdown as a terminal shows it: what was written is all there to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import emphasis
from rich import markdown
from rich.table import Table
from rich.text import Text

from apx.domain.text import clean

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

# Each level of lists and quotes takes a few columns; of more there is nothing left.
_DEEPEST: Final = 16
# These would take away what a person should read: the address of an image and of a
# reference, the brackets of `<std::string>`, the `&lt;` that is being explained, the
# line of dashes below a text.
_UNWANTED: Final = ("autolink", "entity", "html_inline", "image")
_UNWANTED_BLOCKS: Final = ("html_block", "lheading", "reference")


def rendered(text: str, *, is_plain: bool = False) -> RenderableType:
    """Give what a console prints for a text; plain text is shown as it is."""
    text = clean(text)
    if is_plain:
        return Text(text)
    shown = _Markdown(text)
    return Text(text) if shown.depth > _DEEPEST else shown


class _Markdown(markdown.Markdown):
    """Rich's Markdown with a parser that takes nothing away."""

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False, justify="default")
        self.markup = text
        self.parsed = _PARSER.parse(text)
        self.depth = max((token.level for token in self.parsed), default=0)


class _Table(markdown.TableElement):
    """A table whose long words go on in the next line; they would be cut off."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
            yield table


_Markdown.elements = {**markdown.Markdown.elements, "table_open": _Table}


def _asterisks(state: StateInline, silent: bool) -> bool:
    """Take asterisks for emphasis, but `__init__`, `a_b` and `2*3*4` literally."""
    start, text = state.pos, state.src
    if text[start] != "*":
        return False
    end = start
    while end < state.posMax and text[end] == "*":
        end += 1
    before, after = text[start - 1 : start], text[end : end + 1]
    # In ASCII only: Chinese and Japanese have no spaces around what is stressed.
    if not (_is_ascii_word(before) and _is_ascii_word(after)):
        return emphasis.tokenize(state, silent)
    if not silent:
        state.pending += text[start:end]
    state.pos = end
    return True


def _is_ascii_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _keep_line_ends(state: StateCore) -> None:
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "softbreak":
                child.type = "hardbreak"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False})
    parser.enable(["strikethrough", "table"])
    parser.disable([*_UNWANTED, *_UNWANTED_BLOCKS])
    parser.inline.ruler.at("emphasis", _asterisks)
    parser.core.ruler.push("line_ends", _keep_line_ends)
    return parser


_PARSER: Final = _parser()
