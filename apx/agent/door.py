"""The one door between channels and the agent: who is this, may they, what is theirs.

A channel holds the door of its own name. It hands over what the platform said, and
gets an answer; it never holds a person, a role or an audience.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.agent.admitting import admitted, tidied
from apx.agent.newcomers import code_in, entered
from apx.domain.access import Rules, Verdict, decide
from apx.domain.errors import HomeError, InputError, StoreError
from apx.domain.heard import Heard, What
from apx.domain.person import TERMINAL, Audience, Person, Role
from apx.domain.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from apx.agent.beside import Beside
    from apx.agent.gateway import Gateway
    from apx.agent.newcomers import Newcomers
    from apx.agent.pressing import Presses
    from apx.domain.access import Known
    from apx.domain.heard import Button, Caller, Press
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound
    from apx.store.people import People
    from apx.store.threads import Threads

_THE_OWNER: Final = Person(TERMINAL.user, Role.OWNER)
_NOT_HERE: Final = "But this bot listens to others only; its owner knows why."
_NOT_YOURS: Final = "This is not yours to press."
_NO_RULES: Final = Rules()
_ASIDE: Final = frozenset({What.EDIT, What.CONTEXT})
_WORDS: Final = frozenset({What.MESSAGE, What.COMMAND, What.POST})


class Doors:
    """Makes the door of each channel; all of them lead to the same gateway."""

    def __init__(  # noqa: PLR0913 -- where the rooms behind a door meet
        self,
        *,
        people: People,
        newcomers: Newcomers,
        presses: Presses,
        beside: Beside,
        gateway: Gateway,
        threads: Threads,
        redact: Callable[[str], str] = mask,
    ) -> None:
        self._people = people
        self._newcomers = newcomers
        self._presses = presses
        self._beside = beside
        self._gateway = gateway
        self._threads = threads
        self._redact = redact

    def of(self, channel: str, rules: Mapping[str, Rules] | None = None) -> ChannelDoor:
        """Give a channel its door; `rules` by the bot that is written to."""
        return ChannelDoor(self, channel, rules or {})

    async def known(self, caller: Caller) -> Known | None:
        """Say whose an account is."""
        return await self._people.known(caller.account)

    async def stranger(self, heard: Heard, rules: Rules) -> str | None:
        """Answer somebody who is not let in: they may have a code."""
        verdict = decide(rules, heard.caller, await self.known(heard.caller))
        answer = await self._newcomers.knock(heard, may_ask=verdict is Verdict.ASKS)
        known = await self.known(heard.caller)
        is_new = known is not None and known.paired and verdict is not Verdict.IN
        if is_new and decide(rules, heard.caller, known) is not Verdict.IN:
            return f"{answer}\n{_NOT_HERE}"
        return answer

    async def newcomer(self, heard: Heard, rules: Rules) -> Person:
        """Make a person of somebody whom the rules let in."""
        is_listed = heard.caller.account.user in rules.allow
        role = Role.MEMBER if is_listed else Role.GUEST
        caller = heard.caller
        return await self._people.add(
            caller.account, role, caller.name, heard.at, paired=False
        )

    async def let_in(self, heard: Heard, person: Person) -> str | None:
        """Hand a message on as whose it is; a code is taken, not handed on."""
        await self._fits(heard)
        code = code_in(heard.text)
        is_code = code and "-" in code and not heard.text.startswith("/link")
        if is_code and not heard.caller.group:
            return entered(await self._newcomers.enter(heard.caller.account, code, ""))
        inbound = await self._admitted(heard, person)
        answer = None
        if heard.caller.account.channel != TERMINAL.channel:
            answer = await self._beside.command(inbound)
        if answer is None:
            answer = await self._gateway.hear(inbound)
        await self._newcomers.remind(person, heard.caller)
        return answer

    async def _fits(self, heard: Heard) -> None:
        """Refuse what is said to be private in a room, or the other way round."""
        audience = await self._threads.audience_of(heard.caller.thread)
        if audience and Audience(audience).is_private == bool(heard.caller.group):
            raise InputError(
                f"{heard.caller.thread}: a private chat and a group at once"
            )

    async def ordered(self, heard: Heard, person: Person) -> str | None:
        """Do a chat command and give its answer; nothing for any other text."""
        return await self._gateway.order(await self._admitted(heard, person))

    async def _admitted(self, heard: Heard, person: Person) -> Inbound:
        """Take in what was said, without the passwords and keys in it.

        Not even the model of this turn is shown them: they would be in its answer.
        """
        # In a thread: a long message takes its time, and others are heard meanwhile.
        safe = await asyncio.to_thread(self._safe, heard)
        return admitted(safe, person)

    def _safe(self, heard: Heard) -> Heard:
        quoted = [replace(q, text=self._redact(q.text)) for q in heard.quoted]
        return replace(heard, text=self._redact(heard.text), quoted=tuple(quoted))

    async def pressed(self, press: Press, person: Person) -> str | None:
        """Do what a button says, if it is this person's to press."""
        return await self._presses.pressed(press, person)

    async def amended(self, heard: Heard, person: Person) -> bool:
        """Take what a person made of an earlier message; false if there is none."""
        inbound = await self._admitted(heard, person)
        return await self._beside.amend(inbound, heard.revision)

    async def overheard(self, heard: Heard) -> None:
        """Keep for a while what was said in a room, but not to the assistant."""
        await self._beside.overhear(await asyncio.to_thread(self._safe, heard))

    async def gone(self, thread: Thread, external_id: str, at: datetime) -> None:
        """Let nothing come of a message that was deleted."""
        await self._beside.gone(thread, external_id, at)

    async def choices(self, heard: Heard, person: Person) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a chat command."""
        try:
            return await self._beside.choices(await self._admitted(heard, person))
        except (InputError, StoreError, HomeError):
            return ()  # the answer has said what is wrong


class ChannelDoor:
    """The door of one channel: what comes through it is of that channel."""

    def __init__(self, doors: Doors, channel: str, rules: Mapping[str, Rules]) -> None:
        self._doors = doors
        self._channel = channel
        self._rules = rules

    async def hear(self, heard: Heard) -> str | None:
        """Take a message; once this returns, it is never lost.

        Gives what is to be answered at once: the answer of a chat command, a line to
        a stranger. The reply to anything else comes through the channel's `deliver`.
        """
        heard = tidied(heard)
        verdict, person = await self._judged(heard.caller)
        if heard.what in _ASIDE:
            await self._beside(heard, person if verdict is Verdict.IN else None)
            return None
        if verdict is Verdict.SILENCE or heard.what not in _WORDS:
            return None
        rules = self._rules_for(heard.caller)
        if verdict in {Verdict.ASKS, Verdict.SHUT}:
            return await self._doors.stranger(heard, rules)
        if person is None:
            person = await self._doors.newcomer(heard, rules)
        return await self._doors.let_in(heard, person)

    async def order(self, heard: Heard) -> str | None:
        """Do a chat command at once, and nothing else."""
        verdict, person = await self._judged(heard.caller)
        if verdict is not Verdict.IN or person is None:
            return None
        return await self._doors.ordered(heard, person)

    async def press(self, press: Press) -> str | None:
        """Take a button; gives what is to be answered at once."""
        verdict, person = await self._judged(press.caller)
        if verdict is not Verdict.IN or person is None:
            raise InputError(_NOT_YOURS)
        return await self._doors.pressed(press, person)

    async def buttons(self, heard: Heard) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a chat command."""
        heard = tidied(heard)
        verdict, person = await self._judged(heard.caller)
        if verdict is not Verdict.IN or person is None:
            return ()
        return await self._doors.choices(heard, person)

    async def admits(self, caller: Caller) -> bool:
        """Whether somebody may, for whatever else a platform brings."""
        verdict, _ = await self._judged(caller)
        return verdict in {Verdict.IN, Verdict.NEW}

    async def gone(self, thread: Thread, external_id: str, at: datetime) -> None:
        """Take note that a message was deleted: its turn ends, or never begins.

        Who deleted it the platform does not tell; it was seen there by then.
        """
        if thread.channel != self._channel:
            raise InputError(f"{thread}: not a thread of {self._channel}")
        await self._doors.gone(thread, external_id, at)

    async def _beside(self, heard: Heard, person: Person | None) -> None:
        """Take an edit, or words of a room: whoever says these need not be let in."""
        caller = heard.caller
        is_ours = caller.group in self._rules_for(caller).groups
        is_edit = heard.what is What.EDIT and person is not None
        if is_edit and person and await self._doors.amended(heard, person):
            return
        if is_ours and not caller.is_bot and heard.text:
            await self._doors.overheard(heard)

    async def _judged(self, caller: Caller) -> tuple[Verdict, Person | None]:
        self._check(caller)
        if self._channel == TERMINAL.channel:
            return Verdict.IN, _THE_OWNER
        known = await self._doors.known(caller)
        verdict = decide(self._rules_for(caller), caller, known)
        return verdict, known.person if known else None

    def _rules_for(self, caller: Caller) -> Rules:
        return self._rules.get(caller.account.bot, _NO_RULES)

    def _check(self, caller: Caller) -> None:
        """Refuse what is not of this channel and bot: nobody speaks for another."""
        account, thread = caller.account, caller.thread
        is_ours = account.channel == thread.channel == self._channel
        bot, _, _ = thread.place.partition(":")
        if not is_ours or (account.bot and account.bot != bot):
            raise InputError(f"{thread}: not a thread of {account}")
