"""The chat commands, the same on every channel, and who may give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.agent.asked import Asked
from apx.domain.person import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from apx.agent.asked import Command
    from apx.agent.run import Run
    from apx.agent.sights import Sights
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound

HELP: Final = """\
/new             start afresh; what was said stays in memory
/stop            stop the answer that is being written
/retry           run the last request again that got no answer
/status          what runs, and what does not
/model           which model answers
/usage           what models were asked today, and what that cost
/compact         condense this conversation; WORDS say what to keep
/compact undo    show it whole again
/memory          the newest notes; /memory search WORDS looks everywhere
/memory history  what was so before, too; WORDS say of what
/memory review   facts that may become notes: /memory accept or reject ID
/remember TEXT   save a note
/forget ID       erase a note and what says the same (or words: /forget TEXT)
/share ID        let everybody here know a note
/why             what memory brought to the last answer
/threads         the conversations in all channels
/link            a code that joins another account of yours; /link CODE enters one
/unlink          part this account from you
/yes /no         answer a question that I asked
/help            this list"""
_OWNERS_HELP: Final = """\
/people          who may talk to me, and who waits for your yes
/approve N       let somebody in (/approve N guest: as a guest); /refuse N"""

_LATER: Final = frozenset({"undo"})
_OWNERS: Final = frozenset({"people", "approve", "refuse"})
# A guest talks; what is remembered, and for whom, is not theirs to say.
_GUESTS: Final = frozenset(
    {"new", "stop", "retry", "model", "usage", "why", "link", "unlink", "yes", "no"}
    | {"help", "status", "forget"}
)


class Commands:
    """Knows the commands by name; each group of them has a room of its own."""

    def __init__(
        self,
        groups: Mapping[str, Command],
        sights: Sights,
        stop: Callable[[Thread], bool],
    ) -> None:
        self._known: Mapping[str, Command] = {**groups, "help": _help}
        self._sights = sights
        self._stop = stop

    async def answer(self, heard: Inbound, run: Run | None) -> str | None:
        """Do what a command says; nothing for any other text."""
        word, *rest = heard.text.split(maxsplit=1) or [""]
        name = word[1:].partition("@")[0].lower() if word.startswith("/") else ""
        if name in _LATER:
            return f"/{name} is not part of this version of apx yet."
        command = self._known.get(name)
        if command is None:
            return None
        if refusal := _refusal(name, heard):
            return refusal
        sight = await self._sights.of(heard.person, str(heard.audience))
        return await command(Asked(heard, "".join(rest), run, sight))

    def stop(self, thread: Thread) -> bool:
        """Stop a command that takes long; false if none is under way."""
        return self._stop(thread)


def _refusal(name: str, heard: Inbound) -> str:
    role = heard.role
    if name in _OWNERS and role is not Role.OWNER:
        return "Only the owner can do that."
    # A room's conversation is not a guest's to end.
    may = _GUESTS - {"new"} if heard.audience.thread else _GUESTS
    if role is Role.GUEST and name not in may:
        return f"Guests cannot use /{name} here; the owner can make you a member."
    return ""


async def _help(asked: Asked) -> str:
    is_owner = asked.heard.role is Role.OWNER
    return f"{HELP}\n{_OWNERS_HELP}" if is_owner else HELP
