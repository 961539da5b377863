"""The server itself: a port, the requests that come in, and what goes wrong."""

from __future__ import annotations

import asyncio
import inspect
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from tests.servers.telegram import asking, editing, sending, updates
from tests.servers.telegram.asked import Asked
from tests.servers.telegram.faults import Fault, Scripted, respond, spoil
from tests.servers.telegram.flood import Flood
from tests.servers.telegram.params import Params, Upload, read
from tests.servers.telegram.refused import Refused
from tests.servers.telegram.rooms import Rooms
from tests.servers.telegram.things import Things
from tests.servers.telegram.watching import Watching
from tests.servers.telegram.world import POLL, Call

if TYPE_CHECKING:
    from tests.servers.telegram.bots import Bot

_METHODS = {
    POLL: updates.get_updates,
    **updates.METHODS,
    **sending.METHODS,
    **editing.METHODS,
    **asking.METHODS,
}
# The Bot API does not look at the case of a method's name.
_NAMES = {name.lower(): name for name in _METHODS}
_MOST_BODY = 80 << 20  # more than files may have, so that we can say so


class TelegramServer(Things, Rooms, Watching):
    """A loopback Bot API, while it is entered."""

    _port = 0
    _runner: web.AppRunner | None = None
    webhook_pause = 0.02
    """Seconds until a webhook that failed is tried again; doubles up to one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._faults: list[Scripted] = []
        self._posting: dict[int, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._posting.values():
            task.cancel()
        await asyncio.gather(*self._posting.values(), return_exceptions=True)
        await self.go_away()

    @property
    def origin(self) -> str:
        """The address, as `TelegramAPIServer.from_base` takes it."""
        return f"http://127.0.0.1:{self._port}"

    async def go_away(self) -> None:
        """Close the port and every connection, as a server that is down."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def come_back(self) -> None:
        """Open the same port again."""
        await self._open()

    def limit(self, **rules: Any) -> None:
        """Switch on the rules of `Flood` about how fast a bot may send."""
        self.flood = Flood(**rules)

    def fail(
        self,
        method: str,
        fault: Fault,
        *,
        times: int | None = 1,
        done: bool = False,
        chat: int | None = None,
    ) -> None:
        """Spoil calls of a method, `*` for any; None means until `heal`.

        With `done` what was asked is done, but the bot does not learn of it.
        """
        event = asyncio.Event()
        self._faults.append(Scripted(method, fault, times, done, chat, event))

    def heal(self, method: str | None = None) -> None:
        """End the faults of a method, or all, and let go of who hangs in them."""
        healed = [one for one in self._faults if method in {None, one.method}]
        self._faults = [one for one in self._faults if one not in healed]
        for one in healed:
            one.healed.set()

    async def _open(self) -> None:
        app = web.Application(client_max_size=_MOST_BODY)
        self._route(app.router)
        # Only with handler_cancellation does a handler learn that its client left.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.01
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]

    def _route(self, router: web.UrlDispatcher) -> None:
        router.add_route("*", "/bot{token}/{method}", self._asked)
        router.add_get("/file/bot{token}/{path:.+}", self._download)

    async def _asked(self, http: web.Request) -> web.StreamResponse:
        told = http.match_info["method"]
        bot = self._known(http)
        try:
            params = await read(http)
        except Refused as refusal:
            return respond(refusal.code, refusal.body)
        method = _NAMES.get(told.lower(), told)
        shown = {name: _shown(value) for name, value in params.given.items()}
        call = Call(method, bot.id if bot else 0, shown, time.monotonic())
        self.log.append(call)
        self.bump()
        try:
            return await self._answer(http, call, partial(self._do, call, bot, params))
        finally:
            self.bump()

    async def _answer(
        self, http: web.Request, call: Call, work: Any
    ) -> web.StreamResponse:
        chat = str(call.params.get("chat_id", ""))
        for scripted in self._faults:
            if scripted.strikes(call.method, chat):
                response = await spoil(http, scripted, work)
                if not call.status and isinstance(response, web.Response):
                    call.status, call.answered = response.status, time.monotonic()
                return response
        return respond(*await work())

    async def _do(
        self, call: Call, bot: Bot | None, params: Params
    ) -> tuple[int, dict[str, Any]]:
        try:
            result = await self._result(call.method, bot, params)
            status, body = 200, {"ok": True, "result": result}
        except Refused as refusal:
            status, body = refusal.code, refusal.body
            result, call.description = None, refusal.description
        call.status, call.answered = status, time.monotonic()
        call.result = result if call.method != POLL else None
        self.bump()
        return status, body

    async def _result(self, method: str, bot: Bot | None, params: Params) -> Any:
        if bot is None:
            raise Refused(401, "Unauthorized")
        if method not in _METHODS:
            self.complain(f"{method} is not known here")
            raise Refused(404, "Not Found: method not found")
        result = _METHODS[method](Asked(self, bot, params))
        if inspect.isawaitable(result):
            result = await result
        if bot.webhook is not None and bot.id not in self._posting:
            posting = updates.post(self, bot, self.webhook_pause)
            self._posting[bot.id] = asyncio.create_task(posting)
        return result

    async def _download(self, http: web.Request) -> web.StreamResponse:
        file = self.files.at(http.match_info["path"])
        call = Call("file", 0, {"path": http.match_info["path"]}, time.monotonic())
        self.log.append(call)
        self.bump()

        async def work() -> tuple[int, Any]:
            return 404, Refused(404, "Not Found").body

        for scripted in self._faults:
            if scripted.strikes("file", ""):
                return await spoil(http, scripted, work)
        if file is None or self._known(http) is None:
            return respond(*await work())
        return web.Response(body=file.content)

    def _known(self, http: web.Request) -> Bot | None:
        bot = self.bots.get(http.match_info["token"])
        return bot if bot and bot.alive else None


def _shown(value: Any) -> Any:
    if isinstance(value, Upload):
        return {"name": value.name, "size": len(value.content)}
    return value
