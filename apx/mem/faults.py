"""What goes wrong with curated memories, as data: a code, words, and what to do."""

from __future__ import annotations

from apx.domain.errors import InputError

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

FAILED: Final = 1
USAGE: Final = 2


class MemFault(InputError):
    """A wish that the store cannot fulfil.

    `code` is for programs, `hints` say what to do instead, `status` is the exit code:
    1 where it cannot be done now, 2 where it was asked in a wrong way.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *hints: str,
        status: int = FAILED,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.hints = hints
        self.status = status


def wrong(message: str, *hints: str, code: str = "usage") -> MemFault:
    """Say that something was asked in a wrong way; nothing was done."""
    return MemFault(code, message, *hints, status=USAGE)
