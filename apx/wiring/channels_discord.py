"""What config.json says of Discord, as its channel is told it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.agent.commands import MENU, WORDED
from apx.domain.errors import ConfigError
from channels.discord.settings import BotSettings, Command, GuildMode, ThreadMode

if TYPE_CHECKING:
    from apx.config import Config
    from apx.config.places import DiscordBot

_COMMANDS: Final = tuple(
    Command(name, told, takes_words=name in WORDED) for name, told in MENU
)


def bots(config: Config) -> list[BotSettings]:
    """Say of each bot on Discord what its channel has to know."""
    found = config.channels.discord.bots
    if not found:
        raise ConfigError(
            "channels.discord.bots: it is enabled, but no bot is named; write"
            ' [{"token": "${DISCORD_TOKEN}"}]'
        )
    for place, bot in enumerate(found):
        if not bot.token:
            raise ConfigError(
                f"channels.discord.bots[{place}].token: it is empty; the Developer"
                " Portal gives you one, under Bot"
            )
    return [_settings(bot) for bot in found]


def _settings(bot: DiscordBot) -> BotSettings:
    return BotSettings(
        name=bot.name,
        token=bot.token,
        guilds=frozenset(bot.guilds),
        guild_mode=GuildMode(bot.guild_mode),
        guild_context=bot.guild_context,
        channels=frozenset(bot.channels),
        thread_mode=ThreadMode(bot.thread_mode),
        commands=_COMMANDS,
    )
