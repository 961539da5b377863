"""How other people's words are shown to a model: as data, and unable to be more."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from apx.domain.budget import within
from apx.domain.delimiters import CLOSERS, OPENERS, Mark, begins, read
from apx.domain.text import (
    clean,
    content_terms,
    estimate_tokens,
    excerpt,
    flatten,
    normal,
    terms,
)

if TYPE_CHECKING:
    from apx.domain.quoted import Quoted

# What a line of a record begins with that tells what others wrote.
BY_OTHERS: Final = "(by others)"
NAME: Final = 40
_BY: Final = 60
_READ: Final = 400  # characters of a name that are looked at
_NAMELESS: Final = "somebody"
_FRAMING: Final = frozenset(f'{OPENERS}{CLOSERS}:\uff1a"\u201c\u201d`<>|\uff5c')
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_LEAST: Final = 16  # tokens of a block; with fewer it says nothing
_SEAM: Final = 2  # tokens: line ends, and what rounding costs
# The rest of a mark up to its bracket.
_BRACKETS: Final = re.escape(OPENERS + CLOSERS)
_TAIL: Final = re.compile(rf"([^\n{_BRACKETS}]{{0,160}})[{re.escape(CLOSERS)}]")

# What chat templates are made of: Llama 3 and 4, Qwen, Phi, Granite, Command-R, GLM
# and gpt-oss (`<|im_start|>`), DeepSeek (bars of full width), Gemma 4 (`<|turn>`).
_BARRED: Final = r"</?[|\uff5c][^\s<>|\uff5c]{1,64}(?:[|\uff5c]>?|>)"
_BARRED_END: Final = r"<[\w\u2581]{1,48}[|\uff5c]>"
# Llama 2, Mistral, Gemma 1 to 3, Qwen's and others' calls and thoughts.
_NAMED: Final = (
    r"</?(?:s|bos|eos|pad|unk|sop|eop|BOS_TOKEN|EOS_TOKEN|EOP_TOKEN|PAD_TOKEN"
    r"|(?:start|end)_of_(?:turn|image|audio|role|plugin)|unused\d{1,4}|think"
    r"|tool_calls?|tool_responses?|function_calls?|minimax:tool_call)>"
)
_SYS: Final = r"<</?SYS>>"
_SQUARE: Final = (
    r"\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT"
    r"|ARGS|CALL_ID|THINK|MODEL_SETTINGS|gMASK)\]"
)
_TOKEN: Final = re.compile(f"{_BARRED}|{_BARRED_END}|{_SYS}|{_NAMED}|{_SQUARE}")
_PLAINER: Final = str.maketrans("<>[]\uff5c", "\u2039\u203a()|")


def block(quoted: Quoted, tokens: int | None = None) -> str:
    """Write other people's words as a block of data that names where they are from.

    Nothing in them can end the block. With a bound it has at most so many tokens, and
    is empty where these are too few to say anything.
    """
    by = named(quoted.by, _BY) if quoted.by.strip() else ""
    head = f'{quoted.provenance} \u00b7 "{by}"' if by else quoted.provenance
    begin, end = f"{Mark.DATA.opening} {head}]\n", f"\n{Mark.DATA.closing}"
    text = harmless(quoted.text)
    if tokens is not None:
        room = tokens - estimate_tokens(begin + end) - _SEAM
        if room < min(_LEAST, estimate_tokens(text)):
            return ""
        text = within(text, room)
    return f"{begin}{text}{end}"


def line(origin: str, text: str) -> str:
    """Write a block of data on one line."""
    return f"{Mark.DATA.opening} {named(origin)}] {flatten(harmless(text))} {_CLOSE}"


def harmless(text: str) -> str:
    """Keep a text from looking like a mark of ours; any other stays as it is.

    The bracket becomes a round one: `[MEMORIA RELEVANTE]` is `(MEMORIA RELEVANTE)`.
    """
    parts: list[str] = []
    done = 0
    for place in begins(text):
        found = None if place < done else read(text, place)
        if found is None or found.is_partial:
            continue
        parts += [text[done:place], "(", text[place + 1 : found.end]]
        done = found.end
        if found.mark and (tail := _TAIL.match(text, done)):
            parts += [tail[1], ")"]
            done = tail.end()
    return "".join([*parts, text[done:]]) if parts else text


def untemplated(text: str) -> str:
    """Keep a text from being read as the tokens that chat templates are made of.

    A person still sees what is meant: `<|im_start|>` is written with other brackets.
    """
    if "<" not in text and "[" not in text:
        return text
    return _TOKEN.sub(lambda token: token[0].translate(_PLAINER), text)


def named(name: str, most: int = NAME) -> str:
    """Make a name that anybody may have chosen fit to stand before what they said."""
    plain = "".join(filter(_is_seen, flatten(clean(name[:_READ]))))
    return excerpt(harmless(plain), most) or _NAMELESS


def closed(text: str, tokens: int) -> str:
    """Keep a message within so many tokens; a block that is cut has its end."""
    kept = within(text, tokens)
    if kept == text or not _is_open(kept):
        return kept
    kept = within(text, tokens - estimate_tokens(_CLOSE) - _SEAM)
    if not _is_open(kept):
        return kept
    begin = kept.rfind(Mark.DATA.opening)
    if "]\n" in kept[begin:]:
        return f"{kept}\n{_CLOSE}"
    return kept[:begin].rstrip()  # not even its first line is there


def is_own(text: str, words: str) -> bool:
    """Whether all that a text says stands in a person's own words."""
    if not words.strip():
        return False
    said = {term for term in content_terms(text) if not term.startswith("~")}
    return said <= set(terms(words)) if said else normal(text) in normal(words)


def _is_open(text: str) -> bool:
    return text.rfind(Mark.DATA.opening) > text.rfind(_CLOSE)


def _is_seen(character: str) -> bool:
    return character not in _FRAMING and unicodedata.category(character) not in _UNSEEN


_CLOSE: Final = Mark.DATA.closing
