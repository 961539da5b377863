"""What can go wrong at Telegram, in our words: no vendor's error leaves this file.

Vendors' errors name the address they asked, which holds the token. None of it is kept.
"""

from __future__ import annotations

import re
from typing import Final

from aiogram import exceptions as told
from aiogram.exceptions import AiogramError
from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientResponseError,
    ConnectionTimeoutError,
    InvalidURL,
)

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from channels.shared.failures import Answered, Flood, Rejected, WrongToken

# What the calls of this channel may be struck by, before it is translated.
STRUCK: Final = (AiogramError, ClientError, OSError, TimeoutError)

# Before these, nothing was said to Telegram.
_UNSENT: Final = (ClientConnectorError, ConnectionTimeoutError, InvalidURL)
_NOT_FOUND: Final = 404
_LONGEST: Final = 200
# A place of no return, though Telegram calls it a bad request.
_GONE: Final = re.compile(
    r"chat not found|user not found|group chat was deactivated|peer_id_invalid|"
    r"chat_write_forbidden|no rights to send|not enough rights|user_is_blocked|"
    r"need administrator rights|user_deactivated|channel_private",
    re.IGNORECASE,
)


class Migrated(Unreachable):
    """The group has another id now, `to_chat`."""

    def __init__(self, to_chat: int) -> None:
        super().__init__(f"the group has the id {to_chat} now")
        self.to_chat = to_chat


class Conflicted(Unreachable):
    """Another program fetches the updates of this bot, or a webhook gets them."""


class NoMethod(Rejected):
    """The server is too old for what was asked of it."""


class Unread(Answered):
    """It was done, but the answer could not be read; `result` is what there is."""

    def __init__(self, result: object) -> None:
        super().__init__("Telegram did it, but its answer could not be read")
        self.result = result


def translated(error: Exception, deed: str) -> Exception:
    """Say in our own words what happened while `deed` was asked for.

    `TimeoutError` is given for whatever leaves open whether it was done.
    """
    if isinstance(error, told.TelegramEntityTooLarge):
        return Rejected("it is too large")
    if isinstance(error, told.TelegramNetworkError):
        return _network(error.__cause__ or error, deed)
    if isinstance(error, told.TelegramAPIError):
        return _answer(error, deed)
    if isinstance(error, told.ClientDecodeError):
        return _garbled(error, deed)
    return _network(error, deed)


def _network(cause: BaseException, deed: str) -> Exception:
    """Tell what was never sent from what may have arrived."""
    if isinstance(cause, _UNSENT):
        return Unreachable(f"Telegram cannot be reached ({type(cause).__name__})")
    if isinstance(cause, ClientResponseError):
        if cause.status == _NOT_FOUND:
            return Rejected("it is not there (any more)")
        return Unreachable(f"Telegram answered {deed} with status {cause.status}")
    # Whoever breaks a connection off is there; silence ends by a deadline alone.
    kind = TimeoutError if isinstance(cause, TimeoutError) else Answered
    return kind(
        f"Telegram did not answer {deed}: nobody knows whether it was done"
        f" ({type(cause).__name__})"
    )


def _answer(error: told.TelegramAPIError, deed: str) -> Exception:
    description = _description(error)
    if isinstance(error, told.TelegramRetryAfter):
        return Flood(error.retry_after)
    if isinstance(error, told.TelegramMigrateToChat):
        return Migrated(error.migrate_to_chat_id)
    if isinstance(error, told.TelegramServerError):
        return Answered(f"Telegram failed at {deed}: {description}")
    if description.lower().startswith("too many requests"):
        return Flood(1)
    return _refusal(error, description)


def _refusal(error: told.TelegramAPIError, description: str) -> ChannelError:
    if isinstance(error, told.TelegramNotFound) and "method" in description.lower():
        return NoMethod(description)
    if isinstance(error, told.TelegramUnauthorizedError | told.TelegramNotFound):
        return WrongToken("Telegram does not know this token")
    if isinstance(error, told.TelegramConflictError):
        return Conflicted(description)
    if isinstance(error, told.TelegramForbiddenError) or _GONE.search(description):
        return Undeliverable(f"Telegram does not take it there: {description}")
    return Rejected(description)


def _garbled(error: told.ClientDecodeError, deed: str) -> TimeoutError:
    if isinstance(error.data, dict) and error.data.get("ok") is True:
        return Unread(error.data.get("result"))
    return Answered(f"something else than Telegram answered {deed}")


def _description(error: told.TelegramAPIError) -> str:
    """Take Telegram's own sentence; it is short, one line, and names no address."""
    first, *_ = (error.message or "no reason given").splitlines() or [""]
    return first[:_LONGEST]
