"""Threads as places: who may see each, and which are rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from apx.store.database import Database


class Threads:
    """Tells private chats from rooms, and whose they are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def audience_of(self, thread: Thread) -> str | None:
        """Say who may see a thread that has turns."""
        found = await self._database.fetch(
            "select audience from thread where name = ? and last_turn > 0", str(thread)
        )
        return found[0]["audience"] if found else None

    async def rooms(self, channel: str, bot: str) -> list[str]:
        """Name the threads of a bot that several people read."""
        found = await self._database.fetch(
            "select name from thread where audience >= 'room:' and audience < 'room;'"
            " and name >= ?1 and name < ?2",
            f"{channel}:{bot}:",
            f"{channel}:{bot};",
        )
        return [row["name"] for row in found]

    async def private_threads(self, person: str, limit: int) -> list[str]:
        """Name a person's private threads that spoke last, the latest first."""
        found = await self._database.fetch(
            "select name from thread where audience = ?1 and (name like 'terminal:%'"
            " or exists (select 1 from account a where a.person = ?3 and thread.name >="
            " a.channel || ':' || a.bot || ':' and thread.name <"
            " a.channel || ':' || a.bot || ';')) order by last_turn desc limit ?2",
            f"private:{person}",
            limit,
            person,
        )
        return [row["name"] for row in found]
