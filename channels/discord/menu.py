"""The slash commands of a bot, as Discord lists them."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from apx.domain.text import clean, excerpt
from channels.shared import menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.ports import Drawer
    from channels.discord.client import Client
    from channels.discord.settings import Command
    from channels.discord.waits import Waits

# What people write behind a command, as its one option is called.
WORDS: Final = "words"

_MOST: Final = 100
_NAME: Final = re.compile(r"[-\w]{1,32}")
_DESCRIPTION: Final = 100
_LONGEST: Final = 4000
_CHAT_INPUT: Final = 1
_TEXT: Final = 3
# In guilds and in private chats with the bot, for whom it is installed in a guild.
_CONTEXTS: Final = (0, 1)
_IN_GUILDS: Final = (0,)


def fit(commands: Sequence[Command]) -> list[dict[str, Any]]:
    """Give what Discord takes of a list: one that is wrong would spoil all."""
    fitting: dict[str, dict[str, Any]] = {}
    for command in commands:
        name = command.name
        shown = excerpt(clean(command.told), _DESCRIPTION)
        if _NAME.fullmatch(name) and name == name.lower() and shown:
            fitting.setdefault(name, _listed(command, shown))
    return list(fitting.values())[:_MOST]


async def announce(
    client: Client, drawer: Drawer, commands: Sequence[Command], waits: Waits
) -> None:
    """Tell Discord the commands, unless it was told them before."""
    listed = fit(commands)
    tell = partial(
        client.call,
        "PUT",
        "/applications/{application_id}/commands",
        json=listed,
        application_id=client.app_id,
    )
    await menu.announce(drawer, f"menu/{client.app_id}", listed, tell, waits)


def _listed(command: Command, shown: str) -> dict[str, Any]:
    option = {
        "type": _TEXT,
        "name": WORDS,
        "description": "what goes with it",
        "required": False,
        "max_length": _LONGEST,
    }
    return {
        "type": _CHAT_INPUT,
        "name": command.name,
        "description": shown,
        "options": [option] if command.takes_words else [],
        "contexts": list(_CONTEXTS),
        "integration_types": list(_IN_GUILDS),
    }
