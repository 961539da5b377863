"""The errors of Discord's REST API, with its numbers and words."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """An answer that is an error; `code` is Discord's own number for it."""

    def __init__(
        self, status: int, code: int, message: str, errors: Any = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    @property
    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        body = {"message": self.message, "code": self.code}
        return body | ({"errors": self.errors} if self.errors else {})


def unauthorized() -> Refused:
    """Refuse a token that is of nobody."""
    return Refused(401, 0, "401: Unauthorized")


def unknown(kind: str) -> Refused:
    """Refuse what is not there, or not any more."""
    codes = {
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "User": 10013,
        "Webhook": 10015,
        "application command": 10063,
        "interaction": 10062,
    }
    return Refused(404, codes[kind], f"Unknown {kind}")


def forbidden(code: int) -> Refused:
    """Refuse what the bot may not do."""
    words = {
        50001: "Missing Access",
        50005: "Cannot edit a message authored by another user",
        50007: "Cannot send messages to this user",
        50013: "Missing Permissions",
    }
    return Refused(403, code, words[code])


def bad(code: int, words: str) -> Refused:
    """Refuse what makes no sense here."""
    return Refused(400, code, words)


def invalid(field: str, code: str, words: str) -> Refused:
    """Refuse a field of the body, the way forms are refused."""
    told = {"_errors": [{"code": code, "message": words}]}
    for name in reversed(field.split(".")):
        told = {name: told}  # type: ignore[dict-item]  # nested as deep as it goes
    return Refused(400, 50035, "Invalid Form Body", told)


def too_long(field: str, most: int) -> Refused:
    """Refuse words that are too many."""
    words = f"Must be {most} or fewer in length."
    return invalid(field, "BASE_TYPE_MAX_LENGTH", words)
