"""The server itself: a port, the requests that come in, and what goes wrong."""

from __future__ import annotations

import json
import re
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

from aiohttp import BodyPartReader, web

from tests.servers.discord import commanding, lookups, replying, speaking
from tests.servers.discord.asked import Asked
from tests.servers.discord.faults import Scripted, limited, plain, respond, spoilt
from tests.servers.discord.interactions import Interactions
from tests.servers.discord.limits import Limits
from tests.servers.discord.people import People
from tests.servers.discord.refused import Refused, unauthorized
from tests.servers.discord.watching import Watching
from tests.servers.discord.world import Call

if TYPE_CHECKING:
    from tests.servers.discord.faults import Fault
    from tests.servers.discord.placing import File

_BASE: Final = "/api/v10"
_ROUTES: Final = {
    route: (re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route)), handler)
    for route, handler in [
        *lookups.ROUTES.items(),
        *commanding.ROUTES.items(),
        *speaking.ROUTES.items(),
        *replying.ROUTES.items(),
    ]
}
_MOST_BODY: Final = 80 << 20  # more than files may have, so that we can say so
_VIA: Final = {"Via": "1.1 google"}


class DiscordServer(People, Watching, Interactions):
    """A loopback Discord, while it is entered."""

    port = 0
    _runner: web.AppRunner | None = None
    limits: Limits | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._faults: list[Scripted] = []

    async def __aenter__(self) -> Self:
        await self.up()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.heal()
        await self.down()

    async def down(self) -> None:
        """Close the port and every connection, as a network that is gone."""
        await self.drop(0)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def up(self) -> None:
        """Open the port, the same as before."""
        app = web.Application(client_max_size=_MOST_BODY)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_route("*", _BASE + "/{path:.+}", self._asked)
        app.router.add_get("/attachments/{number}/{name}", self._download)
        # Only with handler_cancellation does a handler learn that its client left.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.01
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        self.origin = f"http://127.0.0.1:{self.port}"

    def limit(self, **rules: Any) -> None:
        """Switch on the rules of `Limits` about how often a bot may ask."""
        self.limits = Limits(**rules)

    def fail(
        self,
        method: str,
        path: str,
        fault: Fault,
        *,
        times: int | None = 1,
        done: bool = False,
    ) -> None:
        """Spoil calls, `*` for any method, `**` for any path; None is until `heal`.

        With `done` what was asked is done, but the bot does not learn of it.
        """
        self._faults.append(Scripted(method, path, fault, times, done))

    def heal(self) -> None:
        """End all faults, and let go of who hangs in them."""
        healed, self._faults = self._faults, []
        for one in healed:
            one.healed.set()

    def expire_links(self) -> None:
        """Let the addresses of all files be no good any more."""
        self.links += 1

    # -- a call

    async def _asked(self, http: web.Request) -> web.StreamResponse:
        path = http.path.removeprefix(_BASE)
        body, files = await _read(http)
        bot = self.bots.get(http.headers.get("Authorization", "").removeprefix("Bot "))
        number = bot.id if bot is not None and bot.alive else 0
        call = Call(http.method, path, number, body, time.monotonic(), dict(http.query))
        self.log.append(call)
        self.bump()
        work = partial(self._work, call, files)
        try:
            return await self._answer(http, call, work)
        finally:
            self.bump()

    async def _answer(
        self, http: web.Request, call: Call, work: Any
    ) -> web.StreamResponse:
        for one in self._faults:
            if one.strikes(call.method, call.path):
                response = await spoilt(http, one, work)
                if not call.status and isinstance(response, web.Response):
                    call.status, call.answered = response.status, time.monotonic()
                return response
        response = await work()
        assert isinstance(response, web.Response)
        return response

    async def _work(self, call: Call, files: tuple[File, ...]) -> web.Response:
        """Do what was asked, and give the answer."""
        headers = dict(_VIA)
        try:
            route, ids, handler = _found(call)
            if self.limits is not None:
                major = ids.get("channel") or ids.get("guild") or ids.get("token", "")
                more, waits, is_global = self.limits.admit(route, major, self.complain)
                headers |= more
                if waits:
                    return _slowly(call, waits, is_global, headers)
            asked = self._known(call, ids, files)
            body, status = handler(asked), 200
            if body is None:
                status = 204
        except Refused as refusal:
            body, status, call.code = refusal.body, refusal.status, refusal.code
        call.status, call.answered = status, time.monotonic()
        self.bump()
        return _answered(status, body, headers)

    def _known(self, call: Call, ids: dict[str, str], files: tuple[File, ...]) -> Asked:
        one = self.interactions.get(ids.get("token", ""))
        bot = one.bot if one is not None else None
        if "token" not in ids:
            bot = self.bot(call.bot) if call.bot else None
        if bot is None:
            if "token" in ids:
                raise Refused(404, 10015, "Unknown Webhook")
            self.complain(f"{call.method} {call.path}: a token that is of nobody")
            raise unauthorized()
        return Asked(self, bot, call.body, ids, call.query, files)

    async def _download(self, http: web.Request) -> web.StreamResponse:
        if "Authorization" in http.headers:
            self.complain("the token was shown to the CDN")
        call = Call("GET", http.path, 0, None, time.monotonic(), dict(http.query))
        self.log.append(call)
        try:
            return await self._answer(http, call, partial(self._file, call))
        finally:
            self.bump()

    async def _file(self, call: Call) -> web.Response:
        found = self.blobs.get(call.path.split("/")[2])
        if found is None or call.query.get("hm") != f"{self.links:x}":
            call.status = 404
            return web.Response(status=404, text="This content is no longer available.")
        call.status = 200
        return web.Response(body=found)


def _found(call: Call) -> tuple[str, dict[str, str], Any]:
    asked = f"{call.method} {call.path}"
    for route, (pattern, handler) in _ROUTES.items():
        if found := pattern.fullmatch(asked):
            return route, found.groupdict(), handler
    raise Refused(404, 0, "404: Not Found")


async def _read(http: web.Request) -> tuple[Any, tuple[File, ...]]:
    """Take the body apart: JSON, or JSON and files."""
    if http.content_type == "application/json":
        return json.loads(await http.read() or b"null"), ()
    if http.content_type != "multipart/form-data":
        return None, ()
    body, files = None, []
    async for part in await http.multipart():
        assert isinstance(part, BodyPartReader)
        content = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(content)
        else:
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files.append((part.filename or "", content, kind))
    return body, tuple(files)


def _slowly(
    call: Call, waits: float, is_global: bool, headers: dict[str, str]
) -> web.Response:
    call.status, call.answered = 429, time.monotonic()
    answer = limited(waits, everywhere=is_global)
    response = plain(answer)
    response.headers.update(headers)
    return response


def _answered(status: int, body: Any, headers: dict[str, str]) -> web.Response:
    response = respond(status, body, headers)
    assert isinstance(response, web.Response)
    return response
