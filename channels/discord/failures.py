"""What can go wrong at Discord, in our words: no vendor's error leaves this file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import discord
from aiohttp import (
    ClientConnectorError,
    ClientError,
    ConnectionTimeoutError,
    InvalidURL,
)

from apx.domain.errors import Undeliverable, Unreachable
from channels.shared import failures
from channels.shared.failures import Answered, Flood, WrongToken

if TYPE_CHECKING:
    from collections.abc import Mapping

# What is read of an answer that says something else than it should.
MALFORMED: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
# What the calls of this channel may be struck by, before it is translated. A session
# that was closed meanwhile is a `RuntimeError` to aiohttp.
STRUCK: Final = (
    discord.DiscordException,
    ClientError,
    OSError,
    TimeoutError,
    RuntimeError,
    *MALFORMED,
)

# Before these, nothing was said to Discord.
_UNSENT: Final = (ClientConnectorError, ConnectionTimeoutError, InvalidURL)
_REFUSED: Final = 400
_UNKNOWN_TOKEN: Final = 401
_NOTHING: Final = 404
_TOO_LARGE: Final = 413
_TOO_MANY: Final = 429
_BROKEN: Final = 500
# How long to be silent if nobody says it: words of a proxy instead of Discord's.
_SILENCE: Final = 60.0
# Nobody means more, whatever is told.
_LONGEST_SILENCE: Final = 86_400.0
# Switched off for a while, or overloaded.
_PASSING: Final = frozenset({40004, 40006, 130000})
_JSON: Final = "application/json"
# Places of no return: unknown channel and guild, missing access and permissions, a
# person who takes no messages, a thread that is locked, a channel that has no text.
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
_GONE: Final = frozenset(
    {10003, 10004, 10013, 50001, 50007, 50008, 50013, 50278, 160005}
)
_ARCHIVED: Final = 50083


class Rejected(failures.Rejected):
    """Discord does not take it as it is; `code` is its own number for that, or 0."""

    def __init__(self, description: str, code: int = 0, status: int = 400) -> None:
        super().__init__(description, "Discord")
        self.code = code
        self.status = status

    @property
    def is_too_large(self) -> bool:
        """Whether what came along was too large."""
        return self.status == _TOO_LARGE or self.code == 40005  # noqa: PLR2004 -- as said

    @property
    def is_archived(self) -> bool:
        """Whether it was sent to a thread that has to be opened again."""
        return self.code == _ARCHIVED


def translated(error: Exception, deed: str) -> Exception:
    """Say in our own words what happened while `deed` was asked for.

    `TimeoutError` is given for whatever leaves open whether it was done.
    """
    if isinstance(error, discord.RateLimited):
        return Flood(min(error.retry_after, _LONGEST_SILENCE))
    if isinstance(error, discord.LoginFailure):
        return WrongToken("Discord does not know this token")
    if isinstance(error, discord.HTTPException):
        return _answer(error, deed)
    if isinstance(error, _UNSENT):
        return Unreachable(f"Discord cannot be reached ({type(error).__name__})")
    # Whoever breaks a connection off is there; silence ends by a deadline alone.
    kind = TimeoutError if isinstance(error, TimeoutError) else Answered
    return kind(
        f"Discord did not answer {deed}: nobody knows whether it was done"
        f" ({type(error).__name__})"
    )


def troubled(status: int, headers: Mapping[str, str], deed: str) -> Exception | None:
    """Say what an answer means that has nothing to do with what was asked for."""
    if status == _TOO_MANY:
        return Flood(silence(headers, _SILENCE))
    if status >= _BROKEN:
        return Answered(f"Discord failed at {deed} with status {status}")
    return None


def blocked(status: int, headers: Mapping[str, str]) -> Exception | None:
    """Say that a refusal is of something before Discord, which would say JSON.

    That nothing is there, or that a file is too large, may be said by anybody.
    """
    kind = headers.get("Content-Type") or ""
    is_known = status < _REFUSED or status in {_NOTHING, _TOO_LARGE}
    if is_known or kind.startswith(_JSON):
        return None
    return _unasked(status)


def silence(headers: Mapping[str, str], usual: float) -> float:
    """Read for how many seconds nothing is to be sent; `usual` if that is not told."""
    try:
        seconds = float(headers["Retry-After"])
    except (LookupError, ValueError):
        return usual
    if not math.isfinite(seconds):
        return usual
    return min(max(seconds, 0.0), _LONGEST_SILENCE)


def told(text: object) -> str:
    """Take Discord's own sentence, on one line."""
    words = text if isinstance(text, str) else ""
    return " ".join((words or "no reason given").split())[:200]


def _answer(error: discord.HTTPException, deed: str) -> Exception:
    if error.status == _UNKNOWN_TOKEN:
        return WrongToken("Discord does not know this token")
    headers = error.response.headers
    came: object = error.code
    trouble = troubled(error.status, headers, deed)
    if trouble is None and not came:
        trouble = blocked(error.status, headers)
    if trouble is not None:
        return trouble
    code = came if isinstance(came, int) else 0
    if code in _PASSING:
        return _unasked(error.status)
    if code in _GONE:
        return Undeliverable(f"Discord does not take it there: {told(error.text)}")
    return Rejected(told(error.text), code, error.status)


def _unasked(status: int) -> Unreachable:
    return Unreachable(f"Discord cannot be asked now (status {status})")
