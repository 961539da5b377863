"""What Telegram offers to replies that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from aiogram.methods import DeleteMessage, EditMessageReplyMarkup, SendChatAction

from apx.domain.heard import Button
from channels.shared.failures import Rejected
from channels.shared.live_stages import InMessage
from channels.shared.message_id import MessageId
from channels.telegram import live_view
from channels.telegram.failures import Migrated, Unread
from channels.telegram.keyboard import keyboard
from channels.telegram.live_drafts import Drafts, InDraft
from channels.telegram.sending_pieces import Message, is_lost, mended, pieces
from channels.telegram.sending_post import Post, method, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.thread import Thread
    from channels.shared.live_wire import Desk, Spot, Stage
    from channels.telegram.client import Client
    from channels.telegram.pace import Pace
    from channels.telegram.places import Places
    from channels.telegram.rendered import Rendered

# What is not taken by then is not waited for: the final text is coming.
_PATIENCE: Final = 10.0
_ACTION_PATIENCE: Final = 4.0
_LAST_PATIENCE: Final = 30.0


class TelegramWire:
    """The `Wire` of one bot of Telegram."""

    # What Telegram shows as typing fades after five seconds.
    typing_period: Final = 4.5
    types_beside_text: Final = True
    gap: Final = 1.0
    # It knows nothing of what was sent before: a repeat would stand there twice.
    remembers: Final = 0.0

    def __init__(self, client: Client, places: Places, pace: Pace) -> None:
        self._client = client
        self._places = places
        self._post = Post(client, places, pace)
        self._drafts = Drafts(client, places, pace.clock)

    @property
    def bot_id(self) -> int:
        """Whose the numbers of messages are."""
        return self._client.bot_id

    def chat(self, thread: Thread) -> int:
        """Give the chat that a thread is in now."""
        return self._places.place(thread).chat_id

    def stage(self, desk: Desk[Rendered], spot: Spot) -> Stage[Rendered]:
        """Choose a draft in private chats, where there are drafts."""
        if self._drafts.are_known and not self._places.is_group(spot.thread):
            return InDraft(self._drafts, spot)
        return InMessage(desk, spot)

    def drawn(self, text: str, line: str, *, is_cut: bool) -> Rendered:
        """Lay out what is seen now."""
        return live_view.drawn(text, line, is_cut=is_cut)

    def stopped(self, text: str, *, is_cut: bool) -> Rendered:
        """Lay out what stays of a reply that was stopped."""
        return live_view.stopped(text, is_cut=is_cut)

    async def typing(self, thread: Thread) -> None:
        """Say that it is typed."""
        place = self._places.place(thread)
        action = SendChatAction(
            chat_id=place.chat_id, message_thread_id=place.topic, action="typing"
        )
        await self._client.call(action, _ACTION_PATIENCE)

    async def put(
        self, spot: Spot, words: Rendered, edits: MessageId | None
    ) -> MessageId:
        """Send or edit a message with a button that stops its turn."""
        message = Message(
            words,
            markup=keyboard([Button("Stop", f"stop:{spot.turn}")]),
            edits=None if edits is None else edits.message_id,
            reply_to=spot.reply_to,
        )
        try:
            return await self._said(spot, message, _PATIENCE)
        except Rejected as error:
            if edits is not None and error.says("message is not modified"):
                return edits
            better = mended(message, error)
            if better is None or (edits is not None and is_lost(error)):
                raise
            return await self._said(spot, better, _PATIENCE)

    async def leave(
        self, spot: Spot, words: Rendered, edits: MessageId | None
    ) -> MessageId:
        """Send or edit a message without a button."""
        last = Message(words, edits=None if edits is None else edits.message_id)
        return await self._said(spot, last, _LAST_PATIENCE)

    async def ask(
        self, thread: Thread, question: str, buttons: Sequence[Button], until: float
    ) -> tuple[MessageId, ...]:
        """Send a question with buttons."""
        words = pieces(question, is_plain=True)[0].words
        said = Message(words, markup=keyboard(buttons))
        made = await self._post.send(thread, said, until)
        chat_id = self.chat(thread)
        return tuple(MessageId(self.bot_id, chat_id, one) for one in made)

    async def unbutton(self, message: MessageId) -> None:
        """Take the buttons of a message away."""
        bare = EditMessageReplyMarkup(
            chat_id=message.chat_id, message_id=message.message_id
        )
        await self._client.call(bare, _PATIENCE)

    async def delete(self, message: MessageId) -> None:
        """Take a message away."""
        gone = DeleteMessage(chat_id=message.chat_id, message_id=message.message_id)
        await self._client.call(gone, _PATIENCE)

    def is_lost(self, error: Rejected) -> bool:
        """Whether the message that was to be edited is not there any more."""
        return is_lost(error)

    async def has_moved(self, thread: Thread, error: Exception) -> bool:
        """Whether a group has another id from now on."""
        if not isinstance(error, Migrated):
            return False
        await self._places.migrated(self.chat(thread), error.to_chat)
        return True

    async def _said(self, spot: Spot, message: Message, patience: float) -> MessageId:
        place = self._places.place(spot.thread)
        made: Any
        try:
            made = await self._client.call(method(place, message), patience)
        except Unread as error:
            # It is there, only told in a way that this version does not know.
            made = error.result
        number_of_it = message.edits or number(made)
        return MessageId(self.bot_id, place.chat_id, number_of_it)
