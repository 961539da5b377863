"""Who is in a group now, as Telegram says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from aiogram.methods import GetChatMember

from apx.domain.errors import Undeliverable
from channels.shared.failures import Rejected

if TYPE_CHECKING:
    from channels.telegram.client import Client

_INSIDE: Final = frozenset({"creator", "administrator", "member"})


async def is_inside(client: Client, chat: int, user: int) -> bool:
    """Whether a user can read a group, or raise `ChannelError`."""
    try:
        member = await client.call(GetChatMember(chat_id=chat, user_id=user))
    except (Rejected, Undeliverable):
        return False
    is_restricted = getattr(member, "is_member", False)  # only those have it
    return str(member.status) in _INSIDE or bool(is_restricted)
