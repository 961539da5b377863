"""All that the server knows: bots, people, channels, and what was asked of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from tests.servers.discord.things import DM, Bot, Channel, Guild, Json
from tests.servers.happening import Happening

TOKEN: Final = "OTAwMDAwMDAwMDAwMDAwMDAx.Loop00.backLoopbackLoopbackLoopback"  # noqa: S105 -- of nobody
BOT: Final = 900_000_000_000_000_001
_EPOCH: Final = 1_420_070_400_000


@dataclass
class Call:
    """A request as it came, and how it was answered; status 0 is not yet."""

    method: str
    path: str
    bot: int
    body: Any
    at: float
    query: dict[str, str] = field(default_factory=dict)
    status: int = 0
    code: int = 0
    answered: float = 0.0


@dataclass(frozen=True)
class Ping:
    """Whom a message of a bot has rung for; `user` 0 is a role or everyone."""

    channel: int
    message: int
    user: int


@dataclass(repr=False, eq=False)
class World(Happening):
    """The state; `people`, `watching` and the routes act on it.

    `complaints` holds what the real server would frown on, or mend without a word.
    `ahead` is how many seconds the server's clock is before ours.
    """

    bots: dict[str, Bot] = field(default_factory=dict)
    users: dict[int, Json] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    shut: set[int] = field(default_factory=set)
    blobs: dict[str, bytes] = field(default_factory=dict)
    log: list[Call] = field(default_factory=list)
    pings: list[Ping] = field(default_factory=list)
    typed: list[tuple[int, int, float]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    ahead: float = 0.0
    links: int = 0
    origin: str = ""
    numbers: count[int] = field(default_factory=lambda: count(1))
    _last: int = 0

    def __post_init__(self) -> None:
        self.new_bot(TOKEN, "apx", BOT)

    # -- time and numbers

    def now(self) -> float:
        """Tell the time here, in seconds."""
        return time.time() + self.ahead

    def iso(self) -> str:
        """Tell the time as messages have it."""
        return datetime.fromtimestamp(self.now(), UTC).isoformat()

    def snowflake(self) -> int:
        """Make an id, which tells its time and is greater than all before."""
        now = (int(self.now() * 1000) - _EPOCH) << 22
        self._last = max(now, self._last + 1)
        return self._last

    def advance(self, seconds: float) -> None:
        """Let time go by, here alone."""
        self.ahead += seconds

    # -- bots

    def new_bot(
        self, token: str, name: str, number: int, *, content: bool = True
    ) -> Bot:
        """Make an application with a bot, as the portal does."""
        bot = self.bots[token] = Bot(token, number, name, content)
        self.users[number] = person(number, name, is_bot=True)
        return bot

    def portal(self, bot: int = 0, *, content: bool) -> None:
        """Turn the switch for the Message Content intent."""
        self.bot(bot).content = content

    def rotate(self, token: str, bot: int = 0) -> None:
        """Give a bot another token; the old one is nobody's from now on."""
        of = self.bot(bot)
        del self.bots[of.token]
        of.token = token
        self.bots[token] = of

    def bot(self, number: int = 0) -> Bot:
        """Give a bot by its id; without one, the first."""
        bots = self.bots.values()
        return next(bot for bot in bots if number in {0, bot.id})

    def bots_in(self, channel: Channel) -> list[Bot]:
        """Find the bots that hear of what happens in a channel."""
        bots = [bot for bot in self.bots.values() if bot.alive]
        return [bot for bot in bots if channel.may(bot.id, "VIEW_CHANNEL")]

    def dm(self, user: int, bot: int = 0) -> int:
        """Give the private chat of a person and a bot, and make it if need be."""
        of = self.bot(bot)
        if user not in of.dms:
            number = self.snowflake()
            self.channels[number] = Channel(number, DM, user=user, bot=of.id)
            of.dms[user] = number
        return of.dms[user]

    def takes_dms(self, user: int, bot: int) -> bool:
        """Whether a bot may write to a person: not without a guild of both."""
        shared = (
            guild for guild in self.guilds.values() if {user, bot} <= set(guild.members)
        )
        return user not in self.shut and any(shared)

    # -- what happens

    def complain(self, text: str) -> None:
        """Note what is not quite right."""
        self.complaints.append(text)

    def emit(self, kind: str, data: Json, channel: Channel) -> None:
        """Tell all bots that see a channel what has happened in it."""
        if channel.guild is not None:
            data = data | {"guild_id": str(channel.guild.id)}
        for bot in self.bots_in(channel):
            for session in bot.sessions:
                session.tell(kind, data)
        self.bump()

    def emit_to(self, bot: Bot, kind: str, data: Json) -> None:
        """Tell one bot."""
        for session in bot.sessions:
            session.tell(kind, data)
        self.bump()

    def last(self) -> list[str]:
        """Tell of the last calls."""
        return [f"{one.method} {one.path} {one.status}" for one in self.log[-8:]]


def person(number: int, name: str, *, is_bot: bool = False) -> Json:
    """Make somebody as Discord shows them."""
    return {
        "id": str(number),
        "username": name.lower().replace(" ", "_"),
        "discriminator": "0",
        "global_name": None if is_bot else name,
        "avatar": None,
        "bot": is_bot,
        "public_flags": 0,
    }
