"""Slash commands: what the door says of one, shown to whoever may read it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError, InputError
from apx.domain.heard import Heard, Notice
from channels.discord import buttons
from channels.discord import interactions_reading as reading
from channels.discord.interactions_reply import EPHEMERAL, Over, Reply
from channels.discord.markdown import render
from channels.discord.message import Message
from channels.discord.private import is_private, told_late
from channels.discord.raw import made_at
from channels.discord.settings import GuildMode
from channels.discord.splitting import split
from channels.shared.answering import FAILURES
from channels.shared.message_id import MessageId

if TYPE_CHECKING:
    from apx.domain.heard import Caller
    from channels.discord.interactions_reading import Ticket
    from channels.discord.interactions_reply import Hands
    from channels.discord.settings import BotSettings
    from channels.shared.raw import Raw

log = structlog.get_logger(__name__)

# What these show is the person's, not the room's; the room does not see it.
_OWN: Final = frozenset(
    {"mem", "memory", "remember", "forget", "share", "link", "unlink"}
    | {"usage", "threads"}
)
NOT_HERE: Final = "I do not listen to you here."
NOTHING: Final = "(nothing)"
FAILED: Final = "That did not work; please try again."


@dataclass(frozen=True, slots=True)
class _Said:
    """What is to be answered; `is_aside` is for whoever asked, wherever that was."""

    notice: Notice
    is_aside: bool = False


class Order:
    """One command, from its acknowledgement to its answer."""

    def __init__(self, hands: Hands, ticket: Ticket, reply: Reply) -> None:
        self._hands = hands
        self._ticket = ticket
        self._reply = reply
        self._is_private = is_private(ticket.command, ticket.group)

    async def run(self, raw: Raw) -> None:
        """Do it, and show its answer; "thinking" never stays."""
        heard: Heard | None = None
        try:
            heard = self._heard(raw)
            said = await self._done(heard, raw)
        except InputError as error:
            said = _Said(Notice(str(error)), is_aside=True)
        except FAILURES as error:
            log.warning("discord_command_failed", error=type(error).__name__)
            said = _Said(Notice(FAILED), is_aside=True)
        await self._answered(heard.caller if heard else None, said)
        await self._settled()

    def _heard(self, raw: Raw) -> Heard:
        hands, ticket = self._hands, self._ticket
        place = reading.channel(raw)
        if ticket.command not in {known.name for known in hands.settings.commands}:
            raise InputError("I do not know this command.")
        return Heard(
            caller=reading.caller(raw, place, hands.settings.name, hands.places),
            text=reading.command_text(raw),
            at=made_at(ticket.id),
            external_id=str(MessageId(hands.client.app_id, place, ticket.id)),
            is_aside=self._is_private and ticket.command in _OWN,
        )

    async def _done(self, heard: Heard, raw: Raw) -> _Said | None:
        """Give what is to be said; nothing where the reply comes by itself."""
        hands, who = self._hands, heard.caller
        if not is_heard(raw, who, hands.settings):
            return _Said(Notice(NOT_HERE), is_aside=True)
        if not who.group:
            await hands.places.keep_dm(reading.channel(raw), int(who.account.user))
        if is_let_in := await hands.door.admits(who):
            await self._kept(heard)
        answer = await hands.door.hear(heard)
        if answer:
            return _Said(Notice(answer, await hands.door.buttons(heard)))
        if is_let_in:
            return None
        return _Said(Notice(NOT_HERE), is_aside=True)

    async def _kept(self, heard: Heard) -> None:
        """Keep that an answer is owed: a crash is told of, as it may take long."""
        try:
            await self._hands.journal.go_on(self._ticket.id, heard.caller.thread)
        except FAILURES as error:
            log.warning("discord_command_not_kept", error=type(error).__name__)

    async def _settled(self) -> None:
        number, journal = self._ticket.id, self._hands.journal
        try:
            if journal.is_under_way(number):
                await journal.end(number)
        except FAILURES as error:
            log.warning("discord_command_not_kept", error=type(error).__name__)

    async def _answered(self, who: Caller | None, said: _Said | None) -> None:
        if said is None:
            await self._reply.withdraw()
            return
        try:
            await self._shown(said)
        except ChannelError as error:
            if not isinstance(error, Over):
                log.warning("discord_answer_refused", error=str(error))
                await self._reply.withdraw()
            # A refusal is told to nobody that did not ask for it.
            is_told = self._is_private or not (said.is_aside and self._ticket.group)
            if who is not None and is_told and said.notice.text != NOT_HERE:
                await told_late(self._hands, who, self._ticket.command, said.notice)

    async def _shown(self, said: _Said) -> None:
        """Show it in place of "thinking", or beside that where it is not for all."""
        said_in = deque(await asyncio.to_thread(messages, said.notice))
        is_alone = self._is_private
        if said.is_aside and self._ticket.group and not is_alone:
            await self._reply.withdraw()
            is_alone = True
        else:
            await self._reply.show(said_in.popleft())
        for message in said_in:
            await self._reply.add(message, EPHEMERAL if is_alone else 0)


def is_heard(raw: Raw, who: Caller, settings: BotSettings) -> bool:
    """Whether a bot listens there at all, as config.json says."""
    if not who.group:
        return reading.is_chat_with_us(raw)
    return settings.guild_mode is not GuildMode.OFF and who.group in settings.guilds


def messages(notice: Notice) -> list[Message]:
    """Lay out an answer; its buttons are under the last of its messages."""
    words = split(render(notice.text, is_plain=True)) or (NOTHING,)
    *before, last = [Message(part) for part in words]
    return [*before, replace(last, components=buttons.rows(notice.buttons))]
