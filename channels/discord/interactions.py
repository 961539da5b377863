"""Interactions: each is acknowledged first, and done as a task of its own."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from channels.discord.interactions_bell import Bell
from channels.discord.interactions_commands import Order
from channels.discord.interactions_reading import Kind, Ticket, ticket
from channels.discord.interactions_reply import EPHEMERAL, Hands, Reply
from channels.discord.pressing import Presses
from channels.discord.private import is_private
from channels.shared.answering import FAILURES

if TYPE_CHECKING:
    import asyncio

    from channels.shared.raw import Raw

log = structlog.get_logger(__name__)

_REMEMBERED: Final = 2_000
_NO_FORM: Final = "I do not know this form."
# Discord's numbers for answers to interactions.
_PONG: Final = 1
_MESSAGE: Final = 4
_THINKING: Final = 5
_LATER: Final = 6
_CHOICES: Final = 8


class Interactions:
    """What becomes of a slash command or a press; none waits for another.

    They are in no lane: /stop must be heard while a turn runs, and Discord gives up
    after three seconds, whatever the loop or the database are doing.
    """

    def __init__(self, hands: Hands, group: asyncio.TaskGroup) -> None:
        self._hands = hands
        self._group = group
        self._presses = Presses(hands)
        self._bell = Bell(hands.client.vendor.http.user_agent)
        self._known: OrderedDict[int, None] = OrderedDict()

    def take(self, raw: Raw) -> None:
        """Have an interaction done; a session that is resumed may bring it again."""
        try:
            found = ticket(raw)
        except FAILURES as error:
            log.warning("discord_interaction_unread", error=type(error).__name__)
            return
        if found is None or found.id in self._known:
            return
        self._known[found.id] = None
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        ring = partial(self._bell.ring, found.id, found.token, _response(found))
        reply = Reply(self._hands, found, ring)
        self._group.create_task(self._done(found, raw, reply))

    def close(self) -> None:
        """Acknowledge nothing more."""
        self._bell.close()

    async def _done(self, found: Ticket, raw: Raw, reply: Reply) -> None:
        try:
            await reply.acknowledged()
            if found.kind is Kind.COMMAND:
                await Order(self._hands, found, reply).run(raw)
            elif found.kind is Kind.COMPONENT:
                await self._presses.take(raw, reply)
        except FAILURES as error:
            # One that cannot be done ends nothing but itself.
            log.warning("discord_interaction_failed", error=type(error).__name__)


def _response(found: Ticket) -> dict[str, Any]:
    """Give what is said first, before anybody is asked anything."""
    match found.kind:
        case Kind.COMMAND:
            is_alone = is_private(found.command, found.group)
            data = {"flags": EPHEMERAL} if is_alone else {}
            return {"type": _THINKING, "data": data}
        case Kind.COMPONENT:
            return {"type": _LATER}
        case Kind.AUTOCOMPLETE:
            return {"type": _CHOICES, "data": {"choices": []}}
        case Kind.FORM:
            told = {"content": _NO_FORM, "flags": EPHEMERAL}
            return {"type": _MESSAGE, "data": told}
        case Kind.PING:
            return {"type": _PONG}
