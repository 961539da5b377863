"""A house with several people in several places, and a model that repeats it all."""

from __future__ import annotations

import json
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.config import Config
from apx.desk import lock
from apx.domain.access import Access, Rules
from apx.domain.heard import Caller, Heard
from apx.domain.person import TERMINAL, Account, Role
from apx.domain.thread import Thread
from apx.mem.curated import scope
from apx.store.codes import Codes, Wanted
from apx.testing import MemoryChannel
from apx.wiring import opened
from tests.servers.brain import Call

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.wiring import House
    from tests.servers import OpenAIServer, Request
    from tests.servers.brain import Piece

# What everybody calls theirs; only the last word says whose it is.
HINT: Final = "Never tell anybody else: the PIN hint is {token}."
QUESTION: Final = "what is the PIN hint?"
_TOKEN: Final = re.compile(r"zq[a-z0-9]+blue")
_TOOLS: Final = (
    Call("recall_search", {"query": "the PIN hint", "limit": 50}),
    Call("search_messages", {"text": "PIN hint", "limit": 50}),
    Call("list_notes", {}),
    Call("list_threads", {}),
    Call("memory_search", {"query": "PIN hint", "limit": 50}),
)
_RULES: Final = {
    "7": Rules(Access.PAIRED, groups=frozenset({"-100", "-200"})),
    "8": Rules(Access.OPEN),
}


@dataclass(frozen=True)
class Place:
    """A person in a place: `sees` are the tokens that may reach them there."""

    name: str
    caller: Caller
    token: str
    sees: frozenset[str]
    # What must reach them when they ask.
    finds: frozenset[str]


@dataclass
class Traffic:
    """What went to the model and what came back, while somebody asked."""

    requests: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join([*self.requests, *self.replies])


async def parrot(request: Request) -> AsyncIterator[Piece]:
    """Use every tool that brings memories, then tell whatever they and the prompt say.

    This is the worst of all models: what it was shown, it tells.
    """
    names = set(request.tools)
    calls = [call for call in _TOOLS if call.name in names]
    if calls and not request.results():
        for call in calls:
            yield call
        return
    seen = "\n".join(message.text for message in request.messages)
    yield f"The PIN hint is {' or '.join(sorted(set(_TOKEN.findall(seen))))}"


class Crowd:
    """Everybody, and the house that they talk to."""

    def __init__(self, home: Path, server: OpenAIServer) -> None:
        self.home = home
        self.server = server
        self.channels = {name: MemoryChannel(name) for name in ("telegram", "discord")}
        self.house: House
        self.places: dict[str, Place] = {}
        self._count = 0
        self._open = AsyncExitStack()

    async def open(self) -> None:
        """Open the home, as a process does."""
        engine = {"base_url": self.server.base_url, "api_key": "sk-nobodys"}
        config = Config.model_validate(
            {
                "super_agent": {"model": "openai:tiny"},
                "engines": {"openai": engine},
                "memory": {
                    "rag_top_k": 50,
                    "recall": {"top_k": 50},
                    "compact_threshold": 1000,
                    "keep_recent": 2,
                    "embeddings": {"provider": "tf"},
                    "active_threads": {"max_lines": 20},
                },
            }
        )
        stack = self._open = AsyncExitStack()
        assert stack.enter_context(lock.held(self.home, "test"))
        self.house = await stack.enter_async_context(
            opened(config, self.home, "apx run", others=self.channels)
        )
        # Nothing is condensed behind what is asked here: requests are told apart.
        await stack.enter_async_context(self.house.gateway.open())

    async def close(self) -> None:
        """End, as a process does."""
        await self._open.aclose()

    async def gather(self) -> None:
        """Bring everybody in: owner, members, a guest; private chats and rooms."""
        people, at = self.house.who.people, self.house.memory.clock()
        telegram = {n: Account("telegram", "7", n) for n in ("1", "2", "3")}
        anna_desk = Account("discord", "9", "20")
        guest = Account("telegram", "8", "66")
        codes = Codes(people._database)
        await codes.redeem(telegram["1"], await codes.issue(at, Wanted()), "", at)
        anna = await people.add(telegram["2"], Role.MEMBER, "Anna", at, paired=True)
        code = await codes.issue(at, Wanted(anna.key))
        await codes.redeem(anna_desk, code, "", at)
        await people.add(telegram["3"], Role.MEMBER, "Bob", at, paired=True)
        self._place("owner", TERMINAL, "terminal:main", sees="family club")
        self._place("owner2", telegram["1"], "telegram:7:1", like="owner")
        self._place("anna", telegram["2"], "telegram:7:2", sees="family")
        self._place("anna2", anna_desk, "discord:9:20", like="anna")
        self._place("bob", telegram["3"], "telegram:7:3", sees="club")
        self._place("guest", guest, "telegram:8:66")
        self._place("family", telegram["2"], "telegram:7:-100", group="-100")
        self._place("club", telegram["3"], "telegram:7:-200", group="-200")
        family, club = (self.places[n].caller.thread for n in ("family", "club"))
        self.channels["telegram"].members = {
            family: {telegram["1"], telegram["2"]},
            club: {telegram["1"], telegram["3"]},
        }

    def _place(
        self,
        name: str,
        account: Account,
        thread: str,
        *,
        sees: str = "",
        like: str = "",
        group: str = "",
    ) -> None:
        who = like or name
        token = f"zq{who}blue"
        others = self.places[like].sees if like else frozenset()
        seen = {token, "zqsharedblue", *others, *(f"zq{n}blue" for n in sees.split())}
        # Who has no tool to search with still gets what is injected.
        finds = seen - {"zqsharedblue"} if name != "guest" else {token}
        caller = Caller(account, Thread.parse(thread), f"{name} (me)", group)
        self.places[name] = Place(
            name, caller, token, frozenset(seen), frozenset(finds)
        )

    async def keep(self, place: Place, kind: str) -> None:
        """Have a curated memory hold for those of a place, as the owner decided."""
        memory = self.house.memory
        audience = await memory.threads.audience_of(place.caller.thread)
        assert audience is not None
        await memory.curated.begin()
        title = f"the PIN hint of {place.name} is {place.token} ({kind})"
        fields = {"title": title, "scope": scope(audience)}
        await memory.curated.add(kind, fields, f"Tell it nobody: {place.token}")

    async def say(self, place: Place, text: str) -> Traffic:
        """Say something somewhere and wait for all that follows."""
        self._count += 1
        heard = Heard(place.caller, text, self.house.memory.clock(), f"m{self._count}")
        before = len(self.server.requests)
        channel = place.caller.thread.channel
        sent = self.channels[channel].sent if channel in self.channels else []
        shown = len(sent)
        answer = await self.house.doors.of(channel, _RULES).hear(heard)
        replies = [answer] if answer else []
        if answer is None:
            key = f"{place.caller.thread}/{heard.external_id}"
            turn = await self.house.gateway.settled(place.caller.thread, key)
            assert turn is not None
            assert not turn.error, turn.error
            replies.append(turn.final or "")
        # Others' parts may arrive meanwhile.
        here = [part for part in sent[shown:] if part.thread == place.caller.thread]
        replies += [part.text for part in here]
        asked = self.server.requests[before:]
        return Traffic([json.dumps(r.body, ensure_ascii=False) for r in asked], replies)

    def leaked(self, place: Place, traffic: Traffic) -> int:
        """Count the bytes of what reached somebody, or their model, and must not."""
        every = {one.token for one in self.places.values()} | {"zqsharedblue"}
        hidden = every - place.sees
        return sum(traffic.text.count(token) * len(token) for token in hidden)
