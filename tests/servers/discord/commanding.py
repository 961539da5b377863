"""Routes about slash commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tests.servers.discord.refused import bad, forbidden, invalid

if TYPE_CHECKING:
    from tests.servers.discord.asked import Asked
    from tests.servers.discord.things import Json

_COMMAND: Final = re.compile(r"[-_'\w]{1,32}")


def commands(asked: Asked) -> list[Json]:
    """List the slash commands."""
    _own(asked)
    return asked.bot.commands


def set_commands(asked: Asked) -> list[Json]:
    """Put these slash commands in place of all that there were."""
    _own(asked)
    told = asked.body
    if not isinstance(told, list) or len(told) > 100:
        raise bad(30032, "Maximum number of application commands reached (100)")
    names = [_checked(one) for one in told]
    if len(set(names)) < len(names):
        words = "Application command names must be unique"
        raise invalid("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
    old = {one["name"]: one["id"] for one in asked.bot.commands}
    asked.bot.commands = [
        {"type": 1, "options": []}
        | one
        | {
            "id": old.get(one["name"], str(asked.world.snowflake())),
            "application_id": str(asked.bot.id),
            "version": str(asked.world.snowflake()),
        }
        for one in told
    ]
    return asked.bot.commands


def _own(asked: Asked) -> None:
    if asked.number("app") != asked.bot.id:
        raise forbidden(50001)


def _checked(one: Json) -> str:
    name = str(one.get("name", ""))
    if not _COMMAND.fullmatch(name) or name != name.lower():
        words = "Command name is invalid"
        raise invalid("name", "APPLICATION_COMMAND_INVALID_NAME", words)
    for told in [one, *one.get("options", [])]:
        if not 1 <= len(told.get("description", "")) <= 100:
            words = "Must be between 1 and 100 in length."
            raise invalid("description", "BASE_TYPE_BAD_LENGTH", words)
    return name


ROUTES: Final[dict[str, Any]] = {
    "GET /applications/{app}/commands": commands,
    "PUT /applications/{app}/commands": set_commands,
}
