"""The same server with a control side, for a process that is not the tests' own."""

from __future__ import annotations

import inspect
import json
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any, Self

from aiohttp import web

from tests.servers.faults import Answer
from tests.servers.telegram.faults import Drip, Drop, Fault, HalfClose, Hang
from tests.servers.telegram.refused import Refused
from tests.servers.telegram.server import TelegramServer

_FAULTS = {kind.__name__: kind for kind in (Answer, Drip, Drop, HalfClose, Hang)}


class ControlledServer(TelegramServer):
    """Answers `POST /control/<name>` with what the method or attribute gives.

    The body is `{"args": [...], "kwargs": {...}}`; bytes are `{"b64": ...}`. It has a
    port of its own, so that it can be asked while Telegram is gone.
    """

    _side: web.AppRunner | None = None
    control = ""

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        app = web.Application(client_max_size=80 << 20)
        app.router.add_post("/control/wait", self._wait)
        app.router.add_post("/control/{name}", self._control)
        self._side = web.AppRunner(app, access_log=None, shutdown_timeout=0.01)
        await self._side.setup()
        await web.TCPSite(self._side, "127.0.0.1", 0).start()
        self.control = f"http://127.0.0.1:{self._side.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._side is not None
        await self._side.cleanup()
        await super().__aexit__(*_)

    async def _wait(self, http: web.Request) -> web.Response:
        """Answer once more has happened than the client knows, or in vain."""
        asked = await http.json()
        with suppress(TimeoutError):
            more = asked["changes"]
            await self.until(lambda: self.changes > more, asked["seconds"])
        return web.json_response({"result": self.changes})

    async def _control(self, http: web.Request) -> web.Response:
        name = http.match_info["name"]
        asked = decoded(await http.json())
        if name.startswith("_") or not hasattr(self, name):
            return web.json_response({"error": f"there is no {name}"}, status=404)
        try:
            found = getattr(self, name)
            if callable(found):
                found = found(*asked["args"], **asked["kwargs"])
            if inspect.isawaitable(found):
                found = await found
        except (LookupError, TypeError, ValueError) as error:
            told = f"{name}: {type(error).__name__}: {error}"
            return web.json_response({"error": told}, status=400)
        return web.json_response({"result": encoded(found)})


def encoded(value: Any) -> Any:
    """Make JSON of what the server's methods take and give."""
    if isinstance(value, bytes):
        return {"b64": b64encode(value).decode()}
    if isinstance(value, dict):
        return {_key(name): encoded(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [encoded(item) for item in value]
    if isinstance(value, Refused) or is_dataclass(value):
        return encoded(_told(value))
    return value if isinstance(value, str | int | float | None) else repr(value)


def _key(name: Any) -> str:
    return name if isinstance(name, str) else json.dumps(name)


def _told(value: Any) -> dict[str, Any]:
    """Say what an object holds, and of a fault also which it is."""
    if isinstance(value, Refused):
        names = ["code", "description", "parameters"]
    else:
        names = [each.name for each in fields(value)]
    told = {name: getattr(value, name) for name in names}
    return told | ({"fault": type(value).__name__} if isinstance(value, Fault) else {})


def decoded(value: Any) -> Any:
    """Read what `encoded` wrote, bytes and faults as themselves."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"b64"}:
        return b64decode(value["b64"])
    told = {name: decoded(item) for name, item in value.items()}
    kind = told.pop("fault", None)
    if kind == "Refused":
        return Refused(told["code"], told["description"], **told["parameters"])
    return _FAULTS[kind](**told) if kind else told
