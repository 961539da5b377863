"""Imports aiogram so that a class is built when it is first used, not before.

aiogram tells pydantic to wait (`defer_build`), then has it build all of some four
hundred classes at the end of its import: two seconds and a hundred megabytes, for
the thirty that a bot of ours uses. Here they are only told where names are looked up,
and pydantic builds each by itself when it is needed.
"""

from __future__ import annotations

import threading
from typing import Any, Final

from pydantic import BaseModel

_OURS: Final = "aiogram.types"
_BUILD: Final = "model_rebuild"
_NAMES: Final[dict[str, Any]] = {}
_CALLER: Final = 2  # where pydantic looks names up: who called, seen from itself
_turn: Final = threading.Lock()
_at_once: Final = vars(BaseModel)[_BUILD]


def loaded() -> None:
    """Import aiogram, in whichever thread; does nothing the second time."""
    with _turn:
        if not _NAMES:
            _load()


def _load() -> None:
    setattr(BaseModel, _BUILD, classmethod(_later))
    try:
        from aiogram import methods  # noqa: PLC0415 -- what this is about
    finally:
        setattr(BaseModel, _BUILD, _at_once)
    # What holds others looks their names up in its own place.
    for one in vars(methods).values():
        if isinstance(one, type) and issubclass(one, BaseModel):
            one.__pydantic_parent_namespace__ = _NAMES


def _later(model: type[BaseModel], /, **more: Any) -> bool | None:  # noqa: ANN401 -- pydantic's
    """Keep the names of a class of aiogram; build any other as ever.

    Others may be built in other threads meanwhile; they must not see this call.
    """
    names = more.get("_types_namespace")
    if names is None or not model.__module__.startswith(_OURS):
        depth = more.get("_parent_namespace_depth", _CALLER)
        more["_parent_namespace_depth"] = depth + (depth > 0)
        found: bool | None = _at_once.__get__(None, model)(**more)
        return found
    _NAMES.update(names)
    model.__pydantic_parent_namespace__ = _NAMES
    return None
