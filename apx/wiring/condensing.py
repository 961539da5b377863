"""What threads are kept short with: the condenser, and the models that it asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.agent.condensing import Condensing
from apx.agent.prompt import system_message
from apx.agent.shortening import Shortening
from apx.domain.compaction import Compaction
from apx.memory.condenser import Condenser
from apx.memory.drafting import Drafting
from apx.memory.flush import Flush
from apx.memory.windows import Windows

if TYPE_CHECKING:
    from apx.agent.prompt import Setting
    from apx.agent.spending import Budgets
    from apx.agent.toolbox import Bench
    from apx.config import Config
    from apx.ports import ChatModel
    from apx.wiring.models import Models
    from apx.wiring.remembering import Remembering


@dataclass(frozen=True, slots=True)
class Rooms:
    """What every prompt of a home is made with."""

    config: Config
    setting: Setting
    bench: Bench
    windows: Windows = field(default_factory=Windows)


def condensing(
    rooms: Rooms, memory: Remembering, models: Models, budgets: Budgets
) -> Condensing:
    """Build what condenses by hand, and in a turn that is too long."""
    return Condensing(
        condenser=_condenser(rooms, memory, models, budgets),
        history=memory.history,
        models=models.get,
        windows=rooms.windows,
        bench=rooms.bench,
        setting=rooms.setting,
    )


def shortening(
    by_hand: Condensing, memory: Remembering, config: Config, *, asks: bool
) -> Shortening:
    """Build what condenses behind the conversation."""
    return Shortening(
        by_hand,
        memory.history,
        asks=asks,
        gives_way=lambda name: is_at_home(name, config),
    )


def is_at_home(name: str, config: Config) -> bool:
    """Whether a model probably answers one after the other, as at home it does."""
    provider, _, _ = name.partition(":")
    is_own_server = provider == "openai" and bool(config.engines.openai.base_url)
    return provider == "ollama" or is_own_server


def condensing_names(config: Config) -> list[str]:
    """Name the models that condense, first choice first; `` is the one that answers.

    The default of `compact_model` may be a model in the cloud: it is asked only where
    config.json itself names it.
    """
    memory = config.memory
    is_named = memory.compact_model and "compact_model" in memory.model_fields_set
    first = [memory.compact_model] if is_named else []
    names = [*first, memory.compact_fallback_model]
    return list(dict.fromkeys("" if name == "auto" else name for name in names))


def _condenser(
    rooms: Rooms, memory: Remembering, models: Models, budgets: Budgets
) -> Condenser:
    async def asked() -> list[ChatModel]:
        if not budgets.may_work_behind():
            return []  # by rule, then
        return [await models.get(name) for name in condensing_names(rooms.config)]

    settings = rooms.config.memory
    return Condenser(
        history=memory.history,
        condensations=memory.condensations,
        drafting=Drafting(asked, rooms.windows, system_message(rooms.setting).text),
        flush=Flush(
            memory.recall.indexer, memory.proposals if settings.enabled else None
        ),
        rules=Compaction(
            threshold=settings.compact_threshold,
            keep_recent=settings.keep_recent,
            keep_first=settings.keep_first,
        ),
        clock=memory.clock,
    )
