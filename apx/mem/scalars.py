"""One value of frontmatter as YAML: how it is read, how it is written."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 2999
_MONTHS: Final = 12
_DAY_SIZE: Final = 10

# Line ends of any program become blanks; other controls mean nothing in one line.
_ENDS: Final = (*range(9, 14), *range(0x1C, 0x20), 0x85, 0x2028, 0x2029)
_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF)
_FLAT: Final = {**dict.fromkeys(_CONTROLS), **dict.fromkeys(_ENDS, " ")}

# What YAML does not take as it is, not even in quotes.
_ESCAPED: Final = {
    **{code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))},
    **{code: f"\\u{code:04x}" for code in (0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)},
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}
_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_WIDTHS: Final = {"x": 2, "u": 4, "U": 8}
_QUOTES: Final = ("'", '"')

# Words that begin with a letter and are no text to YAML.
_WORDS: Final = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
_NOTHING: Final = ("", "~", "null", "Null", "NULL")
_BLANKS: Final = " \t\r"


def is_day(text: str) -> bool:
    """Tell whether a text is a day of the calendar, as `2026-12-01`."""
    year, month, day = text[:4], text[5:7], text[8:]
    digits = year + month + day
    if len(text) != _DAY_SIZE or text[4] != "-" or text[7] != "-":
        return False
    if not (digits.isascii() and digits.isdigit()):
        return False
    if not (_FIRST_YEAR <= int(year) <= _LAST_YEAR and 1 <= int(month) <= _MONTHS):
        return False
    leaps = month == "02" and int(year) % 4 == 0
    leaps = leaps and (int(year) % 100 != 0 or int(year) % 400 == 0)
    return 1 <= int(day) <= _DAYS[int(month) - 1] + leaps


def one_line(text: str) -> str:
    """Put blanks for what ends a line anywhere, and drop what is no character."""
    if text.isprintable():
        return text
    return _whole(text, "ignore").translate(_FLAT)


def _whole(text: str, halves: str) -> str:
    """Join the two halves of characters; do as told with a half that is alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", halves)
    return text


def scalar(text: str, comment: str = " #") -> str | None:
    """Read what stands behind a key; None for YAML's words for nothing.

    What is no valid YAML, as `a: b`, is the text itself.
    """
    text = text.strip(_BLANKS)
    if text[:1] in _QUOTES and text:
        said, end = quoted(text, 0)
        if end and text[end:].lstrip(_BLANKS)[:1] in {"", "#"}:
            return one_line(said)
    if text[:1] == "#":
        return None
    if "#" in text:
        text = f"{text} ".partition(comment)[0].rstrip(_BLANKS)
    return None if text in _NOTHING else one_line(text)


def quoted(text: str, at: int) -> tuple[str, int]:
    """Read what is in quotes from `at` on; give where it ends, 0 if it does not."""
    mark = text[at]
    pieces: list[str] = []
    at += 1
    while (end := text.find(mark, at)) >= 0:
        if mark == "'":
            pieces.append(text[at:end])
            if text[end + 1 : end + 2] != mark:
                return "".join(pieces), end + 1
            pieces.append(mark)
            at = end + 2
            continue
        slash = text.find("\\", at, end)
        if slash < 0:
            pieces.append(text[at:end])
            return "".join(pieces), end + 1
        pieces.append(text[at:slash])
        said, at = _unescaped(text, slash + 1)
        pieces.append(said)
    return "", 0


def _unescaped(text: str, at: int) -> tuple[str, int]:
    """Read what stands behind a backslash; give where it ends."""
    letter = text[at : at + 1]
    digits = text[at + 1 : at + 1 + _WIDTHS.get(letter, 0)]
    if not digits:
        return _ESCAPES.get(letter, letter), at + 1
    try:
        return chr(int(digits, 16)), at + 1 + len(digits)
    except (ValueError, OverflowError):
        return f"\\{letter}", at + 1


def listed(text: str) -> tuple[str, ...]:
    """Read `[a, "b"]`, or words with commas between them."""
    if text[:1] != "[":
        text = f"[{scalar(text) or ''}"
    at = 1
    found: list[str] = []
    while at < len(text) and text[at] != "]":
        if text[at] in " ,\t\r[":
            at += 1
        else:
            said, at = _item(text, at)
            found.append(said)
    return tuple(dict.fromkeys(filter(None, found)))


def _item(text: str, at: int) -> tuple[str, int]:
    """Read one word of a list; give where it ends."""
    if text[at] in _QUOTES:
        said, end = quoted(text, at)
        if end:
            return one_line(said), end
    # The nearer one; never looking further, as lists can be long.
    end = text.find(",", at)
    end = len(text) if end < 0 else end
    closing = text.find("]", at, end)
    end = end if closing < 0 else closing
    return one_line(text[at:end].strip(_BLANKS)), end


def written(value: str | float | tuple[str, ...]) -> str:
    """Write a value so that each reader of YAML reads it back, on one line."""
    if isinstance(value, tuple):
        return f"[{', '.join(_text(item, _is_word(item)) for item in value)}]"
    if isinstance(value, str):
        return _text(value, _is_plain(value))
    text = repr(value)
    # To YAML 1.1, a number with an exponent has a point.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _text(value: str, bare: bool) -> str:
    if bare:
        return value
    return f'"{_whole(value, "replace").translate(_ESCAPED)}"'


def _is_plain(text: str) -> bool:
    """Whether it means itself behind a key."""
    return (
        text[:1].isalpha()
        and text.isprintable()
        and text[-1] not in " :"
        and ": " not in text
        and " #" not in text
        and text.casefold() not in _WORDS
    )


def _is_word(text: str) -> bool:
    """Whether it means itself in a list."""
    letters = text.replace("-", "").replace("_", "").replace(".", "")
    return letters.isalnum() and _is_plain(text)
