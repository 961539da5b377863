"""What a platform has to offer so that replies grow there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import structlog

from apx.domain.errors import ChannelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.heard import Button
    from apx.domain.thread import Thread
    from channels.shared.failures import Rejected
    from channels.shared.layout import Layout
    from channels.shared.message_id import MessageId
    from channels.shared.pace import Pace
    from channels.shared.placeholders import Placeholders

log = structlog.get_logger(__name__)

# What is shown, as the platform has it: laid out, and not to be looked into here.
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)

_PATIENCE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Which turn is shown in which thread, and the message that it answers there."""

    thread: Thread
    turn: int
    reply_to: int | None = None


class Stage(Protocol[S_contra]):
    """One place where a reply is shown; one that `fades` is shown again and again.

    `is_doubtful` says that an edit may still come late and undo what follows it.
    """

    is_doubtful: bool

    @property
    def fades(self) -> bool:
        """Whether what is shown goes away by itself."""
        ...

    async def put(self, words: S_contra) -> None:
        """Show this and nothing else, or raise `NotHere`."""
        ...

    def is_hopeless(self, error: Exception) -> bool:
        """Whether nothing more can be shown here after an error."""
        ...


class NotHere(Exception):
    """Nothing is shown on this stage: a message has to do."""


class Wire(Protocol[S]):
    """The calls of one bot that replies need while they grow.

    What may go wrong is a `ChannelError`, or a `TimeoutError` where nobody knows;
    `put` and `leave` mend what they can before that.
    """

    @property
    def bot_id(self) -> int:
        """Whose the numbers of messages are."""
        ...

    @property
    def typing_period(self) -> float:
        """After how many seconds it has to be typed again."""
        ...

    @property
    def gap(self) -> float:
        """How many seconds at least are between what is shown and the next of it."""
        ...

    @property
    def types_beside_text(self) -> bool:
        """Whether it is typed while there is a text to be read, too."""
        ...

    @property
    def remembers(self) -> float:
        """How many seconds long a message sent again is not there twice."""
        ...

    def chat(self, thread: Thread) -> int:
        """Give the chat that a thread is in now, or raise `Undeliverable`."""
        ...

    def stage(self, desk: Desk[S], spot: Spot) -> Stage[S]:
        """Choose where a reply is shown first."""
        ...

    def drawn(self, text: str, line: str, *, is_cut: bool) -> S:
        """Lay out what is seen now; done beside the loop."""
        ...

    def stopped(self, text: str, *, is_cut: bool) -> S:
        """Lay out what stays of a reply that was stopped; done beside the loop."""
        ...

    async def typing(self, thread: Thread) -> None:
        """Say that it is typed; `Undeliverable` ends that."""
        ...

    async def put(self, spot: Spot, words: S, edits: MessageId | None) -> MessageId:
        """Send or edit a message with a button that stops its turn."""
        ...

    async def leave(self, spot: Spot, words: S, edits: MessageId | None) -> MessageId:
        """Send or edit a message without a button."""
        ...

    async def ask(
        self, thread: Thread, question: str, buttons: Sequence[Button], until: float
    ) -> tuple[MessageId, ...]:
        """Send a question with buttons before `until`, a time of the pace."""
        ...

    async def unbutton(self, message: MessageId) -> None:
        """Take the buttons of a message away."""
        ...

    async def delete(self, message: MessageId) -> None:
        """Take a message away."""
        ...

    def is_lost(self, error: Rejected) -> bool:
        """Whether the message that was to be edited is not there any more."""
        ...

    async def has_moved(self, thread: Thread, error: Exception) -> bool:
        """Whether an error says that a thread is in another chat from now on."""
        ...


@dataclass(slots=True)
class Desk(Generic[S]):
    """What the growing replies of one bot share."""

    wire: Wire[S]
    pace: Pace
    placeholders: Placeholders
    layout: Layout
    # Of all replies, one at a time is laid out; who waits longest is next.
    turns: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_here(self, thread: Thread, message: MessageId) -> bool:
        """Whether a message is this bot's, in the chat where a thread is now."""
        here = (self.wire.bot_id, self.wire.chat(thread))
        return (message.bot_id, message.chat_id) == here

    async def unbutton(self, message: MessageId) -> None:
        """Take the button of a message away, if that can be done."""
        if message.bot_id != self.wire.bot_id:
            return
        try:
            await self.pace.enter(message.chat_id, self.pace.clock() + _PATIENCE)
            await self.wire.unbutton(message)
        except (ChannelError, TimeoutError) as error:
            log.info("button_left", error=str(error))
