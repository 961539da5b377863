"""Parts an account from its person, and ends what is being written to them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.person import Audience

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from apx.agent.run import Run
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.store.people import Kept, People


class Parting:
    """Parts and removes accounts; `runs` are the turns that run now, by thread."""

    def __init__(self, people: People) -> None:
        self.runs: Mapping[Thread, Run] = {}
        self._people = people

    async def part(self, account: Account, at: datetime, op: str) -> Kept | None:
        """Give an account back to whom it was; nothing if it is nobody's."""
        kept = await self._people.part(account, at, op)
        return self._ended(kept)

    async def remove(self, account: Account, at: datetime, op: str) -> Kept | None:
        """Have an account be nobody's, whoever's it was before."""
        kept = await self._people.remove(account, at, op)
        return self._ended(kept)

    def _ended(self, kept: Kept | None) -> Kept | None:
        if kept is None:
            return None
        account, audience = kept.account, str(Audience.private(kept.person))
        for thread, run in self.runs.items():
            bot = thread.place.partition(":")[0]
            is_there = (thread.channel, bot) == (account.channel, account.bot)
            if is_there and run.turn.audience == audience:
                run.stop()
        return kept
