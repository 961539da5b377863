"""The chat commands about people: linking accounts, letting strangers in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.agent.newcomers import entered, named
from apx.domain.person import TERMINAL, Role
from apx.store.codes import Wanted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.agent.asked import Asked, Command
    from apx.agent.confirming import Confirmations
    from apx.agent.newcomers import Newcomers
    from apx.agent.parting import Parting
    from apx.domain.access import Known
    from apx.domain.person import Person
    from apx.ports import Clock
    from apx.store.codes import Codes
    from apx.store.people import Kept, People

_IN_PRIVATE = "Write that to me in a private chat: others would read the code here."


class PeopleCommands:
    """Makes and takes codes, lists people, answers for the owner."""

    def __init__(
        self,
        people: People,
        codes: Codes,
        newcomers: Newcomers,
        confirmations: Confirmations,
        parting: Parting,
        clock: Clock,
    ) -> None:
        self._people = people
        self._parting = parting
        self._clock = clock
        self._codes = codes
        self._newcomers = newcomers
        self._confirmations = confirmations

    def known(self) -> Mapping[str, Command]:
        """Give the commands by name."""
        return {
            "link": self._link,
            "unlink": self._unlink,
            "people": self._list,
            "approve": self._approve,
            "refuse": self._refuse,
            "yes": self._yes,
            "no": self._no,
        }

    async def _link(self, asked: Asked) -> str:
        heard = asked.heard
        if heard.audience.thread:
            return _IN_PRIVATE
        if asked.rest and heard.account == TERMINAL:
            return "The terminal is the owner's already; enter the code elsewhere."
        if asked.rest:
            done = await self._newcomers.enter(heard.account, asked.rest, "")
            return entered(done)
        vouched = heard.role is Role.OWNER
        wish = Wanted(heard.person, vouched=vouched)
        code = await self._codes.issue(self._clock(), wish)
        return (
            f"{shown(code)} — within ten minutes, write /link {shown(code)} to me from"
            " your other account, in a private chat. Give it to nobody: whoever enters"
            " it is you."
        )

    async def _unlink(self, asked: Asked) -> str:
        account = asked.heard.account
        if account == TERMINAL:
            return (
                "The terminal is always the owner's. To part another account:"
                " apx people remove ACCOUNT; apx people list names them."
            )
        known = await self._people.known(account)
        if known is not None and not known.paired and not await self._is_linked(known):
            return "There is nothing to part: anybody may write to this bot."
        kept = await self._parting.part(account, self._clock(), asked.heard.key)
        if kept is None:
            return "This account is linked to nobody, or was parted already."
        if kept.home:
            return "Parted: this account is again what it was before it was linked."
        return "Parted: I do not know this account any more. A code lets it in again."

    async def _is_linked(self, known: Known) -> bool:
        accounts = await self._people.accounts(known.person.key)
        return any(kept.home for kept in accounts) or len(accounts) > 1

    async def _list(self, asked: Asked) -> str:
        if asked.heard.audience.thread:
            return "Ask me that in a private chat."
        accounts = await self._people.accounts()
        lines = [told(p, accounts) for p in await self._people.every()]
        lines += [
            f"waits: {named(one)}; /approve {one.number} or /refuse {one.number}"
            for one in await self._newcomers.waiting()
        ]
        return "\n".join(lines)

    async def _approve(self, asked: Asked) -> str:
        return await self._settled(asked, "approve")

    async def _refuse(self, asked: Asked) -> str:
        return await self._settled(asked, "refuse")

    async def _settled(self, asked: Asked, word: str) -> str:
        if asked.heard.audience.thread:
            return "Tell me that in a private chat."
        person = await self._people.person(asked.heard.person)
        if person is None:
            return "Only the owner can do that."
        return await self._newcomers.settle(person, asked.rest, word)

    async def _yes(self, asked: Asked) -> str:
        return self._answered(asked, yes=True)

    async def _no(self, asked: Asked) -> str:
        return self._answered(asked, yes=False)

    def _answered(self, asked: Asked, *, yes: bool) -> str:
        person, number = asked.heard.person, asked.rest.strip()
        if not self._confirmations.answer(number, person, yes):
            return "There is no question of mine to answer."
        return "Yes, then." if yes else "No, then."


def told(person: Person, accounts: list[Kept]) -> str:
    """Write a person on one line, with their accounts."""
    theirs = [str(kept.account) for kept in accounts if kept.person == person.key]
    name = f" {person.name}" if person.name else ""
    where = ", ".join(theirs) or ("the terminal" if person.key == "owner" else "none")
    return f"{person.key} ({person.role}){name}: {where}"
