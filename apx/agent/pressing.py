"""What a button does: it says what could have been typed, and only where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.admitting import admitted
from apx.domain.errors import Expired, HomeError, InputError, StoreError
from apx.domain.heard import Heard, What
from apx.domain.person import Role

if TYPE_CHECKING:
    from apx.agent.beside import Beside
    from apx.agent.confirming import Confirmations
    from apx.agent.newcomers import Newcomers
    from apx.domain.heard import Press
    from apx.domain.person import Person

log = structlog.get_logger(__name__)

_OVER: Final = "That question is over."
_OWNERS: Final = "Only the owner can do that."
_OTHERS: Final = "Only who asked, or the owner, can do that."
_EXPIRED: Final = "This button has expired."
_ORDERS: Final = {
    "accept": "/memory accept",
    "reject": "/memory reject",
    "model": "/model",
    "mkeep": "/mem keep",
    "mdrop": "/mem drop",
    "mundo": "/mem undo",
}
_DECIDING: Final = frozenset({"mkeep", "mdrop"})
_UNDOING: Final = "mundo"
# Facts that wait are the person's; a model is the room's.
_PERSONS: Final = ("/memory ", "/mem ")


class Presses:
    """Takes presses of people who are let in."""

    def __init__(
        self, confirmations: Confirmations, newcomers: Newcomers, beside: Beside
    ) -> None:
        self._confirmations = confirmations
        self._newcomers = newcomers
        self._beside = beside

    async def pressed(self, press: Press, person: Person) -> str | None:
        """Do what a button says, or raise `InputError` if it cannot be done so.

        What is not this person's to press stays for who may.
        """
        try:
            return await self._pressed(press, person)
        except (StoreError, HomeError) as error:
            log.warning("press_failed", error=str(error))
            raise InputError("That did not work.") from error

    async def _pressed(self, press: Press, person: Person) -> str | None:
        word, _, value = press.data.partition(":")
        if word in {"yes", "no"}:
            if not self._confirmations.answer(value, person.key, word == "yes"):
                raise InputError(_OVER)
            return None
        if word in {"approve", "refuse"}:
            return await self._settled(person, word, value)
        if word in {"stop", "retry"}:
            return await self._turned(press, person, word, value)
        if word in _ORDERS:
            _must_be_theirs(word, person)
            return await self._ordered(press, person, f"{_ORDERS[word]} {value}")
        raise Expired(_EXPIRED)

    async def _settled(self, person: Person, word: str, number: str) -> str:
        """Let somebody in or not, if they still wait for it."""
        if person.role is not Role.OWNER:
            raise InputError(_OWNERS)
        if await self._newcomers.waits_as(number) is None:
            raise Expired(_EXPIRED)
        return await self._newcomers.settle(person, number, word)

    async def _turned(
        self, press: Press, person: Person, word: str, turn: str
    ) -> str | None:
        """Stop or retry a turn, if it is still the one that this would be done to."""
        found = await self._beside.about(press.caller.thread, word)
        if found is None or str(found.id) != turn:
            raise Expired(_EXPIRED)
        if person.key != found.person and person.role is not Role.OWNER:
            raise InputError(_OTHERS)
        return await self._ordered(press, person, f"/{word}")

    async def _ordered(self, press: Press, person: Person, text: str) -> str | None:
        heard = Heard(
            caller=press.caller,
            text=text,
            at=press.at,
            # Pressed twice, it is the same wish.
            external_id=f"press.{press.data}",
            what=What.COMMAND,
            is_aside=press.is_aside and text.startswith(_PERSONS),
        )
        return await self._beside.order(admitted(heard, person))


def _must_be_theirs(word: str, person: Person) -> None:
    """Refuse what is not this person's to press, so that it stays for who may."""
    if word in _DECIDING and person.role is not Role.OWNER:
        raise InputError(_OWNERS)
    if word == _UNDOING and person.role is Role.GUEST:
        raise InputError(_OTHERS)
