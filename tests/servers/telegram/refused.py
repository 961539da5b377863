"""The errors of the Bot API, in the words of the real server."""

from __future__ import annotations

from typing import Any

CONFLICT = (
    "Conflict: terminated by other getUpdates request; "
    "make sure that only one bot instance is running"
)
CONFLICT_WEBHOOK = (
    "Conflict: can't use getUpdates method while webhook is active; "
    "use deleteWebhook to delete the webhook first"
)
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are "
    "exactly the same as a current content and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


class Refused(Exception):
    """An answer with `ok` false; as a fault, `fail("sendMessage", Refused(...))`."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        body = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        return body | ({"parameters": self.parameters} if self.parameters else {})


def bad(text: str, **parameters: Any) -> Refused:
    """Give the usual error, a 400."""
    return Refused(400, f"Bad Request: {text}", **parameters)


def forbidden(text: str) -> Refused:
    """Give the error of a chat that does not want the bot."""
    return Refused(403, f"Forbidden: {text}")


def too_many(seconds: int) -> Refused:
    """Give the error of a bot that sends too fast."""
    words = f"Too Many Requests: retry after {seconds}"
    return Refused(429, words, retry_after=seconds)
