"""What answers in a home: the loop, the commands, the gateway before them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from apx.agent.commands import Commands
from apx.agent.gateway import Gateway
from apx.agent.loop import Agent
from apx.agent.memory_commands import MemoryCommands
from apx.agent.people_commands import PeopleCommands
from apx.agent.policy import Policy
from apx.agent.recovery import Recovery
from apx.agent.rights import Rights
from apx.agent.talk_commands import TalkCommands
from apx.agent.toolbox import Bench
from apx.domain.person import TERMINAL, Audience, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.agent.condensing import Condensing
    from apx.agent.delivery import Delivery
    from apx.agent.explain import Explainer
    from apx.agent.shortening import Shortening
    from apx.agent.spending import Budgets, Choice
    from apx.domain.turn import Turn
    from apx.ports import Channel
    from apx.wiring.condensing import Rooms
    from apx.wiring.models import Models
    from apx.wiring.persons import Persons
    from apx.wiring.remembering import Remembering
    from apx.wiring.status import Status


@dataclass(frozen=True, slots=True)
class Base:
    """All that an answer is made with, and the channels that it goes to."""

    rooms: Rooms
    memory: Remembering
    models: Models
    budgets: Budgets
    who: Persons
    condensing: Condensing
    channels: Mapping[str, Channel]


def gateway(
    base: Base,
    shortening: Shortening,
    explainer: Explainer,
    status: Status,
    delivery: Delivery,
) -> Gateway:
    """Build the gateway with everything behind it."""
    memory = base.memory
    return Gateway(
        ledger=memory.ledger,
        agent=_agent(base),
        recovery=Recovery(
            memory.ledger,
            memory.history,
            memory.outbox,
            memory.clock,
            partial(_is_theirs, base),
        ),
        delivery=delivery,
        commands=_commands(base, explainer, status),
        shortening=shortening,
        channels=base.channels,
        clock=memory.clock,
    )


async def _is_theirs(base: Base, turn: Turn) -> bool:
    """Whether a private chat is still its person's: an account may have been parted."""
    if turn.thread.channel == TERMINAL.channel or Audience(turn.audience).thread:
        return True
    bot = turn.thread.place.partition(":")[0]
    accounts = [kept.account for kept in await base.who.people.accounts(turn.person)]
    return any((a.channel, a.bot) == (turn.thread.channel, bot) for a in accounts)


def _agent(base: Base) -> Agent:
    rooms, memory = base.rooms, base.memory
    config = rooms.config
    return Agent(
        ledger=memory.ledger,
        history=memory.history,
        broker=memory.broker(config),
        bench=rooms.bench,
        models=base.models.get,
        condensing=base.condensing,
        windows=rooms.windows,
        policy=Policy(
            setting=rooms.setting,
            max_iterations=config.super_agent.max_iterations,
            hits=config.memory.recall.top_k,
            recalls=config.memory.enabled,
        ),
        clock=memory.clock,
        rights=Rights(
            grants=partial(_granted, base),
            choose=partial(_chosen, base),
            sights=base.who.sights.of,
            confirmations=base.who.confirmations,
        ),
    )


async def _role(base: Base, person: str) -> Role:
    """Say what a person may do now, whatever that was when they asked."""
    found = await base.who.people.person(person)
    return found.role if found else Role.GUEST


async def _chosen(base: Base, person: str, _: Role, wanted: str) -> Choice:
    """Give the model that answers a person."""
    return await base.budgets.choose(person, await _role(base, person), wanted)


async def _granted(base: Base, turn: Turn) -> Bench:
    """Give the tools that a person has."""
    role = await _role(base, turn.person)
    tools = base.rooms.bench.tools.items()
    return Bench({n: tool for n, tool in tools if base.budgets.has_tool(role, n)})


def _commands(base: Base, explainer: Explainer, status: Status) -> Commands:
    memory, who = base.memory, base.who
    talk = TalkCommands(
        ledger=memory.ledger,
        history=memory.history,
        condensing=base.condensing,
        explainer=explainer,
        status=status.told,
        model=base.models.name,
        usage=base.budgets.told,
    )
    remembered = MemoryCommands(
        memory.books,
        memory.proposals,
        memory.recall.source,
        memory.forgetting,
        memory.zone,
    )
    people = PeopleCommands(
        who.people,
        who.codes,
        who.newcomers,
        who.confirmations,
        who.parting,
        memory.clock,
    )
    groups = {**talk.known(), **remembered.known(), **people.known()}
    return Commands(groups, who.sights, base.condensing.stop)
