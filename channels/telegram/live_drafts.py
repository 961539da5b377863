"""Drafts: in private chats Telegram itself shows a reply while it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from aiogram.methods import SendMessageDraft

from channels.shared.failures import Rejected, WrongToken
from channels.shared.live_wire import NotHere
from channels.telegram.failures import NoMethod
from channels.telegram.live_view import NOTHING
from channels.telegram.rendered import Rendered
from channels.telegram.sending_post import entities

if TYPE_CHECKING:
    from collections.abc import Callable

    from channels.shared.live_wire import Spot
    from channels.telegram.client import Client
    from channels.telegram.places import Places

# One that is not taken by then is not waited for: the final text is coming.
_PATIENCE: Final = 10.0
# A server that was too old may be a new one after so long.
_OLD: Final = 3_600.0


class Drafts:
    """Whether the server of one bot shows drafts."""

    def __init__(
        self, client: Client, places: Places, clock: Callable[[], float]
    ) -> None:
        self.client = client
        self.places = places
        self._clock = clock
        self._from = 0.0

    @property
    def are_known(self) -> bool:
        """Whether this server is new enough, as far as is known."""
        return self._clock() >= self._from

    def are_unknown(self) -> None:
        """Take note that this server knows no drafts."""
        self._from = self._clock() + _OLD


class InDraft:
    """A draft in a private chat: Telegram shows it grow, and has a button to stop."""

    fades: Final = True

    def __init__(self, drafts: Drafts, spot: Spot) -> None:
        self._drafts = drafts
        self._spot = spot
        self.is_doubtful = False

    async def put(self, words: Rendered) -> None:
        """Show the draft, or raise `NotHere`."""
        try:
            await self._put(words)
        except NoMethod as error:
            self._drafts.are_unknown()
            raise NotHere from error
        except WrongToken as error:
            # So says a very old server, too; but it says nothing of other replies.
            raise NotHere from error
        except Rejected as error:
            if words.entities and error.says("entities"):
                await self._put(Rendered(words.text))
                return
            raise NotHere from error

    def is_hopeless(self, error: Exception) -> bool:
        """Whatever went wrong, a draft may be shown once more."""
        del error
        return False

    async def _put(self, words: Rendered) -> None:
        place = self._drafts.places.place(self._spot.thread)
        draft = SendMessageDraft(
            chat_id=place.chat_id,
            draft_id=self._spot.turn,
            message_thread_id=place.topic,
            # Telegram has a sign of its own for one without words.
            text=None if words == NOTHING else words.text,
            entities=entities(words.entities),
            can_stop=True,
        )
        await self._drafts.client.call(draft, _PATIENCE)
