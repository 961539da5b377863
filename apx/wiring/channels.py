"""The channels that config.json switches on; none of them is imported before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.store.drawers import ChannelDrawer
from apx.wiring import channels_discord, channels_telegram
from channels.registry import load

if TYPE_CHECKING:
    from apx.config import Config
    from apx.ports import Channel, Clock
    from apx.store.database import Database

TELEGRAM: Final = "telegram"
DISCORD: Final = "discord"


def switched_on(config: Config, database: Database, clock: Clock) -> dict[str, Channel]:
    """Build the channels that `apx run` serves beside the terminal."""
    channels: dict[str, Channel] = {}
    if config.channels.telegram.enabled:
        bots = channels_telegram.bots(config)
        drawer = ChannelDrawer(database, TELEGRAM)
        channels[TELEGRAM] = load(TELEGRAM)(bots, drawer, clock)
    if config.channels.discord.enabled:
        at_discord = channels_discord.bots(config)
        drawer = ChannelDrawer(database, DISCORD)
        base_url = config.channels.discord.base_url
        channels[DISCORD] = load(DISCORD)(at_discord, drawer, clock, base_url=base_url)
    return channels
