"""What is wrong with a bot, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apx.ports import Clock

# The kinds of trouble.
SILENT: Final = "silent"
ELSEWHERE: Final = "elsewhere"
TOKEN: Final = "token"  # noqa: S105 -- the name of a trouble
STOPPED: Final = "stopped"
ASIDE: Final = "aside"
STORE: Final = "store"
REFUSED: Final = "refused"
HOOK: Final = "hook"
GROUP: Final = "group"


class Troubles:
    """What people should know is wrong with a bot; each thing is said once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[str, str] = {}

    def has(self, kind: str, text: str) -> bool:
        """Take note of a trouble; false if it was known."""
        is_new = self._known.get(kind) != text
        self._known[kind] = text
        return is_new

    def over(self, *kinds: str) -> None:
        """Take note that troubles are over."""
        for kind in kinds:
            self._known.pop(kind, None)

    def silent(self) -> bool:
        """Take note that the server does not answer; false if that was known."""
        if SILENT in self._known:
            return False
        # With its zone: whoever reads this may be in another.
        since = f"{self._clock():%H:%M %Z}".strip()
        return self.has(SILENT, f"no answer from the server since {since}")

    def include(self, *kinds: str) -> bool:
        """Whether one of these is known."""
        return any(kind in self._known for kind in kinds)

    @property
    def text(self) -> str:
        """Say all of it on one line; empty if nothing is wrong."""
        return "; ".join(self._known.values())
