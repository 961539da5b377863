"""What can go wrong at Discord, in our words: no vendor's error leaves this file."""

from __future__ import annotations

from typing import Final

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

# What the calls of this channel may be struck by, before it is translated.
STRUCK: Final = (discord.DiscordException, ClientError, OSError, TimeoutError)

# Before these, nothing was said to Discord.
_UNSENT: Final = (ClientConnectorError, ConnectionTimeoutError, InvalidURL)
_UNKNOWN_TOKEN: Final = 401
_TOO_LARGE: Final = 413
_TOO_MANY: Final = 429
_BROKEN: Final = 500
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
        return Flood(error.retry_after)
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


def _answer(error: discord.HTTPException, deed: str) -> Exception:
    status = error.status
    if status == _UNKNOWN_TOKEN:
        return WrongToken("Discord does not know this token")
    if status == _TOO_MANY:
        return Flood(60.0)  # with words of a proxy instead of Discord's
    if status >= _BROKEN:
        return Answered(f"Discord failed at {deed} with status {status}")
    told = _told(error)
    if error.code in _GONE:
        return Undeliverable(f"Discord does not take it there: {told}")
    return Rejected(told, error.code, status)


def _told(error: discord.HTTPException) -> str:
    """Take Discord's own sentence, on one line."""
    return " ".join((error.text or "no reason given").split())[:200]
