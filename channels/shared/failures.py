"""What can go wrong at any platform, as those know it who try again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.errors import ChannelError, Unreachable

if TYPE_CHECKING:
    from apx.domain.heard import Notice


class Flood(Unreachable):
    """Too much was sent; `retry_after` is how many seconds to be silent."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"{retry_after:.0f} seconds of silence are wanted")
        self.retry_after = retry_after


class WrongToken(Unreachable):
    """The platform knows no such bot: the token was mistyped or revoked."""


class Rejected(ChannelError):
    """The platform does not take it as it is; `description` is its reason."""

    def __init__(self, description: str, platform: str = "Telegram") -> None:
        super().__init__(f"{platform} refused it: {description}")
        self.description = description

    def says(self, *phrases: str) -> bool:
        """Whether the reason holds one of these, whatever the case."""
        found = self.description.lower()
        return any(phrase.lower() in found for phrase in phrases)


class Answered(TimeoutError):
    """It failed or hung up; nobody knows whether it was done, but it was no silence."""


class HalfSaid(Unreachable):
    """A notice broke off: `rest` was surely not said, all before it was."""

    def __init__(self, error: Unreachable, rest: Notice) -> None:
        super().__init__(str(error))
        self.rest = rest
        self.retry_after = error.retry_after if isinstance(error, Flood) else None
