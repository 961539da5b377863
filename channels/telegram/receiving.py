"""Takes each update of one bot exactly once, whoever brings it."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import Conflict, HomeError, StoreError
from apx.domain.heard import Caller, What
from apx.domain.person import Account
from channels.shared.answering import FAILURES
from channels.shared.apologies import Apologies
from channels.shared.raw import Raw, section
from channels.shared.recent import Recent
from channels.shared.troubles import ASIDE
from channels.telegram import hearing
from channels.telegram.pressing import Presses
from channels.telegram.updates import kind, private_chat, update_id

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from apx.domain.heard import Heard
    from channels.shared.journal import Journal
    from channels.shared.troubles import Troubles
    from channels.telegram.pressing import Hands
    from channels.telegram.rooms import Rooms

log = structlog.get_logger(__name__)

_EARLY: Final = 20


class Receiver:
    """What becomes of an update: a message, a press, or nothing."""

    def __init__(
        self,
        hands: Hands,
        journal: Journal,
        troubles: Troubles,
        rooms: Rooms,
        group: asyncio.TaskGroup,
    ) -> None:
        self._hands = hands
        self._journal = journal
        self._troubles = troubles
        self._rooms = rooms
        self._presses = Presses(hands, group)
        self._done: Recent[int, None] = Recent()
        self._albums: Recent[str, None] = Recent()
        self._early: OrderedDict[str, list[Raw]] = OrderedDict()
        self._apologies = Apologies(hands.door, hands.answers, hands.clock)

    def foresee(self, batch: Sequence[Raw]) -> None:
        """Look which albums of a group are for the bot: only one picture says so."""
        for update in batch:
            try:
                heard = hearing.message(update, self._hands.ears)
            except FAILURES:
                continue  # each is looked at again, for itself
            if heard and heard.album and heard.what is What.MESSAGE:
                self._albums.keep(heard.album, None)

    async def take(self, update: Raw) -> None:
        """Take an update; once this returns, it may be confirmed.

        Raises `StoreError`, `HomeError` or `OSError` if nothing can be written now:
        it is no fault of the update's, and it has to be brought again.
        """
        number = update_id(update)
        if number in self._done or self._journal.is_over(number):
            return
        heard: Heard | None = None
        try:
            heard = self._message(update)
            for piece in self._pieces(update, heard):
                late = hearing.message(piece, self._hands.ears, is_ours=True)
                await self._taken(update_id(piece), piece, late)
            await self._taken(number, update, heard)
        except (StoreError, HomeError, OSError) as error:
            if not isinstance(error, Conflict):
                raise
            await self._set_aside(update, heard, error)
        except FAILURES as error:
            await self._set_aside(update, heard, error)
        self._done.keep(number, None)

    async def settle(self) -> None:
        """Say where an earlier process may have owed an answer."""
        await self._hands.answers.settle()

    def _message(self, update: Raw) -> Heard | None:
        """Give what an update says, if it says anything to us."""
        if kind(update) not in {"message", "edited_message"}:
            return None
        album = hearing.album(section(update, kind(update)), self._hands.ears)
        is_ours = bool(album) and album in self._albums
        heard = hearing.message(update, self._hands.ears, is_ours=is_ours)
        if heard and heard.album and heard.what is What.MESSAGE:
            self._albums.keep(heard.album, None)
        return heard

    def _pieces(self, update: Raw, heard: Heard | None) -> list[Raw]:
        """Give what of an album came before it was known to be for us.

        In a group only one picture says so, and they come in any order.
        """
        if kind(update) != "message":
            return []
        if not (name := hearing.album(section(update, "message"), self._hands.ears)):
            return []
        if heard and heard.what is What.MESSAGE:
            return self._early.pop(name, [])
        self._early.setdefault(name, []).append(update)
        if len(self._early) > _EARLY:
            self._early.popitem(last=False)
        return []

    async def _taken(self, number: int, update: Raw, heard: Heard | None) -> None:
        match kind(update):
            case "message" if heard is None:
                await self._rooms.moved(section(update, "message"))
            case "message" | "edited_message" if heard is not None:
                if heard.what is What.MESSAGE:
                    await self._rooms.spoken(
                        section(section(update, "message"), "chat")
                    )
                late = partial(self._set_aside_late, update, heard)
                await self._hands.answers.hear(number, heard, late)
            case "callback_query":
                await self._presses.take(section(update, "callback_query"))
            case "stopped_message_generation":
                await self._presses.stop(section(update, "stopped_message_generation"))
            case "my_chat_member":
                await self._rooms.changed(section(update, "my_chat_member"))

    async def _set_aside(
        self, update: Raw, heard: Heard | None, error: Exception
    ) -> None:
        """Go on without an update; its kind is kept, none of its words."""
        name, what = type(error).__name__, kind(update) or "unknown"
        log.warning("telegram_update_set_aside", kind=what, error=name)
        await self._journal.put_aside(update_id(update), what, name)
        self._troubles.has(ASIDE, self._journal.asides)
        caller = self._whose(update, heard)
        if caller is not None:
            await self._apologies.offer(caller)

    async def _set_aside_late(
        self, update: Raw, heard: Heard, error: Exception
    ) -> None:
        """Set aside what failed after its update was confirmed; it comes no more."""
        try:
            await self._set_aside(update, heard, error)
        except FAILURES as failure:
            log.warning("telegram_aside_not_kept", error=type(failure).__name__)

    def _whose(self, update: Raw, heard: Heard | None) -> Caller | None:
        """Say whose an update is, as far as it can be read.

        In a group nobody is told of what was not said to the bot.
        """
        if heard is not None:
            return None if heard.what is What.CONTEXT else heard.caller
        if not (chat := private_chat(update)):
            return None
        account = Account("telegram", self._hands.ears.settings.name, str(chat))
        return Caller(account, self._hands.ears.thread(chat, None))
