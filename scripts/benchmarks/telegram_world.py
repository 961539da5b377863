"""A loopback Telegram in a process of its own, and people who write and read there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from scripts.benchmarks.channel_world import Talk, lasting
from tests.servers.telegram.control import ControlledServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.bots import Bot
    from tests.servers.telegram.params import Params
    from tests.servers.telegram.world import Call

# What a person sees first of a reply, what ends one, and what the pace is about.
_SHOWN: Final = ("sendMessage", "sendMessageDraft", "editMessageText")
_LAST: Final = "sendMessage"
_COUNTED: Final = ("sendMessage", "editMessageText")
_TYPING: Final = "sendChatAction"
_DONE: Final = 200


class Stage(Talk, ControlledServer):
    """The server of the tests, whose people write by themselves and keep the time."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.open_talk()

    @property
    def refusals(self) -> int:
        """How many messages came too fast for Telegram's rules."""
        return self.flood.refusals if self.flood else 0

    def invite(self, numbers: Sequence[int]) -> list[int]:
        """Make people who have pressed Start; gives their chats."""
        for number in numbers:
            self.user(number, f"P{number}")
        return list(numbers)

    def assemble(self, groups: Sequence[int]) -> None:
        """Make groups, with the person in them who was made first."""
        for number in groups:
            self.group(number, f"G{-number}")

    def write(self, chat: int, text: str) -> None:
        """Have whoever is there say something."""
        self.say(text, chat, chat if chat > 0 else None)

    def heard_since(self, moment: float) -> float:
        """Give when updates were first asked for after a moment."""
        asked = (call.at for call in self.calls("getUpdates") if call.at > moment)
        return next(asked, 0.0)

    def is_drained(self) -> bool:
        """Whether the bot has fetched all."""
        return not self.bot().pending

    async def _do(
        self, call: Call, bot: Bot | None, params: Params
    ) -> tuple[int, dict[str, Any]]:
        done = await super()._do(call, bot, params)
        chat = call.chat
        if chat is None:
            return done
        # What is refused was too much, too.
        if call.method in _COUNTED:
            self.passed.append((chat, call.at))
        if call.status == _DONE:
            self._noted(call.method, chat, call.at)
        return done

    def _noted(self, method: str, chat: int, at: float) -> None:
        if method == _TYPING:
            self.saw_typing(chat, at)
        elif method in _SHOWN:
            self.saw_some(chat, at, is_edit=method != _LAST)
        if method == _LAST:
            self.saw_all(chat, at)


async def _serve() -> None:
    async with Stage() as server:
        await lasting(server.origin, server.control)


if __name__ == "__main__":
    asyncio.run(_serve())
