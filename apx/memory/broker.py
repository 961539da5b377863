"""Asks every source at once and answers when the time is up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from apx.domain.errors import ApxError
from apx.domain.recall import Findings, Recall
from apx.memory.merge import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apx.domain.recall import Query
    from apx.ports import Source

log = structlog.get_logger(__name__)


class Broker:
    """Recalls what the sources know, within a budget of seconds.

    `note_source` says how a curated memory names the note that it was made of.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        budget: float = 0.8,
        note_source: Callable[[str], str] = lambda _: "",
    ) -> None:
        self._sources = sources
        self._budget = budget
        self._note_source = note_source

    async def recall(self, query: Query) -> Recall:
        """Merge what arrived in time; name the sources that did not."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        deadline = began + self._budget
        async with asyncio.TaskGroup() as group:
            asked = [
                group.create_task(_ask(source, query, deadline))
                for source in self._sources
            ]
        found = [task.result() for task in asked]
        return Recall(
            memories=merge(
                (one.memories for one in found), query.text, self._note_source
            ),
            missed=tuple(name for one in found for name in one.missed),
            withheld=sum(one.withheld for one in found),
            spent_ms=round((loop.time() - began) * 1000),
        )


async def _ask(source: Source, query: Query, deadline: float) -> Findings:
    try:
        async with asyncio.timeout_at(deadline):
            return await source.fetch(query)
    except TimeoutError:
        log.info("source_late", source=source.name)
    except ApxError as error:
        log.warning("source_failed", source=source.name, error=str(error))
    return Findings(missed=(source.name,))
