"""Masks the passwords and keys in whatever is about to be written down."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from apx.domain.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Mapping

# Ids and marks of ours and of vendors, in the bodies of events: nobody's words, and
# wanted back as they are. What a model calls so in its arguments may be anything.
_OPAQUE: Final = frozenset({"key", "keys", "id", "call", "signature", "message_id"})


def masked(body: Mapping[str, Any]) -> dict[str, Any]:
    """Mask every text in the body of an event, however deep it lies."""
    return {
        key: value if key in _OPAQUE else _masked(value) for key, value in body.items()
    }


def masked_lines(text: str) -> str:
    """Mask a file line by line, so that each stays the line that it is."""
    return "\n".join(map(mask, text.split("\n")))


def _masked(value: Any) -> Any:  # noqa: ANN401 -- JSON
    if isinstance(value, str):
        return _masked_text(value)
    if isinstance(value, dict):
        return masked(value)
    if isinstance(value, list | tuple):
        return [_masked(inner) for inner in value]
    return value


def _masked_text(text: str) -> str:
    r"""Mask a text; of JSON in a text, such as a call's arguments, what it says.

    There `\u5bc6\u7801` is a word that announces a password.
    """
    if text.startswith("{") and "\\u" in text:
        try:
            parsed = json.loads(text)
            safe = _all_masked(parsed)
        except (ValueError, RecursionError):
            return mask(text)
        if safe != parsed:
            # Once more: some values are known by the name before them.
            return mask(json.dumps(safe, ensure_ascii=False))
    return mask(text)


def _all_masked(value: Any) -> Any:  # noqa: ANN401 -- JSON
    if isinstance(value, str):
        return _masked_text(value)
    if isinstance(value, dict):
        return {mask(key): _all_masked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_all_masked(inner) for inner in value]
    return value
