"""What answers in a home: the loop, the commands, the gateway before them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from apx.agent.beside import Beside
from apx.agent.commands import Commands
from apx.agent.gateway import Gateway
from apx.agent.loop import Agent
from apx.agent.mem_commands import MemCommands
from apx.agent.memory_commands import MemoryCommands
from apx.agent.model_commands import ModelCommands
from apx.agent.people_commands import PeopleCommands
from apx.agent.policy import Policy
from apx.agent.recovery import Recovery
from apx.agent.rights import Rights
from apx.agent.seeing import Seeing
from apx.agent.talk_commands import TalkCommands
from apx.agent.toolbox import Bench
from apx.agent.work import OFFLINE
from apx.domain.errors import ConfigError, InputError
from apx.domain.person import TERMINAL, Audience, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.agent.condensing import Condensing
    from apx.agent.delivery import Delivery
    from apx.agent.explain import Explainer
    from apx.agent.gathering import Gathering
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
    commands: Commands,
    delivery: Delivery,
    gathering: Gathering,
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
        commands=commands,
        shortening=shortening,
        gathering=gathering,
        channels=base.channels,
        clock=memory.clock,
    )


def beside(base: Base, entry: Gateway, commands: Commands) -> Beside:
    """Build what takes edits, overheard words and buttons."""
    return Beside(base.memory.ledger, commands, entry)


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
        pictures=Seeing(memory.files).pictures,
    )


async def _role(base: Base, person: str) -> Role:
    """Say what a person may do now, whatever that was when they asked."""
    found = await base.who.people.person(person)
    return found.role if found else Role.GUEST


async def _chosen(base: Base, turn: Turn) -> Choice:
    """Give the model that answers a turn: asked for, chosen for its thread, or usual.

    What somebody chose for a room may not be for another one there. A retry is answered
    by the usual one: the chosen one may be why it failed.
    """
    role = await _role(base, turn.person)
    liked = ""
    if not turn.wanted and not turn.retry_of:
        liked = await base.memory.ledger.model_of(turn.thread)
    try:
        return await base.budgets.choose(turn.person, role, turn.wanted or liked)
    except (InputError, ConfigError):
        if turn.wanted:
            raise
        return await base.budgets.choose(turn.person, role, "")


async def _granted(base: Base, turn: Turn) -> Bench:
    """Give the tools that a person has."""
    role = await _role(base, turn.person)
    tools = base.rooms.bench.tools.items()
    return Bench({n: tool for n, tool in tools if base.budgets.has_tool(role, n)})


def commands(base: Base, explainer: Explainer, status: Status) -> Commands:
    """Build the chat commands, all of them."""
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
    models = ModelCommands(
        memory.ledger,
        base.models.name,
        partial(_offered, base),
        base.budgets.choose,
    )
    curated = MemCommands(memory.curated)
    rooms = (talk, remembered, curated, people, models)
    groups = {name: do for room in rooms for name, do in room.known().items()}
    choices = {**remembered.choices(), **curated.choices(), **models.choices()}
    return Commands(groups, who.sights, base.condensing.stop, choices)


async def _offered(base: Base, person: str) -> list[str]:
    """Name the models that a person may choose from: those that config.json names."""
    role = await _role(base, person)
    if allowed := base.budgets.limits.of(role).models:
        return list(allowed)
    agent = base.rooms.config.super_agent
    named = [agent.model, *agent.fallback_models, OFFLINE]
    return [name for name in dict.fromkeys(named) if name != "auto"]
