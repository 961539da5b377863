"""Asks Telegram for what is new, and confirms what was taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import structlog
from aiogram.methods import DeleteWebhook, GetWebhookInfo

from apx.domain.errors import ApxError, ChannelError, Unreachable
from channels.shared.failures import Flood, WrongToken
from channels.shared.raw import Raw, maybe_number
from channels.shared.troubles import ELSEWHERE, REFUSED, SILENT, STORE, TOKEN
from channels.shared.waiting import Backoff
from channels.telegram.failures import Conflicted, Unread
from channels.telegram.health import Health
from channels.telegram.updates import ALLOWED, chat_id

if TYPE_CHECKING:
    from channels.telegram.insisting import Line
    from channels.telegram.receiving import Receiver

log = structlog.get_logger(__name__)


class Poller:
    """One poller of one bot: a question at a time, also over new connections."""

    def __init__(self, line: Line, receiver: Receiver) -> None:
        self._line = line
        self._client = line.client
        self._receiver = receiver
        self._troubles = line.troubles
        self._waits = waits = line.waits
        self._health = Health(waits.silence, asyncio.get_running_loop().time)
        self._lost = Backoff(waits.first, waits.longest)
        self._conflicts = Backoff(waits.conflict, waits.longest)

    async def run(self) -> None:
        """Poll until cancelled, or raise `Exhausted`."""
        offset, is_settled = 0, False
        while True:
            # What waits already is told at once; only then it is worth waiting.
            batch = await self._asked(offset, self._waits.poll if is_settled else 0)
            if batch is None:
                continue
            # Only what all of is written down is confirmed, by the next question.
            await self._handled(batch)
            offset = max([offset, *(update["update_id"] + 1 for update in batch)])
            if not is_settled:
                # What was never confirmed has come again by now.
                await self._settled()
                is_settled = True

    async def _asked(self, offset: int, seconds: int) -> list[Raw] | None:
        """Ask once; nothing if that failed, after having waited as is fit."""
        deadline = asyncio.timeout_at(self._health.asking())
        try:
            async with deadline:
                found = await self._client.updates(offset, seconds, list(ALLOWED))
        except Unread as error:
            found = error.result if isinstance(error.result, list) else []
        except (ChannelError, TimeoutError) as error:
            await self._failed(error, is_overdue=deadline.expired())
            return None
        self._health.answered()
        return await self._readable(found)

    async def _readable(self, found: list[Any]) -> list[Raw] | None:
        """Leave out what has no number: it can be neither known nor confirmed."""
        batch = [one for one in found if _is_numbered(one)]
        if found and not batch:
            self._troubles.has(REFUSED, "the server sends no updates that can be read")
            await asyncio.sleep(self._lost.next())
            return None
        self._troubles.over(ELSEWHERE, REFUSED, SILENT, TOKEN)
        self._lost.reset()
        self._conflicts.reset()
        return batch

    async def _failed(
        self, error: ChannelError | TimeoutError, *, is_overdue: bool
    ) -> None:
        if isinstance(error, TimeoutError) or _is_plain(error):
            await self._unanswered(error, is_overdue=is_overdue)
            return
        # It said no, but it said something.
        self._health.answered()
        self._troubles.over(SILENT)
        if isinstance(error, Conflicted):
            await self._conflicted()
        elif isinstance(error, WrongToken):
            await self._line.unknown()
        elif isinstance(error, Flood):
            await asyncio.sleep(error.retry_after)
        else:
            self._line.warn(REFUSED, "the server refuses to give updates")
            await asyncio.sleep(self._lost.next())

    async def _unanswered(
        self, error: ChannelError | TimeoutError, *, is_overdue: bool
    ) -> None:
        if self._lost.has_begun and self._troubles.silent():
            log.warning("telegram_unreachable", error=type(error).__name__)
        await self._line.unanswered(
            self._health, error, self._lost, is_overdue=is_overdue
        )

    async def _conflicted(self) -> None:
        """Wait until the other program leaves; a webhook of ours leaves at once."""
        if not self._conflicts.has_begun and await self._has_left_webhook():
            return
        self._line.warn(ELSEWHERE, "another program polls this bot")
        await asyncio.sleep(self._conflicts.next())

    async def _has_left_webhook(self) -> bool:
        """Take a webhook away, and keep what waits for it; false if there is none."""
        try:
            info = await self._client.call(GetWebhookInfo())
            if info.url:
                log.info("telegram_webhook_deleted")
                # A second conflict is not the webhook's.
                self._conflicts.next()
                return await self._client.call(
                    DeleteWebhook(drop_pending_updates=False)
                )
        except (ChannelError, TimeoutError) as error:
            log.info("telegram_webhook_kept", error=type(error).__name__)
        return False

    async def _handled(self, batch: list[Raw]) -> None:
        """Take a batch: chats side by side, the messages of one in their order."""
        self._receiver.foresee(batch)
        lanes: dict[int, list[Raw]] = {}
        for update in batch:
            # What is of no chat is its own; no chat has such a number.
            lane = chat_id(update) or update["update_id"] << 64
            lanes.setdefault(lane, []).append(update)
        async with asyncio.TaskGroup() as group:
            for lane in lanes.values():
                group.create_task(self._in_order(lane))
        self._troubles.over(STORE)

    async def _in_order(self, lane: list[Raw]) -> None:
        backoff = Backoff(self._waits.first, self._waits.longest)
        for update in lane:
            while True:
                try:
                    await self._receiver.take(update)
                except (ApxError, OSError) as error:
                    name = type(error).__name__
                    self._line.warn(STORE, f"messages cannot be written down ({name})")
                    await asyncio.sleep(backoff.next())
                else:
                    backoff.reset()
                    break

    async def _settled(self) -> None:
        try:
            await self._receiver.settle()
        except (ApxError, OSError) as error:
            log.warning("telegram_not_settled", error=type(error).__name__)


def _is_numbered(one: object) -> bool:
    return isinstance(one, dict) and maybe_number(one, "update_id") > 0


def _is_plain(error: ChannelError | TimeoutError) -> bool:
    """Whether the server was not reached at all."""
    return type(error) is Unreachable
