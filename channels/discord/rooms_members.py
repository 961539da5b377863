"""What Discord says of the members of guilds; for half a minute it is asked once."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from channels.discord.failures import Rejected

if TYPE_CHECKING:
    from collections.abc import Callable

    from channels.discord.client import Client

    Key = tuple[int, int]

_FRESH: Final = 30.0
_MOST: Final = 200
_UNKNOWN_MEMBER: Final = 10007


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked, and until when its answer holds."""

    answer: asyncio.Task[Any]
    until: float


class Members:
    """Asks who somebody is in a guild.

    A person may be in a thousand rooms of one guild: whoever wants to know of all of
    them at once has one answer. What they may do there is not kept.
    """

    def __init__(
        self, client: Client, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._clock = clock
        self._asked: OrderedDict[Key, _Asked] = OrderedDict()

    async def of(self, guild: int, user: int) -> Any:  # noqa: ANN401 -- JSON
        """Give a member as Discord does, none for who is not in the guild.

        Raises what `Client.call` does; a failure is not kept.
        """
        asked = self._asked.get((guild, user))
        if asked is None or asked.until <= self._clock():
            asked = self._ask((guild, user))
        # Whoever waits no longer does not take the answer from the others.
        return await asyncio.shield(asked.answer)

    def _ask(self, key: Key) -> _Asked:
        answer = asyncio.ensure_future(self._told(*key))
        asked = self._asked[key] = _Asked(answer, self._clock() + _FRESH)
        self._asked.move_to_end(key)
        if len(self._asked) > _MOST:
            self._asked.popitem(last=False)

        def settle(told: asyncio.Task[Any]) -> None:
            is_failure = told.cancelled() or told.exception() is not None
            if is_failure and self._asked.get(key) is asked:
                del self._asked[key]

        answer.add_done_callback(settle)
        return asked

    async def _told(self, guild: int, user: int) -> Any:  # noqa: ANN401 -- JSON
        try:
            return await self._client.call(
                "GET",
                "/guilds/{guild_id}/members/{user_id}",
                guild_id=guild,
                user_id=user,
            )
        except Rejected as error:
            if error.code != _UNKNOWN_MEMBER:
                raise
            return None
