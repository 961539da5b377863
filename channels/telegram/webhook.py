"""Takes updates that Telegram brings to an address, where nobody can poll."""

from __future__ import annotations

import asyncio
import errno
import hmac
import json
from collections import Counter, defaultdict
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from aiogram.methods import GetWebhookInfo, SetWebhook
from aiohttp import web

from apx.domain.errors import ApxError, ChannelError
from apx.domain.text import clean, excerpt
from channels.shared.raw import Raw, maybe_number
from channels.shared.troubles import ELSEWHERE, HOOK, STORE
from channels.shared.waiting import Backoff
from channels.telegram.insisting import insisted
from channels.telegram.updates import ALLOWED, chat_id
from channels.telegram.visitors import Visitors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from aiogram.types import WebhookInfo

    from apx.ports import Clock
    from channels.telegram.insisting import Line
    from channels.telegram.receiving import Receiver
    from channels.telegram.settings import Webhook

_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
_LEAVING: Final = 2.0
_READING: Final = 30.0
_RECENT: Final = timedelta(minutes=5)
_SAID: Final = 200
_HTTPS: Final = 443


class Hook:
    """One bot's address: what is brought there is taken before it is thanked for."""

    def __init__(self, webhook: Webhook, receiver: Receiver, line: Line) -> None:
        self._webhook = webhook
        self._receiver = receiver
        self._line = line
        self._lanes: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._users: Counter[int] = Counter()
        self._visitors: Visitors

    @asynccontextmanager
    async def served(self) -> AsyncIterator[tuple[str, int]]:
        """Listen for the length of the block; gives host and port.

        Raises `ChannelError` in words if that cannot be done.
        """
        self._visitors = Visitors(self._brought)
        runner = web.ServerRunner(self._visitors, shutdown_timeout=_LEAVING)
        await runner.setup()
        try:
            await self._listening(runner)
            host, port, *_ = runner.addresses[0]
            yield str(host), int(port)
        finally:
            await runner.cleanup()

    async def _listening(self, runner: web.ServerRunner) -> None:
        host, port = self._webhook.host, self._webhook.port
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ChannelError(f"port {port} is in use") from error
            why = error.strerror or type(error).__name__
            raise ChannelError(f"cannot listen at {host}:{port} ({why})") from error

    async def _brought(self, request: web.BaseRequest) -> web.Response:
        """Answer 200 once an update is written down, and 500 to have it again."""
        if (refusal := self._refusal(request)) is not None:
            refusal.force_close()
            return refusal
        if request.protocol is not None:
            self._visitors.known(request.protocol)
        try:
            async with asyncio.timeout(_READING):
                update = json.loads(await request.read())
        except (ValueError, RecursionError):
            return web.Response(status=400)
        if not isinstance(update, dict) or maybe_number(update, "update_id") <= 0:
            return web.Response(status=400)
        return web.Response(status=200 if await self._is_taken(update) else 500)

    def _refusal(self, request: web.BaseRequest) -> web.Response | None:
        """Say why a request is nobody's that we know, before any of it is read."""
        here = unquote(urlsplit(self._webhook.url).path) or "/"
        if request.method != "POST" or request.path != here:
            return web.Response(status=404)
        return None if self._is_telegram(request) else web.Response(status=401)

    def _is_telegram(self, request: web.BaseRequest) -> bool:
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


async def watched(line: Line, webhook: Webhook, clock: Clock) -> None:
    """Have Telegram bring updates, and look for ever whether it still does.

    Raises `Exhausted` if it does not answer any more.
    """
    backoff = Backoff(line.waits.conflict, line.waits.longest)
    begun = clock()
    while True:
        await _register(line, webhook)
        while True:
            await asyncio.sleep(line.waits.look)
            info = await insisted(line, GetWebhookInfo())
            if _address(info.url) != _address(webhook.url):
                break
            backoff.reset()
            line.troubles.over(ELSEWHERE)
            _complain(line, info, max(begun, clock() - _RECENT))
        line.warn(ELSEWHERE, "another program has taken the webhook of this bot")
        await asyncio.sleep(backoff.next())


def _complain(line: Line, info: WebhookInfo, since: datetime) -> None:
    """Pass on what Telegram says of its last try, if that was lately."""
    if not info.last_error_date or info.last_error_date <= since:
        line.troubles.over(HOOK)
        return
    # Troubles are told apart by semicolons.
    why = excerpt(clean(info.last_error_message or ""), _SAID).replace(";", ",")
    line.warn(HOOK, f"Telegram cannot bring updates: {why}")


def _address(url: str) -> object:
    """Read an address so that only what matters of how it is written does."""
    try:
        read = urlsplit(url)
        host = (read.hostname or "").encode("idna")
        return host, read.port or _HTTPS, unquote(read.path) or "/", read.query
    except ValueError:
        return url


async def _register(line: Line, webhook: Webhook) -> None:
    asked = SetWebhook(
        url=webhook.url,
        secret_token=webhook.secret,
        allowed_updates=list(ALLOWED),
        drop_pending_updates=False,
    )
    await insisted(line, asked)
