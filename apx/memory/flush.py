"""What happens to turns before they leave the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ApxError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.history import PastTurn
    from apx.domain.thread import Thread
    from apx.memory.candidates import Proposals
    from apx.memory.indexer import Indexer

log = structlog.get_logger(__name__)

# A long backlog is not waited for: the index has a cursor, and comes to it.
_SECONDS: Final = 5.0


class Flush:
    """Sees to it that they can be found, and that what lasts is proposed as notes."""

    def __init__(self, indexer: Indexer, proposals: Proposals | None) -> None:
        self._indexer = indexer
        self._proposals = proposals

    async def __call__(self, thread: Thread, turns: Sequence[PastTurn]) -> int:
        """Give how many facts were proposed; doing it twice proposes none twice."""
        try:
            await self._indexer.freshen(_SECONDS)
        except ApxError as error:
            # The ledger has the text; an index that failed is mended elsewhere.
            log.warning("flush_unindexed", thread=str(thread), error=str(error))
        if self._proposals is None:
            return 0
        return await self._proposals.propose(thread, turns)
