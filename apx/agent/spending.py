"""Which model a person's turn may have, and what may still be spent today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from apx.domain.errors import InputError
from apx.domain.person import Role
from apx.domain.usage import BEHIND, tokens_of
from apx.domain.usage_text import are_used_up, counted, told, used

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from apx.domain.usage import Call, Expense, Limits
    from apx.ports import ChatModel, Clock
    from apx.store.spent import Spent

_OFFLINE: Final = "offline"
_DAILY: Final = "budget.daily_tokens"
_BEHIND: Final = "budget.background_daily_tokens"


class Models(Protocol):
    """Who gives models by their names."""

    async def get(self, name: str = "") -> ChatModel:
        """Give the model with this name, or the usual one."""
        ...

    async def among(self, names: Sequence[str]) -> ChatModel:
        """Give these models as one, and none but these."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """The model for a turn, and what its person should know about that."""

    model: ChatModel
    remark: str = ""


class Budgets:
    """Holds what was spent today against what may be.

    A turn that has begun is finished: its model is chosen once.
    """

    def __init__(
        self,
        spent: Spent,
        limits: Limits,
        models: Models,
        clock: Clock,
        zone: tzinfo,
    ) -> None:
        self.limits = limits
        self._spent = spent
        self._models = models
        self._clock = clock
        self._zone = zone

    def count(self, call: Call) -> None:
        """Count a call that left the process."""
        self._spent.add(call)

    async def forget(self, person: str) -> None:
        """Have what a person spent be nobody's."""
        await self._spent.forget(person)

    @property
    def trouble(self) -> str:
        """Say what a bound keeps from being done; empty when nothing is."""
        if self._is_over(self.limits.daily_tokens, self._so_far()):
            return _told_used(
                _DAILY, self.limits.daily_tokens, "the offline model answers"
            )
        if not self.may_work_behind():
            most = self.limits.background_daily_tokens
            rest = "no model condenses, and nothing is embedded"
            return _told_used(_BEHIND, most, rest)
        return ""

    def may_work_behind(self) -> bool:
        """Whether something may be spent for what nobody waits for."""
        if not self.may_ask():
            return False
        behind = [one for one in self._so_far() if one.purpose in BEHIND]
        return not self._is_over(self.limits.background_daily_tokens, behind)

    def may_ask(self) -> bool:
        """Whether anything may be spent at all, as on the vector of a question."""
        return not self._is_over(self.limits.daily_tokens, self._so_far())

    async def choose(self, person: str, role: Role, wanted: str = "") -> Choice:
        """Give the model that answers a person now.

        Raises `InputError` for a wanted one that is not for their role.
        """
        if remark := await self._used_up(person, role):
            return Choice(await self._models.get(_OFFLINE), remark)
        allowed = self.limits.of(role).models
        if not allowed or wanted == _OFFLINE:
            return Choice(await self._models.get(wanted))
        if wanted and wanted not in allowed:
            raise InputError(
                f"{wanted} is not among the models of your role:"
                f" {', '.join(allowed)} (config.json: roles.{role}.models)"
            )
        first = wanted or (await self._models.get()).name
        rest = [name for name in allowed if name != first]
        names = [first, *rest] if first in allowed else rest
        # Only these: behind the usual model may stand one that is not for them.
        return Choice(await self._models.among(names[:1] if wanted else names))

    async def may_spend(self, person: str, role: Role) -> bool:
        """Whether anything may still be spent for a person today."""
        return not await self._used_up(person, role)

    def has_tool(self, role: Role, name: str) -> bool:
        """Whether a role may use a tool."""
        return self.limits.of(role).has_tool(name)

    async def report(self, days: int = 1, person: str = "") -> list[Expense]:
        """Give what the last days cost, today among them; a person's own if one is."""
        first = self._now() - timedelta(days=days - 1)
        found = await self._spent.since(f"{first:%Y-%m-%d}")
        return [one for one in found if not person or one.person == person]

    async def told(self, person: str, role: Role, days: int = 1) -> str:
        """Say it in words: all of it to the owner, to others what is their own."""
        is_owner = role is Role.OWNER
        found = await self.report(days, "" if is_owner else person)
        today = self._today()
        now = [one for one in found if one.day == today]
        mine = [one for one in now if one.person == person]
        when = "today" if days == 1 else f"the last {days} days"
        lines = [told(found, when), self._told_role(role, mine)]
        if is_owner:
            lines += self._told_home(now)
        return "\n".join(filter(None, lines))

    def _told_home(self, now: Sequence[Expense]) -> list[str]:
        behind = [one for one in now if one.purpose in BEHIND]
        most, most_behind = (
            self.limits.daily_tokens,
            self.limits.background_daily_tokens,
        )
        return [
            used(_DAILY, tokens_of(now), most),
            used(_BEHIND, tokens_of(behind), most_behind),
        ]

    def _told_role(self, role: Role, mine: Sequence[Expense]) -> str:
        most = self.limits.of(role).daily_tokens
        return used(f"roles.{role}.daily_tokens", tokens_of(mine), most)

    async def _used_up(self, person: str, role: Role) -> str:
        now = await self._spent.on(self._today())
        most = self.limits.daily_tokens
        if self._is_over(most, now):
            return _remark("The", most, _DAILY)
        most = self.limits.of(role).daily_tokens
        if self._is_over(most, [one for one in now if one.person == person]):
            return _remark("Your", most, f"roles.{role}.daily_tokens")
        return ""

    @staticmethod
    def _is_over(most: int, expenses: Sequence[Expense]) -> bool:
        return bool(most) and tokens_of(expenses) >= most

    def _so_far(self) -> list[Expense]:
        return self._spent.so_far()

    def _now(self) -> datetime:
        return self._clock().astimezone(self._zone)

    def _today(self) -> str:
        return f"{self._now():%Y-%m-%d}"


def _remark(whose: str, most: int, key: str) -> str:
    return (
        f"{whose} {counted(most)} for today {are_used_up(most)}: the offline model"
        f" answers until midnight. {key} in config.json."
    )


def _told_used(key: str, most: int, rest: str) -> str:
    return f"the {counted(most)} of {key} {are_used_up(most)}: {rest} until midnight"
