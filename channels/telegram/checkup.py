"""Looks at one bot once, for `apx doctor`: who it is, and what would hinder it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from aiogram.methods import GetMe, GetWebhookInfo

from channels.telegram.client import Client
from channels.telegram.settings import GroupMode

if TYPE_CHECKING:
    from channels.telegram.settings import BotSettings

_PATIENCE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Looked:
    """A bot's name, and in words what somebody may want to change."""

    username: str
    remarks: tuple[str, ...]


async def look(settings: BotSettings) -> Looked:
    """Ask Telegram about a bot, or raise `ChannelError` or `TimeoutError`.

    `WrongToken` says that Telegram knows no such bot.
    """
    client = Client(settings.token, settings.base_url)
    try:
        me = await client.call(GetMe(), _PATIENCE)
        hook = await client.call(GetWebhookInfo(), _PATIENCE)
    finally:
        await client.close()
    remarks = []
    if settings.webhook is None and hook.url:
        remarks.append("another program set a webhook; `apx run` takes it away")
    reads_all = settings.group_context or settings.group_mode is GroupMode.ALL
    if settings.groups and reads_all and not me.can_read_all_group_messages:
        remarks.append(
            "it is to read all of a group, but its privacy mode hides that: turn it off"
            " with /setprivacy at @BotFather, then add it to the group again"
        )
    if hook.last_error_message and settings.webhook is not None:
        remarks.append(f"the webhook failed last with: {hook.last_error_message}")
    return Looked(me.username or "", tuple(remarks))
