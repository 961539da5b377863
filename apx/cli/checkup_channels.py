"""What `apx doctor` looks at of the channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.errors import ChannelError, ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.config import Config
    from channels.discord.settings import BotSettings as DiscordBot
    from channels.telegram.settings import BotSettings as TelegramBot

    Look = tuple[bool | None, str]


async def channels(config: Config) -> AsyncIterator[Look]:
    """Ask platforms about bots; gives whether each is well, `None` for a remark."""
    told = config.channels
    for name, section, looks in (
        ("telegram", told.telegram, _telegram),
        ("discord", told.discord, _discord),
    ):
        if not section.enabled:
            if section.bots:
                yield None, f"{name}: off; channels.{name}.enabled turns it on"
            continue
        try:
            async for well, text in looks(config):
                yield well, f"{name}, {text}"
        except ConfigError as error:
            yield False, str(error)


async def _telegram(config: Config) -> AsyncIterator[Look]:
    from apx.wiring.channels_telegram import bots  # noqa: PLC0415 -- few homes have any

    for place, bot in enumerate(bots(config)):
        for well, text in await _at_telegram(bot, f"channels.telegram.bots[{place}]"):
            yield well, f"{bot.name}: {text}"


async def _discord(config: Config) -> AsyncIterator[Look]:
    from apx.wiring.channels_discord import bots  # noqa: PLC0415 -- few homes have any

    found = bots(config)
    from channels.discord.vendor import base  # noqa: PLC0415 -- it loads discord.py

    base(config.channels.discord.base_url)
    for place, bot in enumerate(found):
        for well, text in await _at_discord(bot, f"channels.discord.bots[{place}]"):
            yield well, f"{bot.name}: {text}"


async def _at_telegram(bot: TelegramBot, key: str) -> list[Look]:
    from channels.telegram.vendor import loaded  # noqa: PLC0415 -- as below

    loaded()
    from channels.shared.failures import WrongToken  # noqa: PLC0415 -- as above
    from channels.telegram.checkup import look  # noqa: PLC0415 -- it loads aiogram

    try:
        seen = await look(bot)
    except WrongToken as error:
        return [(False, f"{error}; mend {key}.token")]
    except (ChannelError, TimeoutError) as error:
        return [(False, f"{error} ({key}.base_url)")]
    return [(True, f"@{seen.username} answers"), *((None, r) for r in seen.remarks)]


async def _at_discord(bot: DiscordBot, key: str) -> list[Look]:
    from channels.discord.checkup import look  # noqa: PLC0415 -- it loads discord.py
    from channels.shared.failures import WrongToken  # noqa: PLC0415 -- as above

    try:
        seen = await look(bot)
    except WrongToken as error:
        return [(False, f"{error}; mend {key}.token")]
    except (ChannelError, TimeoutError) as error:
        return [(False, f"{error} (channels.discord.base_url)")]
    said = [f"to add it to a server: {seen.invite}", *seen.remarks]
    return [(True, f"{seen.username} answers"), *((None, text) for text in said)]
