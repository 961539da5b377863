"""What config.json says of Telegram, as its channel is told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.agent.commands import MENU
from apx.domain.errors import ConfigError
from channels.telegram.settings import BotSettings, GroupMode, Webhook

if TYPE_CHECKING:
    from apx.config import Config
    from apx.config.places import TelegramBot


def bots(config: Config) -> list[BotSettings]:
    """Say of each bot on Telegram what its channel has to know."""
    found = config.channels.telegram.bots
    if not found:
        raise ConfigError(
            "channels.telegram.bots: it is enabled, but no bot is named; write"
            ' [{"token": "${TELEGRAM_TOKEN}"}]'
        )
    for place, bot in enumerate(found):
        if not bot.token:
            raise ConfigError(
                f"channels.telegram.bots[{place}].token: it is empty; @BotFather gives"
                " you one"
            )
    return [_settings(bot) for bot in found]


def _settings(bot: TelegramBot) -> BotSettings:
    hook = bot.webhook
    return BotSettings(
        name=bot.name,
        token=bot.token,
        base_url=bot.base_url,
        webhook=Webhook(hook.url, hook.secret_token, hook.host, hook.port)
        if bot.mode == "webhook"
        else None,
        group_mode=GroupMode(bot.group_mode),
        group_context=bot.group_context,
        topics=frozenset(bot.topics),
        groups=frozenset(bot.groups),
        commands=MENU,
    )
