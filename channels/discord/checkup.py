"""Looks at one bot once, for `apx doctor`: who it is, and what would hinder it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import discord
from yarl import URL

from apx.domain.untrusted import named
from channels.discord.client import Client
from channels.discord.raw import maybe_snowflake
from channels.shared.raw import parts, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.discord.settings import BotSettings

_PATIENCE: Final = 10.0
_PAGE: Final = 200
_PAGES: Final = 10
# Switched on: with Discord's leave, or for a bot that is in few guilds.
_CONTENT: Final = 1 << 18 | 1 << 19
# The least that the bot can do with.
PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    attach_files=True,
).value
_INVITATION: Final = URL("https://discord.com/oauth2/authorize")


@dataclass(frozen=True, slots=True)
class Looked:
    """A bot's name, how to invite it, and in words what somebody may want to change."""

    username: str
    invite: str
    remarks: tuple[str, ...]


async def look(settings: BotSettings) -> Looked:
    """Ask Discord about a bot, or raise `ChannelError` or `TimeoutError`.

    `WrongToken` says that Discord knows no such bot.
    """
    client = Client(settings.token)
    try:
        await client.login()
        about = await client.call("GET", "/applications/@me", timeout=_PATIENCE)
        guilds = await _guilds(client)
        user = client.vendor.user
    finally:
        await client.close()
    told = about if isinstance(about, dict) else {}
    remarks = (*_switches(told), *_differences(settings.guilds, guilds))
    return Looked(named(user.name) if user else "", invite(client.app_id), remarks)


def invite(app_id: int) -> str:
    """Give the address where somebody takes a bot into their guild."""
    return str(
        _INVITATION.with_query(
            client_id=str(app_id),
            scope="bot applications.commands",
            permissions=str(PERMISSIONS),
        )
    )


def _switches(about: dict[str, Any]) -> Iterator[str]:
    """Say what in the developer portal keeps the bot from hearing."""
    flags = about.get("flags")
    if not (isinstance(flags, int) and flags & _CONTENT):
        yield (
            "it may not read what is not for it: switch on Message Content Intent under"
            " Bot > Privileged Gateway Intents in the developer portal"
        )
    if about.get("interactions_endpoint_url"):
        yield (
            "no commands and buttons arrive: empty Interactions Endpoint URL under"
            " General Information in the developer portal"
        )


def _differences(wanted: frozenset[str], guilds: dict[str, str]) -> Iterator[str]:
    if not guilds:
        yield "it is in no server yet: nobody can write to it before you add it to one"
    for number in sorted(wanted - guilds.keys()):
        yield f"it is not in the server {number}, which `guilds` names"
    for number in sorted(guilds.keys() - wanted):
        yield (
            f"it is in the server {number} ({guilds[number]}), but does not listen"
            " there: `guilds` does not name it"
        )


async def _guilds(client: Client) -> dict[str, str]:
    """Give the names of the guilds that a bot is in, by their ids."""
    found: dict[str, str] = {}
    after = "0"
    for _ in range(_PAGES):
        page = await client.call(
            "GET",
            "/users/@me/guilds",
            query={"limit": _PAGE, "after": after},
            timeout=_PATIENCE,
        )
        read = {
            str(number): named(word(one, "name"))
            for one in parts({"": page}, "")
            if (number := maybe_snowflake(one, "id"))
        }
        found |= read
        if len(read) < _PAGE:
            break
        after = max(read, key=int)
    return found
