"""A loopback Discord in a process of its own, and people who write and read there."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks.channel_world import Talk, lasting
from tests.servers.discord import DiscordServer
from tests.servers.discord.control import Control
from tests.servers.discord.furnished import GENERAL, HOME
from tests.servers.discord.watching import buttons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiohttp import web

    from tests.servers.discord.placing import File
    from tests.servers.discord.world import Call

_SAID: Final = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
_TYPED: Final = re.compile(r"/channels/(\d+)/typing")
_ANSWERED: Final = re.compile(r"/webhooks/\d+/(i\d+)(?:/messages/@original)?")
# Under a reply that grows; one that is whole has none.
_STOP: Final = "stop:"
_REFUSED: Final = 400
_BETWEEN: Final = 0.05
_LATEST: Final = 10.0
_FREE: Final = ("/interactions", "/webhooks")


class Stage(Talk, DiscordServer):
    """The server of the tests, whose people write by themselves and keep the time.

    `commands` has when each command was given, acknowledged and answered.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.open_talk()
        self._given: list[int] = []
        self._answered: dict[str, float] = {}

    @property
    def refusals(self) -> int:
        """How many calls came too fast for Discord's rules."""
        return self.limits.refused if self.limits else 0

    @property
    def asked(self) -> list[float]:
        """When anything was asked for but by way of interactions, which is free."""
        return [one.at for one in self.log if not one.path.startswith(_FREE)]

    @property
    def commanded(self) -> list[tuple[float | None, float | None]]:
        """Give the seconds until each command was acknowledged, and answered."""
        given = [self.interactions[f"i{number}"] for number in self._given]
        return [
            (
                None if one.acked is None else one.acked - one.at,
                self._answered[one.token] - one.at
                if one.token in self._answered
                else None,
            )
            for one in given
        ]

    def invite(self, numbers: Sequence[int]) -> list[int]:
        """Make people of one guild with the bot; gives their private chats."""
        self.guild(HOME, "Home")
        self.channel(HOME, GENERAL)
        for number in numbers:
            self.user(number, f"P{number}")
        return [self.dm(number) for number in numbers]

    def write(self, chat: int, text: str) -> None:
        """Have whoever is there say something."""
        self.say(chat, self.channels[chat].user, text)

    def heard_since(self, moment: float) -> float:
        """Give when a bot first had a session after a moment."""
        return next((at for at in self.bot().identified if at > moment), 0.0)

    def is_drained(self) -> bool:
        """Whether the bot was sent all; sockets wait for nobody."""
        return True

    def command_beside(
        self, chats: Sequence[int], rounds: int, text: str, name: str
    ) -> None:
        """Have all write at once and again, and commands be given all the while."""
        self._given.clear()
        self._start(self._beside(chats, rounds, text, name))

    async def _beside(
        self, chats: Sequence[int], rounds: int, text: str, name: str
    ) -> None:
        async with asyncio.TaskGroup() as group:
            commanding = group.create_task(self._commanding(chats, name))
            await self.together(chats, rounds, text)
            commanding.cancel()
        # Whoever was the last to ask is answered, too; who is not is told of.
        with suppress(TimeoutError):
            await self.until(lambda: all(all(one) for one in self.commanded), _LATEST)

    async def _commanding(self, chats: Sequence[int], name: str) -> None:
        while True:
            for chat in chats:
                user = self.channels[chat].user
                self._given.append(self.slash(name, user=user, channel=chat))
                await asyncio.sleep(_BETWEEN)

    async def _work(self, call: Call, files: tuple[File, ...]) -> web.Response:
        done = await super()._work(call, files)
        self._noted(call)
        return done

    def _noted(self, call: Call) -> None:
        is_done = call.status < _REFUSED
        if (found := _SAID.fullmatch(call.path)) and call.method in {"POST", "PATCH"}:
            # What is refused was too much, too.
            self.passed.append((int(found[1]), call.at))
            if is_done:
                self._said(int(found[1]), call)
        elif (found := _TYPED.fullmatch(call.path)) and is_done:
            self.saw_typing(int(found[1]), call.at)
        elif (found := _ANSWERED.fullmatch(call.path)) and is_done:
            self._answered.setdefault(found[1], time.monotonic())

    def _said(self, chat: int, call: Call) -> None:
        grows = _grows(call.body)
        self.saw_some(chat, call.at, is_edit=call.method == "PATCH" and grows)
        if not grows:
            self.saw_all(chat, call.at)


def _grows(body: Any) -> bool:  # noqa: ANN401 -- JSON
    told = body if isinstance(body, dict) else {}
    return any(one.get("custom_id", "").startswith(_STOP) for one in buttons(told))


async def _serve() -> None:
    server = Stage()
    async with server, Control(server) as control:
        await lasting(server.origin, control.origin)


if __name__ == "__main__":
    asyncio.run(_serve())
