"""What may go wrong on the way: `server.fail("sendMessage", Drop(), done=True)`.

A fault is one of these, a `Refused`, or an `Answer` of `tests.servers.faults`.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.faults import Answer, web_page
from tests.servers.telegram.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing comes until `heal`; who still waits then is answered."""


@dataclass(frozen=True, slots=True)
class HalfClose:
    """The server closes its half of the connection and keeps the other open."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection breaks before an answer; with `cut`, in the middle of it."""

    cut: bool = False


@dataclass(frozen=True, slots=True)
class Drip:
    """The answer comes a few bytes at a time."""

    pause: float = 0.02
    piece: int = 16


Fault = Refused | Answer | Hang | HalfClose | Drop | Drip


@dataclass
class Scripted:
    """A fault and when it comes; `left` None means until it is healed."""

    method: str
    fault: Fault
    left: int | None
    done: bool
    chat: int | None
    healed: asyncio.Event

    def strikes(self, method: str, chat: str) -> bool:
        """Whether this call is spoilt; counts."""
        if self.method not in {method, "*"}:
            return False
        if self.chat is not None and str(self.chat) != chat:
            return False
        if self.left is not None:
            if self.left <= 0:
                return False
            self.left -= 1
        return True


def garbage(body: str = '{"ok": tr', status: int = 200) -> Answer:
    """Answer with something that is not JSON."""
    return Answer(status, body)


def bad_gateway() -> Answer:
    """Answer as the proxy before a dead server does."""
    return web_page(502)


async def spoil(
    http: web.Request,
    scripted: Scripted,
    work: Callable[[], Awaitable[tuple[int, Any]]],
) -> web.StreamResponse:
    """Answer as a fault wants it; `work` does what was asked."""
    fault = scripted.fault
    if isinstance(fault, Drip):
        return await _drip(http, fault, await work())
    if isinstance(fault, Hang):
        first = await work() if scripted.done else None
        await scripted.healed.wait()
        return respond(*(first or await work()))
    answer = await work() if scripted.done else (500, {})
    if isinstance(fault, Refused):
        return respond(fault.code, fault.body)
    if isinstance(fault, Answer):
        return web.Response(
            status=fault.status,
            text=fault.body,
            headers=fault.headers,
            content_type=fault.content_type,
        )
    return await _break(http, scripted, answer)


def respond(status: int, body: Any) -> web.Response:
    """Answer in good order."""
    headers = {}
    if wait := body.get("parameters", {}).get("retry_after"):
        headers["Retry-After"] = str(wait)
    return web.json_response(body, status=status, headers=headers)


async def _break(
    http: web.Request, scripted: Scripted, answer: tuple[int, Any]
) -> web.StreamResponse:
    transport = http.transport
    assert transport is not None
    response = web.StreamResponse()
    if isinstance(scripted.fault, HalfClose):
        transport.write_eof()
        await scripted.healed.wait()
    elif isinstance(scripted.fault, Drop) and scripted.fault.cut:
        whole = json.dumps(answer[1]).encode()
        response.content_length = len(whole)
        await response.prepare(http)
        await response.write(whole[: len(whole) // 2])
    transport.close()
    return response


async def _drip(
    http: web.Request, drip: Drip, answer: tuple[int, Any]
) -> web.StreamResponse:
    status, body = answer
    response = web.StreamResponse(
        status=status, headers={"Content-Type": "application/json"}
    )
    await response.prepare(http)
    whole = json.dumps(body).encode()
    for start in range(0, len(whole), drip.piece):
        await response.write(whole[start : start + drip.piece])
        await asyncio.sleep(drip.pause)
    await response.write_eof()
    return response
