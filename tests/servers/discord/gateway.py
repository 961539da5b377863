"""The gateway: who may come in, what they are told, and when they are shown out."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from tests.servers.discord.disturbed import INVALID, Disturbed
from tests.servers.discord.line import Line
from tests.servers.discord.sessions import MESSAGE_CONTENT, Session
from tests.servers.discord.shown import guild_json

if TYPE_CHECKING:
    from tests.servers.discord.things import Bot, Json

HEARTBEAT, IDENTIFY, PRESENCE, RESUME, MEMBERS = 1, 2, 3, 6, 8
HELLO, ACK = 10, 11
_PRIVILEGED: Final = (1 << 1) | (1 << 8)
_KNOWN: Final = (1 << 26) - 1


class Gateway(Disturbed):
    """Websockets, as the real gateway keeps them."""

    async def _gateway(self, http: web.Request) -> web.StreamResponse:
        how = self._greetings.pop(0) if self._greetings else ""
        if how == "502":
            return web.Response(status=502, text="Bad Gateway")
        line = Line(http, self.interval)
        line.acks = self._acks
        self._look(http)
        await line.open()
        self.lines.append(line)
        self.bump()
        tasks = [asyncio.create_task(line.pump())]
        try:
            if how != "nothing":
                await line.send(HELLO, {"heartbeat_interval": int(self.interval * 1e3)})
                tasks.append(asyncio.create_task(self._watch(line)))
            line.deaf = bool(how)
            while (told := await line.heard()) is not None:
                await self._heard(line, told)
        finally:
            for task in tasks:
                task.cancel()
            self._left(line)
        return line.socket

    def _look(self, http: web.Request) -> None:
        if http.query.get("v") != "10" or http.query.get("encoding") != "json":
            self.complain(f"gateway: asked for {http.query_string}")

    async def _watch(self, line: Line) -> None:
        """Show out who gives no sign of life."""
        allowed = line.interval * 1.5 + self.slack
        while True:
            left = line.beaten + allowed - time.monotonic()
            if left <= 0:
                break
            await asyncio.sleep(left)
        if not line.deaf:
            self.complain(f"gateway: no heartbeat for {allowed:.1f} s")
        await line.hang_up(4009)

    def _left(self, line: Line) -> None:
        self.lines.remove(line)
        line.let_go()
        # Whoever leaves with these codes does not come back to a session.
        if line.session is not None and line.code in {1000, 1001}:
            self.forget(line.session)
        self.bump()

    async def _heard(self, line: Line, told: Any) -> None:
        op, data = told.get("op"), told.get("d") or {}
        self.bump()
        if line.deaf:
            return
        if line.is_chatty():
            self.complain("gateway: said more than 120 things in a minute")
            await line.hang_up(4008)
        elif op == HEARTBEAT:
            line.beaten = time.monotonic()
            self.heartbeats += 1
            if line.acks:
                await line.send(ACK)
        elif op == IDENTIFY:
            await self._identify(line, dict(data))
        elif op == RESUME:
            await self._resume(line, dict(data))
        elif op not in {PRESENCE, MEMBERS}:
            self.complain(f"gateway: op {op}")
            await line.hang_up(4001)

    async def _identify(self, line: Line, data: Json) -> None:
        bot = self.bots.get(data.get("token", ""))
        if bot is None or not bot.alive:
            await line.hang_up(4004)
            return
        self._count(bot)
        if code := _shown_out(bot, data.get("intents")):
            await line.hang_up(code)
            return
        session = Session(f"s{next(self.numbers)}", bot, data["intents"])
        # Whoever begins anew does not come back to what has no socket any more.
        bot.sessions = [one for one in bot.sessions if one.wake is not None]
        bot.sessions.append(session)
        self._ready(session)
        line.serve(session, 0)
        self.bump()

    def _count(self, bot: Bot) -> None:
        now = time.monotonic()
        if bot.identified and now - bot.identified[-1] < self.space:
            self.complain(f"gateway: IDENTIFY after {now - bot.identified[-1]:.2f} s")
        bot.identified.append(now)
        bot.starts -= 1
        if bot.starts < 0:
            self.complain("gateway: more IDENTIFYs than a day has; the token is reset")
            bot.alive = False

    def _ready(self, session: Session) -> None:
        bot = session.bot
        within = [one for one in self.guilds.values() if bot.id in one.members]
        ready = {
            "v": 10,
            "user": self.users[bot.id] | {"flags": 0, "verified": True},
            "guilds": [{"id": str(one.id), "unavailable": True} for one in within],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.gateway_url,
            "application": {"id": str(bot.id), "flags": bot.flags},
            "private_channels": [],
        }
        session.push("READY", ready)
        for guild in within:
            session.tell("GUILD_CREATE", guild_json(self, guild, bot))

    @property
    def gateway_url(self) -> str:
        """Where websockets are taken."""
        return self.origin.replace("http", "ws", 1) + "/gateway"

    async def _resume(self, line: Line, data: Json) -> None:
        self.resumes += 1
        bot = self.bots.get(data.get("token", ""))
        sessions = bot.sessions if bot else []
        known = [one for one in sessions if one.id == data.get("session_id")]
        refusal = self._refusals.pop(0) if self._refusals else None
        if bot is None:
            await line.hang_up(4004)
        elif refusal:
            await line.hang_up(refusal)
        elif refusal is not None or not known:
            for session in known:
                self.forget(session)
            await line.send(INVALID, False)
        elif (data.get("seq") or 0) > len(known[0].sent):
            await line.hang_up(4007)
        else:
            known[0].push("RESUMED", {})
            line.serve(known[0], data.get("seq") or 0)


def _shown_out(bot: Bot, intents: Any) -> int:
    """Give the code with which such a bot is shown out, or 0."""
    if not isinstance(intents, int) or intents & ~_KNOWN:
        return 4013
    if intents & _PRIVILEGED or (intents & MESSAGE_CONTENT and not bot.content):
        return 4014
    return 0
