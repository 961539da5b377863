"""What `apx doctor` looks at of the channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.errors import ChannelError, ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.config import Config
    from channels.telegram.settings import BotSettings

    Look = tuple[bool | None, str]


async def telegram(config: Config) -> AsyncIterator[Look]:
    """Ask Telegram about each bot; gives whether it is well, `None` for a remark."""
    told = config.channels.telegram
    if not told.enabled:
        if told.bots:
            yield None, "telegram: off; channels.telegram.enabled turns it on"
        return
    from apx.wiring.channels_telegram import bots  # noqa: PLC0415 -- few homes have any

    try:
        found = bots(config)
    except ConfigError as error:
        yield False, str(error)
        return
    for place, bot in enumerate(found):
        for well, text in await _looked(bot, f"channels.telegram.bots[{place}]"):
            yield well, f"telegram, {bot.name}: {text}"


async def _looked(bot: BotSettings, key: str) -> list[Look]:
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
