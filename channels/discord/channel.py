"""The Discord channel: a bot for each token that config.json has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from channels.discord.settings import OFFICIAL
from channels.discord.waits import Waits
from channels.shared.bots import Bots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.ports import Clock, Drawer
    from channels.discord.bot import Bot
    from channels.discord.settings import BotSettings

_WAITS: Final = Waits()


class DiscordChannel(Bots):
    """Several bots as one channel; discord.py is imported when they begin to run."""

    name = "discord"

    def __init__(
        self,
        bots: Sequence[BotSettings],
        drawer: Drawer,
        clock: Clock,
        *,
        base_url: str = OFFICIAL,
        waits: Waits = _WAITS,
    ) -> None:
        super().__init__([bot.name for bot in bots], clock)
        self._settings = tuple(bots)
        self._drawer = drawer
        self._clock = clock
        self._base_url = base_url
        self._waits = waits

    def load(self) -> None:
        """Import discord.py, and tell it where Discord is."""
        from channels.discord import bot  # noqa: F401, PLC0415 -- so that nobody waits
        from channels.discord.vendor import base  # noqa: PLC0415 -- as said

        base(self._base_url)

    def made(self) -> Mapping[str, Bot]:
        """Make all bots; whether Discord knows their tokens they find out."""
        from channels.discord.bot import Bot  # noqa: PLC0415 -- loaded by then

        return {
            settings.name: Bot(
                settings,
                self._drawer,
                self._clock,
                self._waits,
                f"channels.discord.bots[{position}]",
            )
            for position, settings in enumerate(self._settings)
        }
