"""What depends on who asks: their tools, their model, what they see, their yes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from apx.agent.toolbox import Permit
from apx.domain.person import Sight

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.agent.confirming import Confirmations
    from apx.agent.run import Run
    from apx.agent.speech import Speech
    from apx.agent.toolbox import Bench
    from apx.domain.turn import Turn
    from apx.ports import ChatModel

    Grants = Callable[[Turn], Awaitable[Bench]]
    Choose = Callable[[Turn], Awaitable["Choice"]]
    Sights = Callable[[str, str], Awaitable[Sight]]
    Models = Callable[[str], Awaitable[ChatModel]]


class Choice(Protocol):
    """Which model answers a turn, and what its person should know of that."""

    @property
    def model(self) -> ChatModel:
        """The one that answers."""
        ...

    @property
    def remark(self) -> str:
        """What is said below the reply; empty for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Usual:
    """The model that was asked for, and nothing to say."""

    model: ChatModel
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Rights:
    """Asks whoever knows; without anybody, all tools and models are everybody's.

    `grants` gives the tools of a turn's person, `choose` who answers it, `sights` what
    a person sees where an audience reads the reply. Without `confirmations` what needs
    a yes is not done.
    """

    grants: Grants | None = None
    choose: Choose | None = None
    sights: Sights | None = None
    confirmations: Confirmations | None = None

    async def bench(self, turn: Turn, every: Bench) -> Bench:
        """Give the tools of a turn's person."""
        return await self.grants(turn) if self.grants else every

    async def model(self, turn: Turn, models: Models) -> Choice:
        """Give the model that answers a turn."""
        if self.choose is None:
            return Usual(await models(turn.wanted))
        return await self.choose(turn)

    async def permit(self, run: Run, speech: Speech) -> Permit:
        """Give what the tools of a turn may look at, and how its person is asked."""
        sight = Sight(run.turn.audience)
        if self.sights is not None:
            sight = await self.sights(run.turn.person, run.turn.audience)
        return Permit(
            sight, partial(self._confirmed, run, speech), partial(self._may, run.turn)
        )

    async def _may(self, turn: Turn, name: str) -> bool:
        """Whether a tool is granted still: a role may change while a turn runs."""
        return self.grants is None or name in (await self.grants(turn)).tools

    async def _confirmed(self, run: Run, speech: Speech, question: str) -> bool:
        """Ask the turn's person; stopping the turn is a no."""
        confirmations = self.confirmations
        if confirmations is None or run.is_stopping:
            return False
        with run.waiting(partial(confirmations.cancel, run.turn.id)):
            return await confirmations.ask(run.turn, question, speech.live)


EVERYBODYS: Final = Rights()
