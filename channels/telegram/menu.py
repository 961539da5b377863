"""The list of commands that clients show: told to Telegram when it has changed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from aiogram.methods import SetMyCommands
from aiogram.types import BotCommand

from apx.domain.text import clean, excerpt
from channels.shared import menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.ports import Drawer
    from channels.telegram.insisting import Line

Commands = tuple[tuple[str, str], ...]

_MOST: Final = 100
_NAME: Final = re.compile(r"[a-z0-9_]{1,32}")
_DESCRIPTION: Final = 256


def fit(commands: Sequence[tuple[str, str]]) -> Commands:
    """Give what Telegram takes of a list: one that is wrong would spoil all."""
    fitting: dict[str, str] = {}
    for name, told in commands:
        shown = excerpt(clean(told), _DESCRIPTION)
        if _NAME.fullmatch(name) and shown:
            fitting.setdefault(name, shown)
    return tuple(fitting.items())[:_MOST]


async def announce(
    line: Line, drawer: Drawer, commands: Sequence[tuple[str, str]]
) -> None:
    """Tell Telegram the commands, unless it was told them before."""
    listed = fit(commands)
    shown = [BotCommand(command=name, description=told) for name, told in listed]
    tell = partial(line.client.call, SetMyCommands(commands=shown))
    key = f"menu/{line.client.bot_id}"
    await menu.announce(drawer, key, listed, tell, line.waits)
