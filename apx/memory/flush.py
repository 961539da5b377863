"""What happens to turns before they leave the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.history import PastTurn
    from apx.domain.thread import Thread
    from apx.memory.candidates import Proposals
    from apx.memory.indexer import Indexer


class Flush:
    """Sees to it that they can be found, and that what lasts is proposed as notes."""

    def __init__(self, indexer: Indexer, proposals: Proposals) -> None:
        self._indexer = indexer
        self._proposals = proposals

    async def __call__(self, thread: Thread, turns: Sequence[PastTurn]) -> int:
        """Give how many facts were proposed; doing it twice proposes none twice."""
        await self._indexer.catch_up()
        return await self._proposals.propose(thread, turns)
