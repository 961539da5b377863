"""Buttons that were pressed: what the door says of it, shown where it belongs."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ApxError, ChannelError, InputError
from apx.domain.heard import Notice, Press
from channels.discord import buttons
from channels.discord import interactions_reading as reading
from channels.discord.interactions_commands import FAILED, NOT_HERE, is_heard, messages
from channels.discord.interactions_reply import EPHEMERAL, Over, Reply
from channels.discord.places import State
from channels.shared.pressing import Outcome, decided

if TYPE_CHECKING:
    from apx.domain.heard import Caller
    from channels.discord.interactions_reading import Pressed
    from channels.discord.interactions_reply import Hands
    from channels.shared.raw import Raw

log = structlog.get_logger(__name__)

_REMEMBERED: Final = 500


class Presses:
    """Takes presses side by side; what worked is taken from under its message."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._over: OrderedDict[int, _Answered] = OrderedDict()

    async def take(self, raw: Raw, reply: Reply) -> None:
        """Have a button do what it says, and show what came of it."""
        try:
            pressed = reading.pressed(raw)
            who = self._who(raw, pressed)
        except InputError as error:
            await _aside(reply, str(error))
            return
        if not is_heard(raw, who, self._hands.settings):
            await _aside(reply, NOT_HERE)
            return
        press = Press(
            who, pressed.data, self._hands.clock(), is_aside=pressed.is_ephemeral
        )
        outcome = await decided(self._hands.door, press)
        await self._told(outcome, press, pressed, reply)
        if outcome.is_over or not (outcome.is_refused or outcome.error):
            await self._tidied(pressed, reply)

    def _who(self, raw: Raw, pressed: Pressed) -> Caller:
        """Say who pressed, in the conversation that the message is of.

        Where a thread could not be made, its messages stand in the channel.
        """
        places, place = self._hands.places, pressed.channel_id
        own = places.own(pressed.answers)
        if own and own.state is not State.MADE and own.parent == place:
            place = pressed.answers
        return reading.caller(raw, place, self._hands.settings.name, places)

    async def _told(
        self, outcome: Outcome, press: Press, pressed: Pressed, reply: Reply
    ) -> None:
        """Say what came of it: a refusal to whoever pressed, all else where it was."""
        if outcome.error:
            name = type(outcome.error).__name__
            log.warning("discord_press_failed", error=name)
            await _aside(reply, FAILED)
        elif outcome.is_refused:
            await _aside(reply, outcome.text)
        elif outcome.text:
            notice = Notice(outcome.text)
            flags = EPHEMERAL if pressed.is_ephemeral else 0
            try:
                for message in await asyncio.to_thread(messages, notice):
                    await reply.add(message, flags)
            except ChannelError as error:
                log.info("discord_outcome_not_shown", error=str(error))
                # What only one person could read is not for the others now.
                if not (pressed.is_ephemeral and press.caller.group):
                    self._hands.answers.say(press.caller.thread, notice)

    async def _tidied(self, pressed: Pressed, reply: Reply) -> None:
        """Take away the buttons of what was answered: it has done what it could.

        Two that are pressed at once know nothing of each other but by us.
        """
        answered = self._over.setdefault(pressed.message_id, _Answered())
        self._over.move_to_end(pressed.message_id)
        if len(self._over) > _REMEMBERED:
            self._over.popitem(last=False)
        answered.data.append(pressed.data)
        async with answered.turn:
            kept: buttons.Components = pressed.components
            for data in answered.data:
                kept = buttons.without(kept, data)
            try:
                await reply.rebutton(kept)
            except Over:
                await self._tidied_by_hand(pressed, kept)
            except ChannelError as error:
                log.info("discord_press_not_tidied", error=type(error).__name__)

    async def _tidied_by_hand(self, pressed: Pressed, kept: buttons.Components) -> None:
        """Edit the message as any other of ours, unless only one person sees it."""
        if pressed.is_ephemeral:
            return
        try:
            await self._hands.client.call(
                "PATCH",
                "/channels/{channel_id}/messages/{message_id}",
                json={"components": list(kept)},
                channel_id=pressed.channel_id,
                message_id=pressed.message_id,
            )
        except (ApxError, TimeoutError) as error:
            log.info("discord_press_not_tidied", error=type(error).__name__)


class _Answered:
    """What of one message was answered, and whose turn it is to edit it."""

    def __init__(self) -> None:
        self.data: list[str] = []
        self.turn = asyncio.Lock()


async def _aside(reply: Reply, text: str) -> None:
    """Tell whoever pressed, and nobody else; in vain, it was only a refusal."""
    try:
        for message in messages(Notice(text)):
            await reply.add(message, EPHEMERAL)
    except ChannelError as error:
        log.info("discord_refusal_not_shown", error=type(error).__name__)
