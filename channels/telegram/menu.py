"""The list of commands that clients show: told to Telegram when it has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from typing import TYPE_CHECKING, Final

import structlog
from aiogram.methods import SetMyCommands
from aiogram.types import BotCommand

from apx.domain.errors import ApxError, ChannelError, Unreachable
from apx.domain.text import clean, excerpt
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.ports import Drawer
    from channels.telegram.insisting import Line

log = structlog.get_logger(__name__)

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
    told = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    key = f"menu/{line.client.bot_id}"
    try:
        before = await drawer.get(key)
        if before == told or not (listed or before):
            return
        if await _is_told(line, listed):
            await drawer.put(key, told)
    except (ApxError, OSError) as error:
        log.warning("telegram_menu_not_kept", error=type(error).__name__)


async def _is_told(line: Line, listed: Commands) -> bool:
    backoff = Backoff(line.waits.first, line.waits.longest)
    shown = [BotCommand(command=name, description=told) for name, told in listed]
    while True:
        try:
            return await line.client.call(SetMyCommands(commands=shown))
        except (Unreachable, TimeoutError) as error:
            await asyncio.sleep(pause(error, backoff))
        except ChannelError as error:
            log.warning("telegram_menu_refused", error=str(error))
            return False
