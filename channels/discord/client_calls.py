"""How far a call has come: what a deadline broke off may never have been sent."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import aiohttp

from channels.discord.failures import silence

if TYPE_CHECKING:
    from types import SimpleNamespace

_TOO_MANY: Final = 429
_SILENCE: Final = 1.0


class Course:
    """One call on its way; `is_sent` says that Discord may have done it.

    `silence` is how long it was told to wait, 0 if it was not.
    """

    def __init__(self) -> None:
        self.is_sent = False
        self.silence = 0.0


_COURSE: Final[ContextVar[Course | None]] = ContextVar("course", default=None)


def followed() -> Course:
    """Follow the calls of this task from now on."""
    course = Course()
    _COURSE.set(course)
    return course


def trace() -> aiohttp.TraceConfig:
    """Give what a session has to be made with for its calls to be followed."""
    config = aiohttp.TraceConfig()
    config.on_request_headers_sent.append(_sent)
    config.on_request_end.append(_ended)
    return config


async def _sent(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: object
) -> None:
    course = _COURSE.get()
    if course is not None:
        course.is_sent = True
        course.silence = 0.0


async def _ended(
    _session: aiohttp.ClientSession,
    _context: SimpleNamespace,
    params: aiohttp.TraceRequestEndParams,
) -> None:
    course = _COURSE.get()
    if course is not None and params.response.status == _TOO_MANY:
        course.is_sent = False
        course.silence = silence(params.response.headers, _SILENCE) or _SILENCE
