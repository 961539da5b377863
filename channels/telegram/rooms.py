"""Groups as they change: bots come and go, ids move, config.json names them or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from channels.shared.raw import Raw, maybe_number, part, word
from channels.shared.unheard import Unheard
from channels.telegram.settings import GroupMode

if TYPE_CHECKING:
    from apx.ports import Drawer
    from channels.telegram.insisting import Line
    from channels.telegram.places import Places
    from channels.telegram.settings import BotSettings

log = structlog.get_logger(__name__)

_GROUPS: Final = frozenset({"group", "supergroup"})
_GONE: Final = frozenset({"left", "kicked"})


class Rooms:
    """The groups of one bot, and which of them it is in without hearing them."""

    def __init__(
        self, line: Line, settings: BotSettings, places: Places, drawer: Drawer
    ) -> None:
        self._key = f"{line.key.rpartition('.')[0]}.groups"
        self._settings = settings
        self._places = places
        prefix = f"groups/{line.client.bot_id}/"
        self._unheard = Unheard(line.troubles, drawer, prefix, self._told)

    async def load(self) -> None:
        """Read what an earlier process found, without what config.json has by now."""
        await self._unheard.load(self._is_meant)

    async def changed(self, change: Raw) -> None:
        """Take note that the bot was added or removed."""
        chat, member = part(change, "chat"), part(change, "new_chat_member")
        number, status = maybe_number(chat, "id"), word(member, "status")
        is_gone = status in _GONE or member.get("is_member") is False
        event = "telegram_removed" if is_gone else "telegram_member"
        log.info(event, chat=number, status=status)
        if is_gone:
            await self._unheard.forget(number)
        else:
            await self.spoken(chat)

    async def spoken(self, chat: Raw) -> None:
        """Take note that something in a chat is for the bot."""
        number = maybe_number(chat, "id")
        if word(chat, "type") in _GROUPS and not self._is_meant(number):
            await self._keep(number, word(chat, "title"))

    async def moved(self, message: Raw) -> None:
        """Take note that a group has another id; both chats say so."""
        here = maybe_number(part(message, "chat"), "id")
        if new := maybe_number(message, "migrate_to_chat_id"):
            await self._moved(here, new)
        if old := maybe_number(message, "migrate_from_chat_id"):
            await self._moved(old, here)

    async def _moved(self, old: int, new: int) -> None:
        await self._places.migrated(old, new)
        if title := self._unheard.title(old):
            if not self._is_meant(new):
                await self._keep(new, title)
            await self._unheard.forget(old)

    def _is_meant(self, chat: int) -> bool:
        """Whether config.json says what is heard there, by any id that counts."""
        first = self._places.thread(chat).place.rpartition(":")[2]
        is_off = self._settings.group_mode is GroupMode.OFF
        return is_off or not self._settings.groups.isdisjoint({str(chat), first})

    async def _keep(self, chat: int, title: str) -> None:
        if await self._unheard.keep(chat, title):
            log.warning("telegram_group_unheard", chat=chat)

    def _told(self, title: str, chat: int) -> str:
        return (
            f'in the group "{title}" ({chat}), which {self._key} does not have:'
            " nothing there is heard"
        )
