"""The chat commands, the same on every channel, and who may give them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from apx.agent.asked import Asked
from apx.domain.person import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from apx.agent.asked import Choices, Command
    from apx.agent.run import Run
    from apx.agent.sights import Sights
    from apx.domain.heard import Button
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound

HELP: Final = """\
/new             start afresh; what was said stays in memory
/stop            stop the answer that is being written
/retry           run the last request again that got no answer
/status          what runs, and what does not
/model           which model answers here; /model NAME changes it
/usage           what models were asked today, and what that cost
/compact         condense this conversation; WORDS say what to keep
/compact undo    show it whole again
/memory          the newest notes; /memory search WORDS looks everywhere
/memory history  what was so before, too; WORDS say of what
/memory review   facts that may become notes: /memory accept or reject ID
/remember TEXT   save a note
/forget ID       erase a note and what says the same (or words: /forget TEXT)
/share ID        let everybody here know a note
/mem             what is kept on purpose; /mem search WORDS finds more of it
/mem add TEXT    keep a constraint, decision, failure, howto or preference
/mem review      what waits for a decision: /mem keep N, /mem drop N, /mem undo
/why             what memory brought to the last answer
/threads         the conversations in all channels
/link            a code that joins another account of yours; /link CODE enters one
/unlink          part this account from you
/yes /no         answer a question that I asked
/help            this list"""
_OWNERS_HELP: Final = """\
/people          who may talk to me, and who waits for your yes
/approve N       let somebody in (/approve N guest: as a guest); /refuse N"""

# What a platform shows of them when somebody types a slash: a few words each.
MENU: Final = (
    ("new", "start afresh; what was said stays in memory"),
    ("stop", "stop the answer that is being written"),
    ("retry", "run the last request again that got no answer"),
    ("memory", "the newest notes; search WORDS looks everywhere"),
    ("remember", "save a note"),
    ("forget", "erase a note and what says the same"),
    ("share", "let everybody here know a note"),
    ("mem", "what is kept on purpose; add TEXT keeps more"),
    ("why", "what memory brought to the last answer"),
    ("model", "which model answers here"),
    ("compact", "condense this conversation"),
    ("threads", "the conversations in all channels"),
    ("usage", "what models were asked today"),
    ("status", "what runs, and what does not"),
    ("link", "a code that joins another account of yours"),
    ("unlink", "part this account from you"),
    ("help", "all commands"),
)
# After these something may follow.
WORDED: Final = frozenset(
    {"memory", "mem", "remember", "forget", "share", "model", "compact", "link"}
)
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
        choices: Mapping[str, Choices] = MappingProxyType({}),
    ) -> None:
        self._known: Mapping[str, Command] = {**groups, "help": _help}
        self._choices = choices
        self._sights = sights
        self._stop = stop

    async def answer(self, heard: Inbound, run: Run | None) -> str | None:
        """Do what a command says; nothing for any other text."""
        name, rest = _read(heard.text)
        if name in _LATER:
            return f"/{name} is not part of this version of apx yet."
        command = self._known.get(name)
        if command is None:
            return None
        if refusal := _refusal(name, heard):
            return refusal
        return await command(await self._asked(heard, rest, run))

    async def choices(self, heard: Inbound, run: Run | None) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a command."""
        name, rest = _read(heard.text)
        offer = self._choices.get(name)
        if offer is None or _refusal(name, heard):
            return ()
        return await offer(await self._asked(heard, rest, run))

    def knows(self, text: str) -> bool:
        """Whether a text is a chat command."""
        name, _ = _read(text)
        return name in self._known or name in _LATER

    async def _asked(self, heard: Inbound, rest: str, run: Run | None) -> Asked:
        sight = await self._sights.of(heard.person, str(heard.audience))
        return Asked(heard, rest, run, sight)

    def stop(self, thread: Thread) -> bool:
        """Stop a command that takes long; false if none is under way."""
        return self._stop(thread)


def _read(text: str) -> tuple[str, str]:
    """Part a command's name from the rest; empty for any other text."""
    word, *rest = text.split(maxsplit=1) or [""]
    name = word[1:].partition("@")[0].lower() if word.startswith("/") else ""
    return name, "".join(rest)


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
