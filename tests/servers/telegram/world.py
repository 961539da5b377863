"""All that the server knows: bots, people, chats, and what was asked of it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.servers.happening import Happening
from tests.servers.telegram.bots import Bot
from tests.servers.telegram.chats import INSIDE, Chat
from tests.servers.telegram.files import Files
from tests.servers.telegram.refused import Refused

if TYPE_CHECKING:
    from tests.servers.telegram.chats import Json
    from tests.servers.telegram.flood import Flood

TOKEN = "4242001:AAloopbackLoopbackLoopbackLoopback1"  # noqa: S105 -- of nobody
POLL = "getUpdates"


@dataclass
class Call:
    """A request as it came, and how it was answered; status 0 is not yet."""

    method: str
    bot: int
    params: Json
    at: float
    status: int = 0
    description: str = ""
    result: Any = None
    answered: float = 0.0

    @property
    def chat(self) -> int | None:
        """The chat that it was about."""
        told = str(self.params.get("chat_id", ""))
        return int(told) if told.lstrip("-").isdigit() else None


@dataclass(repr=False, eq=False)
class World(Happening):
    """The state; `people`, `watching` and `methods` act on it.

    `complaints` holds what the real server would frown on, or mend without a word.
    """

    token: str = TOKEN
    username: str = "loop_bot"
    flood: Flood | None = None
    drafts_known: bool = True
    bots: dict[str, Bot] = field(default_factory=dict)
    users: dict[int, Json] = field(default_factory=dict)
    shared: dict[int, Chat] = field(default_factory=dict)
    files: Files = field(default_factory=Files)
    log: list[Call] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    numbers: count[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.new_bot(self.token, self.username)

    # -- bots

    def new_bot(self, token: str, username: str = "", *, reads_all: bool = True) -> Bot:
        """Make a bot, as BotFather does; the id is in the token.

        Unless it `reads_all`, it hears in groups only what is meant for it.
        """
        number = int(token.partition(":")[0])
        bot = Bot(token, number, username or f"bot{number}", reads_all)
        # Numbers of updates of different bots have nothing to do with each other.
        bot.next_update = 1001 + number % 1000 * 1000
        self.bots[token] = bot
        return bot

    def bot(self, token: str | None = None) -> Bot:
        """Give a bot; without a token, the first that lives."""
        if token is not None:
            return self.bots[token]
        return next(bot for bot in self.bots.values() if bot.alive)

    def rotate(self, old: str, new: str) -> None:
        """Give a bot another token; the old one is nobody's from now on."""
        self.bots = {
            new if token == old else token: bot for token, bot in self.bots.items()
        }
        self.bots[new].token = new
        self.bots[new].dismiss(Refused(401, "Unauthorized"))

    def retire(self, token: str) -> None:
        """Delete a bot."""
        self.bots[token].alive = False
        self.bots[token].dismiss(Refused(401, "Unauthorized"))

    # -- chats

    def chat(self, number: int, to: str | None = None) -> Chat:
        """Give a chat as one bot knows it."""
        return self.shared.get(number) or self.bot(to).own[number]

    def bots_in(self, chat: Chat) -> list[Bot]:
        """Find the bots that hear of what happens in a chat."""
        return [
            bot
            for bot in self.bots.values()
            if bot.alive
            and (
                bot.own.get(chat.id) is chat
                if chat.kind == "private"
                else chat.status(bot.id) in INSIDE
            )
        ]

    # -- what happens

    def complain(self, text: str) -> None:
        """Note what is not quite right."""
        self.complaints.append(text)

    def tell(self, bot: Bot, kind: str, content: Json) -> None:
        """Give a bot an update, if it wants such."""
        if bot.wants(kind):
            bot.queue({kind: deepcopy(content)})
        self.bump()

    def raw(self, update: Json, to: str | None = None) -> None:
        """Give a bot an update of any form, also one that no real server sends."""
        self.bot(to).queue(update)
        self.bump()

    def last(self) -> list[str]:
        """Tell of the last calls."""
        return [f"{call.method} {call.status}" for call in self.log[-8:]]
