"""Everything that one home needs, built and closed in one place."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.delivery import Delivery
from apx.agent.door import Doors
from apx.agent.explain import Explainer
from apx.agent.pressing import Presses
from apx.agent.prompt import Setting
from apx.agent.spending import Budgets
from apx.domain.secrets import mask
from apx.store.database import Database
from apx.store.schema import LEDGER
from apx.store.spent import Spent
from apx.wiring.answering import Base, beside, commands, gateway
from apx.wiring.channels import switched_on
from apx.wiring.condensing import Rooms, condensing, shortening
from apx.wiring.hearing import gathering
from apx.wiring.models import Models
from apx.wiring.persons import persons
from apx.wiring.recalling import Place
from apx.wiring.remembering import Remembering, remembering
from apx.wiring.status import Status
from apx.wiring.zone import local_zone
from channels.terminal.channel import TerminalChannel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from datetime import tzinfo
    from pathlib import Path

    from apx.agent.condensing import Condensing
    from apx.agent.gateway import Gateway
    from apx.agent.gathering import Gathering
    from apx.agent.shortening import Shortening
    from apx.config import Config
    from apx.ports import Channel, Clock
    from apx.wiring.persons import Persons

log = structlog.get_logger(__name__)

# Processes that stay: they may load a model, and work in the background.
SERVES: Final = frozenset({"apx run"})
STAYS: Final = frozenset({"apx run", "apx chat", "apx memory reindex"})
# Those that will ask for an embedder sooner or later.
_ASKING: Final = STAYS - {"apx memory reindex"} | {
    "apx exec",
    "apx memory search",
    "apx memory history",
}
# What waits to be delivered is looked at every so many seconds.
_OFTEN: Final = 5.0
# A turn writes several times; they are indexed and embedded together.
_TOGETHER: Final = 1.0


def now() -> datetime:
    """Tell the time, always with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class House:
    """The parts that commands reach for; the gateway is still to be opened."""

    home: Path
    config: Config
    memory: Remembering
    who: Persons
    explainer: Explainer
    gateway: Gateway
    doors: Doors
    delivery: Delivery
    terminal: TerminalChannel
    status: Status
    condensing: Condensing
    shortening: Shortening
    gathering: Gathering
    channels: Mapping[str, Channel]
    # Why this process had better end and begin anew, if it had.
    given_up: list[str] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep_up(self) -> None:
        """Do what is to be done in the background, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(_repeated(self.memory.books.sync, self._interval))
            group.create_task(_repeated(self.delivery.deliver_all, _moment))
            group.create_task(_repeated(self.who.worries.look, _moment))
            group.create_task(_repeated(self.memory.keep_up, self._news))

    async def _interval(self) -> None:
        await asyncio.sleep(self.config.memory.index_interval_s)

    async def _news(self) -> None:
        """Wait until something was said, and a moment more for what comes with it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.memory.index_interval_s):
                await self.memory.written.wait()
        await asyncio.sleep(_TOGETHER)
        self.memory.written.clear()


async def _moment() -> None:
    await asyncio.sleep(_OFTEN)


async def _repeated(
    work: Callable[[], Awaitable[object]], pause: Callable[[], Awaitable[None]]
) -> None:
    while True:
        try:
            await work()
        except Exception:  # the background loop: it must outlive its faults
            log.exception("background_failed")
        await pause()


@asynccontextmanager
async def opened(
    config: Config,
    home: Path,
    what: str,
    clock: Clock = now,
    others: Mapping[str, Channel] = MappingProxyType({}),
) -> AsyncIterator[House]:
    """Open a home: databases, memory, models; close it all at the end.

    `what` is how others call the process, such as `apx run`. The caller holds the
    home's lock, and opens the gateway when ready. `others` are further channels.
    """
    async with Database.open(home / "ledger.db", LEDGER) as database:
        zone = local_zone(config.user.timezone)
        place = Place(home, what in STAYS, zone)
        async with (
            Spent.open(database, partial(_today, clock, zone)) as spent,
            Models(config, count=spent.add) as models,
            remembering(
                config,
                place,
                clock,
                database,
                budgets := Budgets(spent, config.limits(), models, clock, zone),
            ) as memory,
        ):
            await _started(config, memory, asks=what in _ASKING)
            terminal = TerminalChannel(memory.clock)
            served = switched_on(config, database, clock) if what in SERVES else {}
            channels = {**others, **served, terminal.name: terminal}
            who = persons(database, memory.threads, channels, clock)
            rooms = _rooms(config, memory)
            by_hand = condensing(rooms, memory, models, budgets)
            base = Base(rooms, memory, models, budgets, who, by_hand, channels)
            try:
                yield _built(base, home, what, terminal)
            finally:
                # What was promised for a little later has no later in this process.
                await memory.forgetting.again()


def _rooms(config: Config, memory: Remembering) -> Rooms:
    setting = Setting(_instructions(config), memory.zone)
    return Rooms(config, setting, memory.bench(config))


async def _started(config: Config, memory: Remembering, *, asks: bool) -> None:
    """Finish what another process left, and take over what people edited."""
    await memory.ledger.keep_secrets(config.privacy.keep_secrets)
    await memory.forgetting.resume()
    await memory.books.sync()
    await memory.recall.spaces.start(at_once=asks)


def _status(base: Base, home: Path, what: str) -> Status:
    memory = base.memory
    return Status(
        what,
        home,
        memory.clock(),
        base.rooms.config,
        memory,
        base.models,
        base.condensing,
        base.budgets,
        base.channels,
    )


def _built(base: Base, home: Path, what: str, terminal: TerminalChannel) -> House:
    config, memory = base.rooms.config, base.memory
    explainer = Explainer(memory.history, memory.zone)
    delivery = Delivery(memory.outbox, base.channels, memory.clock)
    behind = shortening(base.condensing, memory, config, asks=what in STAYS)
    status = _status(base, home, what)
    orders = commands(base, explainer, status)
    fetched = gathering(base)
    entry = gateway(base, behind, orders, delivery, fetched)
    base.who.parting.runs = entry.runs
    aside, who = beside(base, entry, orders), base.who
    doors = Doors(
        people=who.people,
        newcomers=who.newcomers,
        presses=Presses(who.confirmations, who.newcomers, aside),
        beside=aside,
        gateway=entry,
        threads=memory.threads,
        redact=str if config.privacy.keep_secrets else mask,
    )
    return House(
        home=home,
        config=config,
        memory=memory,
        who=base.who,
        explainer=explainer,
        gateway=entry,
        doors=doors,
        delivery=delivery,
        terminal=terminal,
        status=status,
        condensing=base.condensing,
        shortening=behind,
        gathering=fetched,
        channels=base.channels,
    )


def _today(clock: Clock, zone: tzinfo) -> str:
    """Name the day that it is for the person."""
    return f"{clock().astimezone(zone):%Y-%m-%d}"


def _instructions(config: Config) -> str:
    language = config.user.language
    wish = f"Answer in {language} unless asked otherwise.\n" if language else ""
    return f"\n{wish}{config.super_agent.instructions}"
