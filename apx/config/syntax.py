"""What is wrong with a text that is no JSON, in words that help to mend it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import json

# Python words these differently from version to version; the beginnings are stable.
_EXPECTED: Final = {
    "Expecting property name": "a key in double quotes",
    "Expecting ','": "a comma or the closing bracket",
    "Expecting ':'": "a colon after the key",
    "Extra data": "nothing more: the object is closed",
    "Unterminated string": "the closing double quote of this text",
    "Invalid control": "no line break or tab inside a text (write \\n or \\t)",
    "Invalid \\": "no backslash such as this one (write \\\\ for one)",
    "Invalid Unicode": "no backslash such as this one (write \\\\ for one)",
    "Illegal trailing comma": "no comma before the closing bracket",
}
# What stands at the place of the fault, and what the person may have meant.
_HINTS: Final = (
    (r",\s*[}\]]", "remove the comma before the closing bracket"),
    (r"//|/\*|#", "JSON has no comments; remove it"),
    (r"'", "write double quotes"),
    ("[\u201c\u201d\u2018\u2019\u00ab]", "write plain double quotes"),
    (r"True|False|None|yes|no|on|off", "write true, false or null"),
    (r"\Z", "the file ends too early"),
)


def explained(error: json.JSONDecodeError) -> str:
    """Say where a text stops being JSON, what was expected there, and a hint."""
    text, spot = error.doc, error.pos
    if not text.strip("\ufeff \t\r\n"):
        return "empty; write {} into it or remove it"
    place = f"line {error.lineno}, column {error.colno}"
    wanted = next(
        (said for start, said in _EXPECTED.items() if error.msg.startswith(start)),
        "a value",
    )
    hint = _hint(text, spot)
    return f"{place}: expected {wanted}" + (f"; {hint}" if hint else "")


def _hint(text: str, spot: int) -> str | None:
    # Some versions of Python point at the bracket behind a comma too many.
    before = text[:spot].rstrip()
    if before.endswith(",") and text[spot : spot + 1] in {"}", "]"}:
        spot = len(before) - 1
    rest = text[spot:].lstrip()
    return next((said for look, said in _HINTS if re.match(look, rest)), None)
