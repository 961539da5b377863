"""Everything that one home needs, built and closed in one place."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.commands import Commands
from apx.agent.delivery import Delivery
from apx.agent.explain import Explainer
from apx.agent.gateway import Gateway
from apx.agent.loop import Agent
from apx.agent.policy import Policy
from apx.agent.prompt import Setting
from apx.agent.recovery import Recovery
from apx.store.database import Database
from apx.store.schema import LEDGER
from apx.wiring.condensing import Rooms, condensing, shortening
from apx.wiring.models import Models
from apx.wiring.recalling import Place
from apx.wiring.remembering import Remembering, remembering
from apx.wiring.status import Status
from apx.wiring.zone import local_zone
from channels.terminal.channel import TerminalChannel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from pathlib import Path

    from apx.agent.condensing import Condensing
    from apx.agent.shortening import Shortening
    from apx.config import Config
    from apx.ports import Channel, Clock

log = structlog.get_logger(__name__)

# Processes that stay: they may load a model, and work in the background.
STAYS: Final = frozenset({"apx run", "apx chat", "apx memory reindex"})
# Those that will ask for an embedder sooner or later.
_ASKING: Final = STAYS - {"apx memory reindex"} | {
    "apx exec",
    "apx memory search",
    "apx memory history",
}
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
    explainer: Explainer
    gateway: Gateway
    delivery: Delivery
    terminal: TerminalChannel
    status: Status
    condensing: Condensing
    shortening: Shortening

    async def keep_up(self) -> None:
        """Do what is to be done in the background, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(_repeated(self._deliver, self._interval))
            group.create_task(_repeated(self._remember, self._news))

    async def _deliver(self) -> None:
        await self.memory.book.sync()
        await self.delivery.deliver_all()

    async def _remember(self) -> None:
        await self.memory.daily.catch_up()
        await self.memory.recall.keep_up()

    async def _interval(self) -> None:
        await asyncio.sleep(self.config.memory.index_interval_s)

    async def _news(self) -> None:
        """Wait until something was said, and a moment more for what comes with it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.memory.index_interval_s):
                await self.memory.written.wait()
        await asyncio.sleep(_TOGETHER)
        self.memory.written.clear()


async def _repeated(
    work: Callable[[], Awaitable[None]], pause: Callable[[], Awaitable[None]]
) -> None:
    while True:
        try:
            await work()
        except Exception:  # the background loop: it must outlive its faults
            log.exception("background_failed")
        await pause()


@asynccontextmanager
async def opened(
    config: Config, home: Path, what: str, clock: Clock = now
) -> AsyncIterator[House]:
    """Open a home: databases, memory, models; close it all at the end.

    `what` is how others call the process, such as `apx run`. The caller holds the
    home's lock, and opens the gateway when it is ready for work.
    """
    async with Database.open(home / "ledger.db", LEDGER) as database:
        zone = local_zone(config.user.timezone)
        place = Place(home, what in STAYS, zone)
        async with (
            remembering(config, place, clock, database) as memory,
            Models(config) as models,
        ):
            await memory.book.sync()
            await memory.recall.spaces.start(at_once=what in _ASKING)
            yield _built(config, home, what, memory, models)


def _built(
    config: Config, home: Path, what: str, memory: Remembering, models: Models
) -> House:
    terminal = TerminalChannel(memory.clock)
    channels: Mapping[str, Channel] = {terminal.name: terminal}
    explainer = Explainer(memory.history, memory.zone)
    delivery = Delivery(memory.outbox, channels, memory.clock)
    setting = Setting(_instructions(config), memory.zone)
    rooms = Rooms(config, setting, memory.bench(config))
    by_hand = condensing(rooms, memory, models)
    behind = shortening(by_hand, memory, config, asks=what in STAYS)
    status = Status(what, home, memory.clock(), config, memory, models, by_hand)
    gateway = Gateway(
        ledger=memory.ledger,
        agent=_agent(rooms, memory, models, by_hand),
        recovery=Recovery(memory.ledger, memory.history, memory.outbox, memory.clock),
        delivery=delivery,
        commands=_commands(memory, explainer, status, by_hand),
        shortening=behind,
        channels=channels,
        clock=memory.clock,
    )
    return House(
        home=home,
        config=config,
        memory=memory,
        explainer=explainer,
        gateway=gateway,
        delivery=delivery,
        terminal=terminal,
        status=status,
        condensing=by_hand,
        shortening=behind,
    )


def _agent(
    rooms: Rooms, memory: Remembering, models: Models, by_hand: Condensing
) -> Agent:
    config = rooms.config
    return Agent(
        ledger=memory.ledger,
        history=memory.history,
        broker=memory.broker(config),
        bench=rooms.bench,
        models=models.get,
        condensing=by_hand,
        windows=rooms.windows,
        policy=Policy(
            setting=rooms.setting,
            max_iterations=config.super_agent.max_iterations,
            hits=config.memory.recall.top_k,
            recalls=config.memory.enabled,
        ),
        clock=memory.clock,
    )


def _instructions(config: Config) -> str:
    language = config.user.language
    wish = f"Answer in {language} unless asked otherwise.\n" if language else ""
    return f"\n{wish}{config.super_agent.instructions}"


def _commands(
    memory: Remembering, explainer: Explainer, status: Status, by_hand: Condensing
) -> Commands:
    return Commands(
        ledger=memory.ledger,
        history=memory.history,
        book=memory.book,
        proposals=memory.proposals,
        condensing=by_hand,
        recalled=memory.recall.source,
        explainer=explainer,
        status=status.told,
        model=status.models.name,
        zone=memory.zone,
        clock=memory.clock,
    )
