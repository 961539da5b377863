"""What channels keep for themselves: a few values that outlive the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apx.store.database import Database

_PUT: Final = (
    "insert into drawer values (?, ?, ?)"
    " on conflict (channel, key) do update set value = excluded.value"
)


class ChannelDrawer:
    """The drawer of one channel; see `apx.ports.Drawer`."""

    def __init__(self, database: Database, channel: str) -> None:
        self._database = database
        self._channel = channel

    async def get(self, key: str) -> str:
        """Read a value; empty if there is none."""
        found = await self._database.fetch(
            "select value from drawer where channel = ? and key = ?", self._channel, key
        )
        return str(found[0]["value"]) if found else ""

    async def find(self, prefix: str) -> dict[str, str]:
        """Read all values whose key begins so."""
        found = await self._database.fetch(
            "select key, value from drawer where channel = ?1 and key >= ?2"
            " and key < ?2 || char(1114111) order by key",
            self._channel,
            prefix,
        )
        return {row["key"]: row["value"] for row in found}

    async def put(self, key: str, value: str) -> None:
        """Write a value down; once this returns it is on the disk."""
        row = (self._channel, key, value)
        await self._database.write(lambda tx: tx.execute(_PUT, row) and None)

    def put_soon(self, key: str, value: str) -> None:
        """Have a value written without waiting; a crash may lose it."""
        row = (self._channel, key, value)
        self._database.write_soon(lambda tx: tx.execute(_PUT, row))

    async def drop(self, key: str) -> None:
        """Forget a value."""
        row = (self._channel, key)
        sql = "delete from drawer where channel = ? and key = ?"
        await self._database.write(lambda tx: tx.execute(sql, row) and None)
