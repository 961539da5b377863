"""Takes updates that Telegram brings to an address, where nobody can poll."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections import Counter, defaultdict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from aiogram.methods import SetWebhook
from aiohttp import web

from apx.domain.errors import ApxError
from channels.telegram.health import STORE
from channels.telegram.insisting import insisted
from channels.telegram.updates import ALLOWED, Raw, chat_id, maybe_number

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from channels.telegram.insisting import Line
    from channels.telegram.receiving import Receiver
    from channels.telegram.settings import Webhook

_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
_MOST: Final = 4 << 20
_LEAVING: Final = 2.0


class Hook:
    """One bot's address: what is brought there is taken before it is thanked for."""

    def __init__(self, webhook: Webhook, receiver: Receiver, line: Line) -> None:
        self._webhook = webhook
        self._receiver = receiver
        self._line = line
        self._lanes: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._users: Counter[int] = Counter()

    @asynccontextmanager
    async def served(self) -> AsyncIterator[tuple[str, int]]:
        """Listen for the length of the block; gives host and port."""
        app = web.Application(client_max_size=_MOST)
        app.router.add_post(urlsplit(self._webhook.url).path or "/", self._brought)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_LEAVING)
        await runner.setup()
        try:
            site = web.TCPSite(runner, self._webhook.host, self._webhook.port)
            await site.start()
            host, port, *_ = runner.addresses[0]
            yield str(host), int(port)
        finally:
            await runner.cleanup()

    async def _brought(self, request: web.Request) -> web.Response:
        """Answer 200 once an update is written down, and 500 to have it again."""
        if not self._is_telegram(request):
            return web.Response(status=401)
        try:
            update = json.loads(await request.read())
        except ValueError:
            return web.Response(status=400)
        if not isinstance(update, dict) or maybe_number(update, "update_id") <= 0:
            return web.Response(status=400)
        return web.Response(status=200 if await self._is_taken(update) else 500)

    def _is_telegram(self, request: web.Request) -> bool:
        """Compare in constant time: how long it takes must not tell how near it is."""
        told = request.headers.get(_HEADER, "").encode("utf-8", "replace")
        return hmac.compare_digest(told, self._webhook.secret.encode())

    async def _is_taken(self, update: Raw) -> bool:
        async with self._lane(chat_id(update)):
            try:
                self._receiver.foresee([update])
                await self._receiver.take(update)
            except (ApxError, OSError) as error:
                name = type(error).__name__
                self._line.warn(STORE, f"messages cannot be written down ({name})")
                return False
        self._line.troubles.over(STORE)
        return True

    @asynccontextmanager
    async def _lane(self, chat: int) -> AsyncIterator[None]:
        """Have a chat for oneself: Telegram brings several updates at once."""
        self._users[chat] += 1
        try:
            async with self._lanes[chat]:
                yield
        finally:
            self._users[chat] -= 1
            if not self._users[chat]:
                del self._users[chat], self._lanes[chat]


async def register(line: Line, webhook: Webhook) -> None:
    """Have Telegram bring updates to the address."""
    asked = SetWebhook(
        url=webhook.url,
        secret_token=webhook.secret,
        allowed_updates=list(ALLOWED),
        drop_pending_updates=False,
    )
    await insisted(line, asked)
