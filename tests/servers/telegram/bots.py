"""A bot's account: its token, and the updates that wait for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.refused import CONFLICT, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.telegram.chats import Chat, Json

UNASKED = {"chat_member", "message_reaction", "message_reaction_count"}
"""Updates that come only if they are named."""

_QUEUE_SLACK = 10


@dataclass
class Query:
    """A press of a button, until the bot answers it."""

    id: str
    data: str
    user: int
    answered: bool = False
    expired: bool = False
    text: str = ""
    alert: bool = False


@dataclass
class Draft:
    """One state of a message that streams."""

    chat: int
    draft_id: int
    text: str
    at: float
    entities: list[Json] = field(default_factory=list)
    topic: int | None = None
    can_stop: bool = False


@dataclass
class Webhook:
    """Where updates are posted, and what came back."""

    url: str
    secret: str = ""
    statuses: list[int] = field(default_factory=list)
    error: str = ""


@dataclass
class Bot:
    """A bot, whatever its token is now.

    `own` has the chats whose messages it numbers itself: private ones and groups.
    """

    token: str
    id: int
    username: str
    reads_all: bool = True
    alive: bool = True
    own: dict[int, Chat] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    pending: list[Json] = field(default_factory=list)
    next_update: int = 1001
    allowed: frozenset[str] | None = None
    webhook: Webhook | None = None
    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    queries: dict[str, Query] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    streaming: dict[int, Draft] = field(default_factory=dict)
    actions: list[tuple[int, int | None, str, float]] = field(default_factory=list)
    polling: int = 0
    most_polling: int = 0
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    _poll: int = 0
    _ending: Refused | None = None

    @property
    def me(self) -> Json:
        """The bot as messages name it."""
        return {
            "id": self.id,
            "is_bot": True,
            "first_name": self.username,
            "username": self.username,
        }

    @property
    def full(self) -> Json:
        """The bot as getMe tells it."""
        return self.me | {
            "can_join_groups": True,
            "can_read_all_group_messages": self.reads_all,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }

    def wants(self, kind: str) -> bool:
        """Whether updates of a type are kept."""
        return kind in self.allowed if self.allowed else kind not in UNASKED

    def queue(self, update: Json) -> None:
        """Add an update, under the next number unless it has one."""
        self.pending.append({"update_id": self.next_update, **update})
        self.next_update += 1
        self.wake.set()

    def dismiss(self, refusal: Refused) -> None:
        """End the poll that waits, if one does."""
        self._poll += 1
        self._ending = refusal
        self.wake.set()

    async def poll(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """Wait for updates; whoever comes later ends who waits."""
        self.dismiss(Refused(409, CONFLICT))
        mine = self._poll
        self.polling += 1
        self.most_polling = max(self.most_polling, self.polling)
        try:
            start = self._confirm(offset)
            until = asyncio.get_running_loop().time() + seconds
            while not (batch := self._from(start)[:limit]):
                if not await self._woken(until):
                    return []
                if mine != self._poll:
                    assert self._ending is not None
                    raise self._ending
            return batch
        finally:
            self.polling -= 1

    async def _woken(self, until: float) -> bool:
        self.wake.clear()
        try:
            async with asyncio.timeout_at(until):
                await self.wake.wait()
        except TimeoutError:
            return False
        return True

    def _confirm(self, offset: int) -> int:
        """Forget what was confirmed, and give where to go on."""
        if offset < 0:
            self.pending = self.pending[offset:]
        elif offset <= self.next_update + _QUEUE_SLACK:
            self.pending = self._from(offset)
            return offset
        # An offset out of the future, such as another bot's, is no offset.
        return 0

    def _from(self, start: int) -> list[Json]:
        return [update for update in self.pending if _number(update) >= start]


def _number(update: dict[str, Any]) -> int:
    number = update["update_id"]
    return number if isinstance(number, int) else 1 << 62
