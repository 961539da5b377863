"""What one bot says: parts of replies, what is told unasked, replies that grow."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError, Unreachable
from apx.domain.heard import Button
from channels.discord.buttons import rows
from channels.discord.live import DiscordWire
from channels.discord.markdown import cleaned
from channels.discord.sending_pieces import another, nonce, pieces, read_ids
from channels.discord.sending_post import Post
from channels.discord.sending_repeats import Repeats
from channels.shared.failures import HalfSaid
from channels.shared.layout import Layout
from channels.shared.live import Lives
from channels.shared.message_id import MessageId
from channels.shared.placeholders import Placeholders
from channels.shared.waiting import Backoff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.heard import Notice
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Drawer, LiveReply, Sent
    from channels.discord.client import Client
    from channels.discord.message import Message
    from channels.discord.pace import Pace
    from channels.discord.places import Places
    from channels.discord.threads import Threads, Where

log = structlog.get_logger(__name__)

_PART_PATIENCE: Final = 600.0
_NOTICE_PATIENCE: Final = 60.0
_AGAIN: Final = (1.0, 8.0)
# Longer ones may take more than a few milliseconds to lay out.
_LONG: Final = 500
_RETRY: Final = "Retry"
# A file that could not be sent has no message, but its place in the line.
_NONE: Final = "0"
_WORD: Final = re.compile(r"\S+(?:\s|$)")
# What a plain text may gain or lose when it is written and cut.
_UNCOUNTED: Final = re.compile(r"[\s\\<>\u200b]+")


class Sender:
    """Speaks for one bot; `close` it before its client."""

    def __init__(
        self,
        client: Client,
        places: Places,
        threads: Threads,
        pace: Pace,
        drawer: Drawer,
        bot: str,
    ) -> None:
        self._client = client
        self._places = places
        self._threads = threads
        self._pace = pace
        self._post = Post(client, threads, pace)
        self._repeats = Repeats(client)
        self._layout = Layout()
        self._placeholders = Placeholders(bot, drawer, pace.clock)
        wire = DiscordWire(client, places, threads, pace)
        self._lives = Lives(wire, pace, self._placeholders, self._layout)

    def connected(self) -> None:
        """Take note that Discord answers: what an earlier process left is fresh."""
        self._placeholders.connected()

    def live(self, thread: Thread, turn: int, answers: str = "") -> LiveReply:
        """Open what the person watches while a turn runs."""
        answered = self._reply_to(thread, answers, self._places.channel(thread))
        return self._lives.open(thread, turn, answered)

    async def deliver(self, part: Part, note: Sent) -> str:
        """Send a part from where it stopped, and give the ids of its messages.

        What was shown of it while it grew becomes its first message.
        """
        until = self._pace.clock() + _PART_PATIENCE
        sent = read_ids(part.message_id)
        known = len(sent)
        # Also where it is of no use any more: nothing is edited from here on.
        shown = await self._lives.claim(part)
        where = await self._where(part.thread)
        messages = await self._messages(part, where)
        messages[0] = replace(messages[0], edits=shown)
        for index, message in enumerate(messages[known:], known):
            if len(sent) > known:
                await note(",".join(sent))
            may_be_there = part.is_repeat and index == known
            found = await self._found(part, where, message, sent) if may_be_there else 0
            # What grew may say all of it already, and have its button still.
            is_over = found and found != message.edits
            sent.append(
                str(found) if is_over else await self._sent(part, message, until)
            )
        return ",".join(_ids(sent))

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked, its buttons under the end of it.

        Raises `HalfSaid` where it broke off, and no more than that is to be said again.
        """
        until = self._pace.clock() + _NOTICE_PATIENCE
        name = token_hex(12)
        messages = [
            replace(message, nonce=another(name, index))
            for index, message in enumerate(pieces(notice.text, is_plain=True))
        ]
        messages[-1] = replace(messages[-1], components=rows(notice.buttons))
        said = 0
        try:
            for message in messages:
                await self._told(thread, message, until)
                said += 1
        except TimeoutError as error:
            failure = ChannelError(str(error))
        except Unreachable as error:
            if not said:
                raise
            rest = replace(notice, text=_rest(notice.text, messages[:said]))
            failure = HalfSaid(error, rest)
        else:
            return
        raise failure

    async def _told(self, thread: Thread, message: Message, until: float) -> None:
        """Say a message, again while nobody knows: Discord knows it by its nonce."""
        backoff = Backoff(*_AGAIN)
        while True:
            try:
                await self._post.send(thread, message, until)
            except TimeoutError:
                wait = backoff.next()
                if self._pace.clock() + wait > until:
                    raise
                await self._pace.sleep(wait)
            else:
                return

    async def close(self) -> None:
        """Leave replies that grow as they are; the next process finds them."""
        await self._lives.close()
        self._layout.close()

    async def _where(self, thread: Thread) -> Where:
        """Say where a part goes; a thread that may have been made is made again."""
        try:
            return await self._threads.where(thread)
        except TimeoutError as error:
            failure = Unreachable(str(error))
        raise failure

    async def _messages(self, part: Part, where: Where) -> list[Message]:
        """Give all of a part's messages with what belongs to each."""
        if len(part.text) > _LONG:
            made = await self._layout.done(
                partial(pieces, part.text, is_plain=part.is_plain)
            )
        else:
            made = pieces(part.text, is_plain=part.is_plain)
        messages = [
            replace(message, nonce=nonce(part, index))
            for index, message in enumerate(made)
        ]
        answered = self._reply_to(part.thread, part.answers, where.channel_id)
        messages[0] = replace(messages[0], reply_to=answered)
        if part.is_failure:
            last = max(i for i, message in enumerate(messages) if not message.file)
            retry = rows([Button(_RETRY, f"retry:{part.turn}")])
            messages[last] = replace(messages[last], components=retry)
        return messages

    async def _sent(self, part: Part, message: Message, until: float) -> str:
        try:
            ids = await self._post.send(part.thread, message, until)
        except (ChannelError, TimeoutError) as error:
            # What surely was not sent is sent the next time.
            if message.file is None or isinstance(error, Unreachable):
                if part.is_repeat and isinstance(error, TimeoutError):
                    # It is looked for before each try: it may be tried for a day.
                    raise Unreachable(str(error)) from None
                raise
            # Its text is there already; the part is not held up for its looks.
            log.warning("discord_file_not_sent", part=part.id, error=str(error))
            return _NONE
        return "+".join(map(str, ids))

    async def _found(
        self, part: Part, where: Where, message: Message, sent: Sequence[str]
    ) -> int:
        """Look for a message that an earlier try may have sent; 0 if there is none.

        Ids are times, whichever channel a message is in.
        """
        ids, before = _ids(sent), _ids(read_ids(part.previous))
        answered = MessageId.parse(part.answers)
        asked = answered.message_id if answered and not ids else 0
        after = max((asked, *map(int, before), *map(int, ids[-1:])))
        return await self._repeats.found(where, message, after, ids) or 0

    def _reply_to(self, thread: Thread, answers: str, channel_id: int) -> int | None:
        """In a guild many talk at once: say which message is answered."""
        answered = MessageId.parse(answers)
        if answered is None or not self._places.is_group(thread):
            return None
        here = (self._client.app_id, channel_id)
        is_here = (answered.bot_id, answered.chat_id) == here
        return answered.message_id if is_here else None


def _ids(sent: Sequence[str]) -> list[str]:
    """Give the ids of all messages of some pieces."""
    return [one for entry in sent for one in entry.split("+") if one != _NONE]


def _rest(text: str, messages: Sequence[Message]) -> str:
    """Give what of a plain text comes after its first messages."""
    text = cleaned(text)
    said = sum(_letters(message.content) for message in messages)
    for word in _WORD.finditer(text):
        said -= _letters(word[0])
        if said < 0:
            return text[word.start() :]
    return ""


def _letters(text: str) -> int:
    return len(_UNCOUNTED.sub("", text))
