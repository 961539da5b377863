"""Strangers: their one polite line a day, their code, the owner's yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.heard import Button, Notice
from apx.domain.person import OWNER, Role
from apx.domain.untrusted import named as shown_name
from apx.store.codes import GUESSES, Redeemed, looks_like_code

if TYPE_CHECKING:
    from apx.agent.notices import Notices
    from apx.domain.heard import Caller, Heard
    from apx.domain.person import Account, Person
    from apx.ports import Clock
    from apx.store.codes import Codes, Entered
    from apx.store.people import People
    from apx.store.strangers import Stranger, Strangers

_ENTERING: Final = frozenset({"/link", "/start", "/pair"})
_ASKED: Final = (
    "This assistant is private. If you have a code, send it here; otherwise its owner"
    " decides whether you may talk to it."
)
_SHUT: Final = (
    "This assistant is private. If you have a code from its owner, send it here."
)
_ENTERED: Final = frozenset({Redeemed.LINKED, Redeemed.ALREADY, Redeemed.WRONG_WAY})
WELCOME: Final = "You are in: write to me."


class Newcomers:
    """Answers who is nobody here yet, and lets the owner decide."""

    def __init__(
        self,
        people: People,
        codes: Codes,
        strangers: Strangers,
        notices: Notices,
        clock: Clock,
    ) -> None:
        # Ours: what a platform says of the time is not to be believed here.
        self._clock = clock
        self._people = people
        self._codes = codes
        self._strangers = strangers
        self._notices = notices
        # Who waits and of whom the owner was told since this process began.
        self._told: set[int] = set()

    async def knock(self, heard: Heard, *, may_ask: bool) -> str | None:
        """Answer a stranger: a code is taken, anything else gets a line a day."""
        caller = heard.caller
        if code := code_in(heard.text):
            done = await self.enter(caller.account, code, caller.name)
            is_meant = heard.text.startswith("/") or "-" in heard.text
            is_told = is_meant and done.what is not Redeemed.TOO_MANY
            if done.what in _ENTERED or is_told:
                return entered(done)
        met = await self._strangers.meet(caller, self._clock(), may_ask=may_ask)
        if met.asks is not None:
            await self._announce(met.asks)
        if not met.tells:
            return None
        return _ASKED if may_ask else _SHUT

    async def enter(self, account: Account, code: str, name: str) -> Entered:
        """Take a code from an account."""
        done = await self._codes.redeem(account, code, name, self._clock())
        if done.what is Redeemed.LINKED:
            await self._strangers.welcome(account)
        return done

    async def remind(self, person: Person, caller: Caller) -> None:
        """Tell the owner, who is here now, of those who still wait."""
        if person.role is not Role.OWNER or caller.group:
            return
        for stranger in await self._strangers.pending():
            if stranger.number not in self._told:
                notice = _asking(stranger)
                if await self._notices.to_thread(caller.thread, notice):
                    self._told.add(stranger.number)

    async def settle(self, person: Person, number: str, word: str) -> str:
        """Approve or refuse a stranger; the owner's alone."""
        if person.role is not Role.OWNER:
            return "Only the owner can do that."
        chosen, _, role = number.partition(" ")
        stranger = await self.waits_as(chosen)
        if stranger is None:
            return "Nobody waits under that number; /people lists who does."
        if word == "refuse":
            await self._strangers.settle(stranger.number, refused=True)
            return f"Refused: {named(stranger)}."
        wanted = Role.GUEST if role.strip().lower() == "guest" else Role.MEMBER
        # In this order: a process that dies in between leaves somebody who waits and
        # is in already, which a second yes puts right.
        added = await self._people.add(
            stranger.account, wanted, stranger.name, self._clock(), paired=True
        )
        await self._strangers.settle(stranger.number, refused=False)
        await self._notices.to_thread(stranger.thread, Notice(WELCOME))
        return f"{named(stranger)} may talk to me now, as {added.role}."

    async def waits_as(self, number: str) -> Stranger | None:
        """Give who waits under a number, if anybody does."""
        waiting = await self._strangers.pending()
        return next((one for one in waiting if str(one.number) == number), None)

    async def waiting(self) -> list[Stranger]:
        """Give who waits for the owner."""
        return await self._strangers.pending()

    async def _announce(self, stranger: Stranger) -> None:
        if await self._notices.to_person(OWNER, _asking(stranger)):
            self._told.add(stranger.number)


def code_in(text: str) -> str:
    """Give the code that a message holds: alone, or behind `/link` or `/start`."""
    word, _, rest = text.strip().partition(" ")
    if word.partition("@")[0].lower() in _ENTERING:
        return rest.strip()
    return text if looks_like_code(text) else ""


def entered(done: Entered) -> str:
    """Say what came of a code."""
    match done.what:
        case Redeemed.LINKED:
            return f"Linked. {WELCOME}"
        case Redeemed.ALREADY:
            return "This account is linked already."
        case Redeemed.TOO_MANY:
            return f"{GUESSES} wrong codes in an hour: try again later."
        case Redeemed.WRONG_WAY:
            return (
                "That code was made by somebody who may do less than you here. Make one"
                " with /link on this side, and enter it there."
            )
        case Redeemed.WRONG:
            return "That code is wrong, was used, or is older than ten minutes."


def named(stranger: Stranger) -> str:
    """Name a stranger by what cannot be faked, and by the name that they chose."""
    return f'"{shown_name(stranger.name)}" ({stranger.account})'


def _asking(stranger: Stranger) -> Notice:
    number = stranger.number
    return Notice(
        f"{named(stranger)} wants to talk to me."
        f" /approve {number} (or /approve {number} guest) or /refuse {number}",
        (
            Button("Approve", f"approve:{number}"),
            Button("Refuse", f"refuse:{number}"),
        ),
    )
