"""The source of curated memories: rules in every prompt, and what fits a question."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from apx.domain.recall import Findings
from apx.domain.secrets import mask
from apx.domain.text import content_terms
from apx.memory.curated.finding import Likeness, fused
from apx.memory.curated.fitting import fitted, memory
from apx.memory.curated.lately import Lately
from apx.memory.curated.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import tzinfo

    from apx.domain.curated import Fact
    from apx.domain.recall import Memory, Query
    from apx.memory.curated.finding import Hit
    from apx.memory.curated.vectors import FactVectors
    from apx.memory.recall.recalled import Patience
    from apx.memory.recall.search import Meaning

RULES: Final = 5
FOUND: Final = 3
_NAME: Final = "curated"
_LOADING: Final = f"{_NAME}: loading"
_VECTORS: Final = f"{_NAME}: vectors"


class Known(Protocol):
    """The memories that hold now; its methods block."""

    is_warm: bool

    def is_there(self) -> bool:
        """Whether there is a store."""
        ...

    def rules(self) -> Mapping[str, Fact]:
        """Give the constraints alone, quickly."""
        ...

    def facts(self) -> Mapping[str, Fact]:
        """Give all of them."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """Who embeds questions, and what the vectors of memories say to one."""

    meaning: Callable[[str], Awaitable[Meaning | None]]
    vectors: FactVectors


class CuratedMemories:
    """What was kept on purpose and holds now, as far as an audience may see it.

    Without `finds` only the rules are given.
    """

    name = _NAME

    def __init__(
        self,
        known: Known,
        asked: Asked,
        zone: tzinfo,
        patience: Patience,
        *,
        finds: bool = True,
    ) -> None:
        self._known = known
        self._asked = asked
        self._zone = zone
        self._patience = patience
        self._finds = finds
        self._ranking = Ranking()
        self._lately = Lately()
        self._warming: asyncio.Future[None] | None = None

    async def warm(self) -> Mapping[str, Fact]:
        """Read the store before anybody asks; gives what holds."""
        facts = await asyncio.to_thread(self._known.facts)
        await asyncio.to_thread(self._ranking.renew, facts)
        return facts

    async def fetch(self, query: Query) -> Findings:
        """Give the rules first, then the best for the question, in the room they have.

        Rules and words never wait for a vector.
        """
        if not self._known.is_there():
            return Findings()
        began = asyncio.get_running_loop().time()
        wants = self._finds and bool(content_terms(query.text))
        meaning = self._send_for_meaning(query) if wants else None
        try:
            facts, missed = await self._facts(began, wants=wants)
            rules = _rules(facts, query.audiences)
            hits: list[Hit] = []
            withheld = 0
            if wants and not missed:
                cosines, missed = await self._cosines(meaning, began)
                hits = await self._hits(facts, query, query.audiences, cosines)
                if query.withheld:
                    others = await self._hits(facts, query, query.withheld, cosines)
                    withheld = len(others[:FOUND])
        finally:
            if meaning is not None:
                meaning.cancel()
        return Findings(self._shown(query, rules, hits), missed, withheld)

    def _send_for_meaning(self, query: Query) -> asyncio.Future[Meaning | None]:
        # The very text that recall asks for: it is embedded once.
        return asyncio.ensure_future(self._asked.meaning(mask(query.text)))

    async def _facts(
        self, began: float, *, wants: bool
    ) -> tuple[Mapping[str, Fact], tuple[str, ...]]:
        """Read what changed; a store that is new to this process gives its rules."""
        if not wants:
            return await asyncio.to_thread(self._known.rules), ()
        if self._known.is_warm:
            return await asyncio.to_thread(self._known.facts), ()
        rules = await asyncio.to_thread(self._known.rules)
        warming = self._warming
        if warming is None or warming.done():
            warming = self._warming = asyncio.ensure_future(self._warmed())
        left = began + self._patience.vector - asyncio.get_running_loop().time()
        await asyncio.wait([warming], timeout=max(left, 0))
        if not warming.done():
            return rules, (_LOADING,)
        return await asyncio.to_thread(self._known.facts), ()

    async def _warmed(self) -> None:
        await self.warm()

    async def aclose(self) -> None:
        """End what is under way; a thread that reads cannot be, and is waited for."""
        if self._warming is not None:
            await asyncio.wait([self._warming])

    async def _cosines(
        self, meaning: asyncio.Future[Meaning | None] | None, began: float
    ) -> tuple[Likeness, tuple[str, ...]]:
        if meaning is None:
            return Likeness({}), ()
        left = began + self._patience.vector - asyncio.get_running_loop().time()
        await asyncio.wait([meaning], timeout=max(left, 0))
        if not meaning.done():
            return Likeness({}), (_VECTORS,)
        found = meaning.result()
        if found is None:
            return Likeness({}), ()
        cosines = await self._asked.vectors.cosines(found)
        return Likeness(cosines, found), ()

    async def _hits(
        self,
        facts: Mapping[str, Fact],
        query: Query,
        audiences: Sequence[str],
        likeness: Likeness,
    ) -> list[Hit]:
        scored = await asyncio.to_thread(
            self._ranking.found, facts, query.text, audiences
        )
        seen = {n: f for n, f in facts.items() if f.audience in audiences}
        return fused(seen, scored, likeness)

    def _shown(
        self, query: Query, rules: Sequence[Fact], hits: Sequence[Hit]
    ) -> tuple[Memory, ...]:
        """Leave out what the last turns were shown; rules stand in every prompt.

        What fits best comes again: without it a question in other words has no answer.
        """
        standing = {rule.id for rule in rules}
        every = [hit for hit in hits if hit.fact.id not in standing]
        hidden = self._lately.hidden(query) - {hit.fact.id for hit in every[:1]}
        new = [hit for hit in every if hit.fact.id not in hidden][:FOUND]
        zone = self._zone
        found = [memory(h.fact, zone, h.why, round(h.score, 3)) for h in new]
        told = [memory(r, zone, f"rule, priority {r.priority}") for r in rules]
        shown = fitted(told, found, zone)
        refs = {one.ref for one in shown}
        kept = [hit.fact.id for hit, m in zip(new, found, strict=True) if m.ref in refs]
        self._lately.note(query, kept)
        return shown


def _rules(facts: Mapping[str, Fact], audiences: Sequence[str]) -> list[Fact]:
    """Give the rules that matter most to whoever reads the answer."""
    seen = [f for f in facts.values() if f.is_rule and f.audience in audiences]
    return sorted(seen, key=lambda fact: fact.rank, reverse=True)[:RULES]
