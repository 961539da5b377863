"""What may go wrong on the way: `server.fail("POST", "/channels/*/messages", Drop())`.

A fault is one of these classes of the loopback Telegram, or an `Answer`.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.discord.watching import matcher
from tests.servers.faults import Answer, web_page
from tests.servers.telegram.faults import Drip, Drop, HalfClose, Hang, spoil

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Fault = Answer | Hang | HalfClose | Drop | Drip

__all__ = ["Answer", "Drip", "Drop", "Fault", "HalfClose", "Hang"]


@dataclass
class Scripted:
    """A fault and when it comes; `left` None means until it is healed."""

    method: str
    path: str
    fault: Fault
    left: int | None
    done: bool
    healed: asyncio.Event = field(default_factory=asyncio.Event)

    def strikes(self, method: str, path: str) -> bool:
        """Whether this call is spoilt; counts."""
        if self.method not in {method, "*"} or not matcher(self.path).fullmatch(path):
            return False
        if self.left is not None:
            if self.left <= 0:
                return False
            self.left -= 1
        return True


def refusal(status: int, code: int, message: str) -> Answer:
    """Refuse with Discord's own number."""
    body = json.dumps({"message": message, "code": code})
    return Answer(status, body, {"Via": "1.1 google"})


def limited(seconds: float, *, everywhere: bool = False, sub: bool = False) -> Answer:
    """Say that the bot is too fast; a `sub` limit tells that there was room left."""
    body = {
        "message": "You are being rate limited.",
        "retry_after": seconds,
        "global": everywhere,
    }
    headers = {
        "Via": "1.1 google",
        "Retry-After": str(int(seconds) + 1),
        "X-RateLimit-Scope": "global" if everywhere else "user",
    }
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    else:
        headers |= {
            "X-RateLimit-Bucket": "abcd",
            "X-RateLimit-Limit": "5",
            "X-RateLimit-Remaining": "3" if sub else "0",
            "X-RateLimit-Reset-After": str(seconds),
        }
    return Answer(429, json.dumps(body), headers)


def banned() -> Answer:
    """Answer as the proxy before Discord does to whom it has locked out."""
    return Answer(429, "error code: 1015", {"Retry-After": "3600"}, "text/plain")


def broken(status: int = 500) -> Answer:
    """Answer as a server that fails, with a page of the proxy for 502."""
    return web_page(status) if status == 502 else Answer(status, '{"code": 0}')


async def spoilt(
    http: web.Request, one: Scripted, work: Callable[[], Awaitable[web.Response]]
) -> web.StreamResponse:
    """Answer as a fault wants it; `work` does what was asked."""
    if isinstance(one.fault, Answer):
        if one.done:
            await work()
        return plain(one.fault)
    if isinstance(one.fault, Hang):
        first = await work() if one.done else None
        await one.healed.wait()
        return first or await work()
    return await spoil(http, one, _parsed(work))  # type: ignore[arg-type]  # has its fields


def _parsed(work: Callable[[], Awaitable[web.Response]]) -> Any:
    async def worked() -> tuple[int, Any]:
        response = await work()
        return response.status, json.loads(response.text or "null")

    return worked


def plain(answer: Answer) -> web.Response:
    """Answer with these very bytes; discord.py trusts a kind without charset alone."""
    return web.Response(
        status=answer.status,
        body=answer.body.encode(),
        headers={**answer.headers, "Content-Type": answer.content_type},
    )


def respond(status: int, body: Any, headers: dict[str, str] | None = None) -> Any:
    """Answer in good order; nothing at all is 204."""
    if body is None:
        return web.Response(status=204, headers=headers)
    return plain(Answer(status, json.dumps(body), headers or {}))
