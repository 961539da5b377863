"""Tells Discord that an interaction was heard, from threads that no turn holds up."""

from __future__ import annotations

import json
import ssl
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from discord.http import Route

from apx.domain.errors import Unreachable
from channels.discord.failures import Rejected, blocked, told, troubled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

# After three seconds Discord takes it no more.
_PATIENCE: Final = 2.0
_LEAST: Final = 0.1
_MOST: Final = 8
_LONGEST: Final = 1 << 16
_REFUSED: Final = 400
_DEED: Final = "to acknowledge"


class Bell:
    """Rings once for each interaction.

    Over aiohttp it would take a new connection ten turns of the loop; each of them
    may be 40 ms long while somebody is answered.
    """

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._threads = ThreadPoolExecutor(_MOST, thread_name_prefix="discord-bell")
        self._is_closed = False

    def ring(
        self, number: int, token: str, response: Mapping[str, Any]
    ) -> Future[None]:
        """Say the first thing to an interaction; it leaves without the loop.

        The future has a `Rejected` if Discord does not take it, `Unreachable` or
        `TimeoutError` if it may be tried again.
        """
        if self._is_closed:
            over: Future[None] = Future()
            over.set_exception(Unreachable("the bot is not connected to Discord"))
            return over
        path = f"/interactions/{number}/{quote(token, safe='')}/callback"
        url = urlsplit(Route.BASE + path)
        return self._threads.submit(self._rung, url, json.dumps(response).encode())

    def close(self) -> None:
        """Ring no more; what waits for a thread never rings, what rings ends soon."""
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _rung(self, url: SplitResult, body: bytes) -> None:
        headers = {"User-Agent": self._agent, "Content-Type": "application/json"}
        failure: Exception | None
        try:
            connection = _connection(url)
            until = monotonic() + _PATIENCE
            try:
                connection.connect()
                # All of it together: a process ends with its threads.
                connection.sock.settimeout(max(until - monotonic(), _LEAST))
                connection.request("POST", url.path, body, headers)
                answer = connection.getresponse()
                failure = _failure(answer.status, answer.headers, answer.read(_LONGEST))
            finally:
                connection.close()
        except (OSError, HTTPException) as error:
            # What has an address with a token in it stays here.
            failure = TimeoutError(f"no answer {_DEED} ({type(error).__name__})")
        if failure is not None:
            raise failure


def _connection(url: SplitResult) -> HTTPConnection:
    host, port = url.hostname or "", url.port
    if url.scheme == "https":
        return HTTPSConnection(host, port, timeout=_PATIENCE, context=_trusted())
    return HTTPConnection(host, port, timeout=_PATIENCE)


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _failure(status: int, headers: Any, body: bytes) -> Exception | None:  # noqa: ANN401 -- of http.client
    trouble = troubled(status, headers, _DEED) or blocked(status, headers)
    if trouble is not None or status < _REFUSED:
        return trouble
    try:
        said = json.loads(body)
    except ValueError:
        said = None
    words = said if isinstance(said, dict) else {}
    code = words.get("code")
    number = code if isinstance(code, int) else 0
    return Rejected(told(words.get("message")), number, status)
