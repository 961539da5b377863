"""Masks the passwords and keys in whatever is about to be written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apx.domain.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Mapping

# Ids and marks of ours and of vendors: nobody's words, and wanted back as they are.
_OPAQUE: Final = frozenset({"key", "keys", "id", "call", "signature", "message_id"})


def masked(body: Mapping[str, Any]) -> dict[str, Any]:
    """Mask every text in the body of an event, however deep it lies."""
    return {
        key: value if key in _OPAQUE else _masked(value) for key, value in body.items()
    }


def _masked(value: Any) -> Any:  # noqa: ANN401 -- JSON
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return masked(value)
    if isinstance(value, list | tuple):
        return [_masked(inner) for inner in value]
    return value
