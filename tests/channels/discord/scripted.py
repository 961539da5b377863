"""A gateway without a network, which does what a script wants, then behaves."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, WSMessage, WSMsgType

from tests.channels.hand_time import HandTime
from tests.servers.discord import BOT

if TYPE_CHECKING:
    from discord.http import HTTPClient

USER = {"id": str(BOT), "username": "apx", "discriminator": "0", "avatar": None}
APPLICATION = {
    "id": str(BOT),
    "name": "apx",
    "flags": 0,
    "description": "",
    "icon": None,
}
OWNER = {"owner": USER | {"id": "5"}, "bot_public": True, "verify_key": ""}
ABOUT = APPLICATION | OWNER | {"bot_require_code_grant": False}
START = datetime(2030, 1, 1, tzinfo=UTC)

SAY = "say"
ONWARD = "onward"
TWICE = "the last event once more"
SILENCE = "silence"
CUT = "cut off"
FORGET = "cut off, and the session is lost"
INVALID = "invalid session"
RESUMABLE = "invalid session that may be resumed"
RECONNECT = "reconnect"
HELLO = "hello once more, or not at all"
REFUSE = "no socket"
NO_REST = "no call"
SENT = (SAY, TWICE, INVALID, RESUMABLE, RECONNECT, HELLO)
PLAIN = (*SENT, ONWARD, SILENCE, CUT, FORGET, REFUSE, NO_REST)
CLOSINGS = (1000, 1001, 1006, 4000, 4001, 4003, 4004, 4007, 4008, 4009, 4011, 4014)


class Socket:
    """One socket of the gateway, as aiohttp would give it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._frames: list[str | bytes] = []
        self._is_in = False
        self.closed = False
        self.close_code: int | None = None

    def put(self, op: int, data: Any = None, seq: Any = None, kind: Any = None) -> None:
        self._frames.append(json.dumps({"op": op, "d": data, "s": seq, "t": kind}))

    async def receive(self, timeout: float) -> WSMessage:  # noqa: ASYNC109 -- aiohttp's
        await asyncio.sleep(0)
        while not self._is_closed():
            step = self._world.step(self)
            if step == SILENCE:
                self._world.time.now += timeout
                raise TimeoutError
            if self._is_closed():
                break
            if isinstance(step, str | bytes) and step not in PLAIN:
                return _message(step)
            if self._frames:
                return _message(self._frames.pop(0))
            if self._world.is_over():
                self._world.over.set()
                await asyncio.Event().wait()
        return WSMessage(WSMsgType.CLOSED, None, None)

    async def send_str(self, data: str) -> None:
        await asyncio.sleep(0)
        if self.closed:
            raise ConnectionResetError("Cannot write to closing transport")
        told = json.loads(data)
        if told["op"] == 1:
            self.put(11)
        elif told["op"] == 2:
            self._world.identified(self)
        elif told["op"] == 6:
            self._world.resumed(self, told["d"])

    async def close(self, *, code: int = 4000) -> bool:
        self.hang_up(code)
        return True

    def _is_closed(self) -> bool:
        return self.closed

    def hang_up(self, code: int) -> None:
        if not self.closed:
            self.closed, self.close_code = True, code


def _message(frame: str | bytes) -> WSMessage:
    kind = WSMsgType.TEXT if isinstance(frame, str) else WSMsgType.BINARY
    return WSMessage(kind, frame, None)


class World:
    """Discord: its sessions, what was said, and the script that it follows.

    A step is one of `PLAIN`, a closing code, or a frame to be sent as it stands.
    """

    def __init__(self, script: list[Any]) -> None:
        self.script = list(script)
        self.time = HandTime()
        self.time.flows = True
        self.said: list[str] = []
        self.identifies: list[float] = []
        self.over = asyncio.Event()
        self.socket: Socket | None = None
        self._session: list[tuple[str, Any]] | None = None
        self._numbers = 0
        self._is_settled = False

    def clock(self) -> datetime:
        return START + timedelta(seconds=self.time.now)

    def is_over(self) -> bool:
        return not self.script and self._is_settled

    def step(self, socket: Socket) -> Any:
        """Do the next step, as far as it is not the socket's."""
        step = self.script.pop(0) if self.script else ONWARD
        if step in {INVALID, FORGET}:
            self._session = None
        if step in {CUT, FORGET} or isinstance(step, int):
            socket.hang_up(step if isinstance(step, int) else 1006)
            self._is_settled = False
        elif step in SENT:
            self._send(socket, step)
        return step

    def _send(self, socket: Socket, step: str) -> None:
        if step == SAY:
            self._say()
        elif step == TWICE:
            for kind, data in (self._session or [])[-1:]:
                socket.put(0, data, len(self._session or ()), kind)
        elif step == RECONNECT:
            socket.put(7)
        elif step == HELLO:
            socket.put(10, {"heartbeat_interval": 41_250})
        else:
            socket.put(9, data=step == RESUMABLE)

    def _say(self) -> None:
        self._numbers += 1
        self.said.append(str(self._numbers))
        self._push("MESSAGE_CREATE", {"id": self.said[-1], "channel_id": "5"})

    def _push(self, kind: str, data: Any) -> None:
        if self._session is None:
            return
        self._session.append((kind, data))
        if self.socket is not None and self._is_settled:
            self.socket.put(0, data, len(self._session), kind)

    def identified(self, socket: Socket) -> None:
        self.identifies.append(self.time.now)
        self._session, self.socket, self._is_settled = [], socket, True
        self._numbers += 1
        ready = {
            "v": 10,
            "user": USER,
            "guilds": [],
            "session_id": f"s{self._numbers}",
            "resume_gateway_url": "wss://again.invalid",
            "application": APPLICATION,
        }
        self._number = ready["session_id"]
        self._push("READY", ready)

    def resumed(self, socket: Socket, told: dict[str, Any]) -> None:
        seq = told["seq"]
        if self._session is None or told["session_id"] != self._number:
            socket.put(9, data=False)
        elif not isinstance(seq, int) or not 0 <= seq <= len(self._session):
            socket.hang_up(4007)
        else:
            self.socket, self._is_settled = socket, True
            for at, (kind, data) in enumerate(
                self._session[seq or 0 :], (seq or 0) + 1
            ):
                socket.put(0, data, at, kind)
            self._push("RESUMED", {"_trace": []})

    # -- what discord.py asks

    async def ws_connect(self, _http: HTTPClient, _url: str, **_: Any) -> Socket:
        await asyncio.sleep(0)
        if self.script and self.script[0] == REFUSE:
            self.script.pop(0)
            raise ClientError("refused")
        self._is_settled = False
        socket = Socket(self)
        if not (self.script and self.script[0] == HELLO):
            socket.put(10, {"heartbeat_interval": 41_250})
        return socket

    async def request(self, _http: HTTPClient, route: Any, **_: Any) -> Any:
        await asyncio.sleep(0)
        if self.script and self.script[0] == NO_REST:
            self.script.pop(0)
            raise ClientError("nobody")
        if route.path == "/gateway/bot":
            limit = {"total": 1000, "remaining": 900, "reset_after": 5_000}
            return {"url": "wss://gateway.invalid", "session_start_limit": limit}
        return USER if route.path == "/users/@me" else ABOUT
