"""A side door to a server, for tests in another process."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from tests.servers.discord.interactions import Interaction
from tests.servers.discord.sessions import Session
from tests.servers.discord.things import Bot, Channel, Guild
from tests.servers.telegram.control import decoded, encoded

if TYPE_CHECKING:
    from tests.servers.discord.server import DiscordServer

_INSIDE = Bot | Channel | Guild | Interaction | Session


class Control:
    """Answers `POST /control/<name>` with what the server's method or attribute gives.

    The body is `{"args": [...], "kwargs": {...}}`. It has a port of its own, so that it
    can be asked while Discord is gone.
    """

    def __init__(self, server: DiscordServer) -> None:
        app = web.Application(client_max_size=80 << 20)
        app.router.add_post("/control/wait", self._wait)
        app.router.add_post("/control/{name}", self._ask)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.01)
        self._server = server
        self.origin = ""

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _wait(self, http: web.Request) -> web.Response:
        """Answer once more has happened than is known there, or in vain."""
        asked, server = await http.json(), self._server
        with suppress(TimeoutError):
            await server.until(
                lambda: server.changes > asked["changes"], asked["seconds"]
            )
        return web.json_response({"result": server.changes})

    async def _ask(self, http: web.Request) -> web.Response:
        asked = decoded(await http.json())
        try:
            found = await self._found(http.match_info["name"], asked)
        except (LookupError, TypeError, ValueError) as error:
            told = f"{http.match_info['name']}: {type(error).__name__}: {error}"
            return web.json_response({"error": told}, status=400)
        # What hangs together with all the rest stays here.
        shown = None if isinstance(found, _INSIDE) else encoded(found)
        return web.json_response({"result": shown})

    async def _found(self, name: str, asked: Any) -> Any:
        if name.startswith("_") or not hasattr(self._server, name):
            raise LookupError(f"there is no {name}")
        found = getattr(self._server, name)
        if callable(found):
            found = found(*asked["args"], **asked["kwargs"])
        return await found if inspect.isawaitable(found) else found
