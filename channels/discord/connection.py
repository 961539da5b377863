"""A bot's connection to the gateway, which comes back whatever happens to it."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from yarl import URL

from apx.domain.errors import ChannelError
from channels.discord import events
from channels.discord.connection_socket import End, Line, Session
from channels.discord.failures import MALFORMED
from channels.discord.identifies import Identifies, Limit
from channels.shared.failures import Answered, Flood, WrongToken
from channels.shared.troubles import REFUSED, SILENT, TOKEN, Troubles
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.ports import Clock, Drawer
    from channels.discord.client import Client
    from channels.discord.events import Events
    from channels.discord.waits import Waits

log = structlog.get_logger(__name__)

# The kinds of trouble that only Discord has.
SPACED: Final = "spaced"
INTENTS: Final = "intents"

NO_CONTENT: Final = (
    "Discord withholds what is written: switch on Message Content Intent under Bot >"
    " Privileged Gateway Intents in the developer portal, then start anew; until then"
    " only private chats and what names the bot can be read"
)

_WRONG_TOKEN: Final = 4004
_INTENTS: Final = 4014
_REFUSALS: Final = {
    4010: "shards are wrong",
    4011: "it is in too many guilds for one connection",
    4012: "this version of the gateway is gone",
    4013: "intents are wrong",
    4014: "intents are not allowed",
}
# An invalid session is followed by another after one to five seconds, says Discord.
_INVALID: Final = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """Whom a bot connects as, and how that is; `key` is where its token stands."""

    client: Client
    troubles: Troubles
    waits: Waits
    key: str

    def warn(self, kind: str, text: str) -> None:
        """Take note of a trouble, and log it once."""
        if self.troubles.has(kind, text):
            log.warning("discord_trouble", trouble=text)


@dataclass(frozen=True, slots=True)
class Time:
    """The time that passes, and how to let it pass."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class _Refused(Exception):
    """The token is not taken: begin with it once more."""


class Connection:
    """Keeps one bot connected, and tells `ears` what comes."""

    def __init__(
        self,
        place: Place,
        ears: Events,
        drawer: Drawer,
        clock: Clock,
        time: Time | None = None,
    ) -> None:
        self._place = place
        self._client = place.client
        self._troubles = place.troubles
        self._waits = waits = place.waits
        self._ears = ears
        self._time = time or Time(asyncio.get_running_loop().time)
        self._identifies = Identifies(drawer, clock)
        self._backoff = Backoff(waits.first, waits.longest)
        self._session: Session | None = None
        self._in_vain = 0
        self._settled_at = 0.0
        self._is_settled = False

    @property
    def is_settled(self) -> bool:
        """Whether a session stands now."""
        return self._is_settled

    async def run(self) -> None:
        """Stay connected until cancelled."""
        try:
            while True:
                try:
                    line = await self._logged_in()
                    while True:
                        await self._lived(line)
                except _Refused:
                    self._place.warn(
                        TOKEN, f"the token in {self._place.key} is refused"
                    )
                    await self._time.sleep(self._waits.token)
                except (ChannelError, TimeoutError) as error:
                    await self._unreached(error)
        finally:
            self._is_settled = False
            await self._client.close()

    async def _logged_in(self) -> Line:
        """Have Discord know the bot; a new client remembers no session."""
        self._session, self._in_vain = None, 0
        try:
            await self._client.login()
        except WrongToken:
            raise _Refused from None
        self._troubles.over(TOKEN)
        await self._identifies.load(self._client.app_id)
        vendor = self._client.vendor
        line = Line(vendor, self._waits, self._identifies.begun)
        events.listen(vendor, self._ears, lambda: self._settled(line))
        return line

    async def _lived(self, line: Line) -> None:
        """Be connected once, and pause after it as is fit."""
        session = self._session
        gateway = session.gateway if session else None
        if session is None or self._in_vain >= self._waits.resumes:
            try:
                gateway = await self._allowed()
            except WrongToken:
                raise _Refused from None
            except (ChannelError, TimeoutError) as error:
                # A network that is down is no fault of the session's.
                self._in_vain = 0
                await self._unreached(error)
                return
            session = None
        if gateway is None:
            return
        self._in_vain += 1
        end = await line.live(gateway, session)
        self._is_settled = False
        self._session = end.session
        await self._ended(end, was_fresh=session is None)

    async def _allowed(self) -> URL | None:
        """Ask where to begin a session; nothing, after a pause, if not yet."""
        told = await self._client.call("GET", "/gateway/bot")
        gateway = _gateway(told)
        limit = Limit.read(told.get("session_start_limit"))
        seconds = self._identifies.pause(limit, self._waits.spaced)
        if seconds <= 0:
            return gateway
        if seconds > self._waits.spaced * 2:
            most = max(seconds / 60, 1)
            self._place.warn(
                SPACED,
                "it was started too often lately: it connects again within"
                f" {most:.0f} min",
            )
        # It is asked for again meanwhile: what holds now may not hold then.
        await self._time.sleep(min(seconds, self._waits.longest))
        return None

    def _settled(self, line: Line) -> None:
        line.settled()
        self._is_settled = True
        self._in_vain = 0
        self._settled_at = self._time.now()
        self._troubles.over(SILENT, TOKEN, REFUSED, SPACED)
        log.info("discord_connected")

    async def _ended(self, end: End, *, was_fresh: bool) -> None:
        log.info("discord_disconnected", code=end.code, settled=end.was_settled)
        if end.code == _WRONG_TOKEN:
            raise _Refused
        if end.code == _INTENTS and self._client.has_content:
            self._client.without_content()
            self._session = None
            self._place.warn(INTENTS, NO_CONTENT)
            return
        if end.code in _REFUSALS:
            self._session = None
            self._place.warn(
                REFUSED, f"Discord refuses to connect: {_REFUSALS[end.code]}"
            )
            await self._time.sleep(self._waits.longest)
            return
        await self._again(end, was_fresh=was_fresh)

    async def _again(self, end: End, *, was_fresh: bool) -> None:
        """Pause before the next try; none if this connection was a good one."""
        lasted = self._time.now() - self._settled_at if end.was_settled else 0.0
        if lasted >= self._waits.longest:
            self._backoff.reset()
            return
        if self._backoff.has_begun and not end.was_settled:
            self._troubles.silent()
        seconds = self._backoff.next()
        if end.session is None and not was_fresh:
            chance = random.uniform(0.2, 1.0)  # noqa: S311 -- nothing is kept secret by it
            seconds = self._waits.first * _INVALID * chance
        await self._time.sleep(seconds)

    async def _unreached(self, error: Exception) -> None:
        self._is_settled = False
        if self._troubles.silent():
            log.warning("discord_unreachable", error=type(error).__name__)
        seconds = pause(error, self._backoff)
        if not isinstance(error, Flood):
            seconds = min(seconds, self._waits.longest)
        await self._time.sleep(seconds)


def _gateway(told: Any) -> URL:  # noqa: ANN401 -- JSON
    try:
        gateway = URL(told["url"])
    except MALFORMED:
        gateway = URL()
    if gateway.scheme in {"ws", "wss"} and gateway.host:
        return gateway
    raise Answered("Discord does not say where its gateway is")
