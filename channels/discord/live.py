"""What Discord offers to replies that grow."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import Undeliverable, Unreachable
from apx.domain.heard import Button
from channels.discord import live_view
from channels.discord.buttons import rows
from channels.discord.failures import Rejected
from channels.discord.markdown import render
from channels.discord.message import Message, payload
from channels.discord.places import State
from channels.discord.sending_post import Post, number
from channels.discord.splitting import split
from channels.shared.live_stages import InMessage
from channels.shared.message_id import MessageId
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.thread import Thread
    from channels.discord.client import Client
    from channels.discord.pace import Pace
    from channels.discord.places import Places
    from channels.discord.threads import Threads
    from channels.shared import failures
    from channels.shared.live_wire import Desk, Spot, Stage

# What is not taken by then is not waited for: the final text is coming.
_PATIENCE: Final = 10.0
_TYPING_PATIENCE: Final = 4.0
_LAST_PATIENCE: Final = 30.0
_AGAIN: Final = (1.0, 8.0)
_NO_PLACE: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})
_UNKNOWN_MESSAGE: Final = 10008
_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = "/channels/{channel_id}/messages/{message_id}"


class DiscordWire:
    """The `Wire` of one bot of Discord."""

    # What Discord shows as typing fades after ten seconds, or when something is said.
    typing_period: Final = 8.0
    types_beside_text: Final = False
    # As many as a channel has room for beside texts, evenly.
    gap: Final = 1.8
    # Nonces are known for some minutes; nobody promises how many.
    remembers: Final = 120.0

    def __init__(
        self, client: Client, places: Places, threads: Threads, pace: Pace
    ) -> None:
        self._client = client
        self._places = places
        self._threads = threads
        self._pace = pace
        self._post = Post(client, threads, pace)
        # Turns of another home of this bot have the same numbers.
        self._salt = token_hex(3)

    @property
    def bot_id(self) -> int:
        """Whose the numbers of messages are."""
        return self._client.app_id

    def chat(self, thread: Thread) -> int:
        """Give the channel that a thread is in now."""
        channel_id = self._places.channel(thread)
        own = self._places.own(channel_id)
        is_flat = own is not None and own.state is State.FLAT
        return own.parent if own is not None and is_flat else channel_id

    def stage(self, desk: Desk[str], spot: Spot) -> Stage[str]:
        """Have it shown in a message."""
        return InMessage(desk, spot)

    def drawn(self, text: str, line: str, *, is_cut: bool) -> str:
        """Lay out what is seen now."""
        return live_view.drawn(text, line, is_cut=is_cut)

    def stopped(self, text: str, *, is_cut: bool) -> str:
        """Lay out what stays of a reply that was stopped."""
        return live_view.stopped(text, is_cut=is_cut)

    async def typing(self, thread: Thread) -> None:
        """Say that it is typed, beside the question where its thread is yet to be."""
        if not self._pace.may_type():
            return
        channel_id = self._places.channel(thread)
        own = self._places.own(channel_id)
        if own is not None and own.state is not State.MADE:
            channel_id = own.parent
        try:
            await self._client.call(
                "POST",
                "/channels/{channel_id}/typing",
                timeout=_TYPING_PATIENCE,
                channel_id=channel_id,
            )
        except Rejected as error:
            if error.status not in _NO_PLACE:
                raise
            failure = Undeliverable(str(error))
        else:
            return
        raise failure

    async def put(self, spot: Spot, words: str, edits: MessageId | None) -> MessageId:
        """Send or edit a message with a button that stops its turn."""
        stop = rows([Button("Stop", f"stop:{spot.turn}")])
        message = Message(words, components=stop, nonce=f"{spot.turn}.{self._salt}")
        if edits is not None:
            return await self._edited(edits, message, _PATIENCE)
        return await self._sent(spot.thread, message, spot.reply_to)

    async def leave(self, spot: Spot, words: str, edits: MessageId | None) -> MessageId:
        """Send or edit a message without a button."""
        if edits is not None:
            return await self._edited(edits, Message(words), _LAST_PATIENCE)
        return await self._sent(spot.thread, Message(words), spot.reply_to)

    async def ask(
        self, thread: Thread, question: str, buttons: Sequence[Button], until: float
    ) -> tuple[MessageId, ...]:
        """Send a question with buttons; however often, it is there once."""
        text, *_ = split(render(question, is_plain=True)) or ("(no text)",)
        message = Message(text, components=rows(buttons), nonce=token_hex(8))
        backoff = Backoff(*_AGAIN)
        while True:
            try:
                made = await self._post.send(thread, message, until)
            except (Unreachable, TimeoutError) as error:
                wait = pause(error, backoff)
                if self._pace.clock() + wait > until:
                    raise
            else:
                chat_id = self.chat(thread)
                return tuple(MessageId(self.bot_id, chat_id, one) for one in made)
            await self._pace.sleep(wait)

    async def unbutton(self, message: MessageId) -> None:
        """Take the buttons of a message away."""
        await self._patched(message, {"components": []}, _PATIENCE)

    async def delete(self, message: MessageId) -> None:
        """Take a message away."""
        await self._client.call(
            "DELETE",
            _MESSAGE,
            timeout=_PATIENCE,
            channel_id=message.chat_id,
            message_id=message.message_id,
        )

    def is_lost(self, error: failures.Rejected) -> bool:
        """Whether the message that was to be edited is not there any more."""
        return isinstance(error, Rejected) and error.code == _UNKNOWN_MESSAGE

    async def has_moved(self, thread: Thread, error: Exception) -> bool:
        """Channels of Discord keep their ids."""
        del thread, error
        return False

    async def _sent(
        self, thread: Thread, message: Message, reply_to: int | None
    ) -> MessageId:
        where = await self._threads.where(thread)
        answering = reply_to or where.reply_to
        try:
            return await self._new(
                where.channel_id, replace(message, reply_to=answering)
            )
        except Rejected:
            if answering is None:
                raise
        # Rather beside the question than not at all.
        return await self._new(where.channel_id, message)

    async def _new(self, channel_id: int, message: Message) -> MessageId:
        made = await self._client.call(
            "POST",
            _MESSAGES,
            json=payload(message),
            timeout=_PATIENCE,
            channel_id=channel_id,
        )
        return MessageId(self.bot_id, channel_id, number(made))

    async def _edited(
        self, edited: MessageId, message: Message, patience: float
    ) -> MessageId:
        said = payload(replace(message, edits=edited.message_id))
        await self._patched(edited, said, patience)
        return edited

    async def _patched(
        self, message: MessageId, changes: dict[str, Any], patience: float
    ) -> None:
        await self._client.call(
            "PATCH",
            _MESSAGE,
            json=changes,
            timeout=patience,
            channel_id=message.chat_id,
            message_id=message.message_id,
        )
