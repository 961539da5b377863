"""The Telegram channel: a bot for each token that config.json has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from channels.shared.bots import Bots
from channels.shared.troubles import TOKEN
from channels.telegram.waits import Waits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.ports import Clock, Drawer
    from channels.telegram.bot import Bot
    from channels.telegram.settings import BotSettings

_WAITS: Final = Waits()


class TelegramChannel(Bots):
    """Several bots as one channel; aiogram is imported when they begin to run."""

    name = "telegram"

    def __init__(
        self,
        bots: Sequence[BotSettings],
        drawer: Drawer,
        clock: Clock,
        waits: Waits = _WAITS,
    ) -> None:
        super().__init__([bot.name for bot in bots], clock)
        self._settings = tuple(bots)
        self._drawer = drawer
        self._clock = clock
        self._waits = waits
        self.first, self.longest = waits.conflict, waits.longest

    def load(self) -> None:
        """Import aiogram: a command that only asks what is wrong never needs it."""
        from channels.telegram.vendor import loaded  # noqa: PLC0415 -- as said

        loaded()  # before anything imports aiogram
        from channels.telegram import bot  # noqa: F401, PLC0415 -- so that nobody waits

    def made(self) -> Mapping[str, Bot]:
        """Make a bot of each token that could be one."""
        from channels.shared.failures import WrongToken  # noqa: PLC0415 -- as below
        from channels.telegram.bot import Bot  # noqa: PLC0415 -- loaded by then

        made: dict[str, Bot] = {}
        for position, settings in enumerate(self._settings):
            key = f"channels.telegram.bots[{position}].token"
            try:
                bot = Bot(settings, self._drawer, self._clock, self._waits, key)
            except WrongToken:
                self.trouble(settings.name, TOKEN, f"the token in {key} is refused")
            else:
                made[settings.name] = bot
        return made
