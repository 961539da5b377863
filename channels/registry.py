"""Which channel is in which module; nothing is imported until it is switched on."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from apx.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.ports import Channel

CHANNELS: Final = {
    "discord": "channels.discord.channel:DiscordChannel",
    "telegram": "channels.telegram.channel:TelegramChannel",
    "terminal": "channels.terminal.channel:TerminalChannel",
}


def load(name: str) -> Callable[..., Channel]:
    """Import one channel's class."""
    try:
        module, _, attribute = CHANNELS[name].partition(":")
    except KeyError:
        known = ", ".join(sorted(CHANNELS))
        raise ConfigError(f"no channel {name!r}; known: {known}") from None
    return cast("Callable[..., Channel]", getattr(import_module(module), attribute))
