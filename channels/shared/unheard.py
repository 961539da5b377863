"""Rooms that a bot is in although config.json does not name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.untrusted import named
from channels.shared.troubles import GROUP

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.ports import Drawer
    from channels.shared.troubles import Troubles

# Anybody may add a bot to as many rooms as they like.
_MOST: Final = 10


class Unheard:
    """Tells of rooms that are not heard as troubles, with the ids to name them by.

    `told` puts the title and the id of one into words; the drawer keeps them under
    `prefix`.
    """

    def __init__(
        self,
        troubles: Troubles,
        drawer: Drawer,
        prefix: str,
        told: Callable[[str, int], str],
    ) -> None:
        self._troubles = troubles
        self._drawer = drawer
        self._prefix = prefix
        self._told = told
        self._titles: dict[int, str] = {}

    async def load(self, is_meant: Callable[[int], bool]) -> None:
        """Read what an earlier process found, without what config.json has by now."""
        for key, title in (await self._drawer.find(self._prefix)).items():
            room = int(key.removeprefix(self._prefix))
            if is_meant(room):
                await self._drawer.drop(key)
            else:
                self._tell(room, title)

    @property
    def rooms(self) -> frozenset[int]:
        """The ids of all of them."""
        return frozenset(self._titles)

    def title(self, room: int) -> str:
        """Say what a room is called; empty if it is none of these."""
        return self._titles.get(room, "")

    async def keep(self, room: int, title: str) -> bool:
        """Tell of a room; false if nothing new is told.

        The first title stays: one that changes would be told again and again.
        """
        if room in self._titles or len(self._titles) >= _MOST:
            return False
        # Troubles are told apart by semicolons.
        title = named(title).replace(";", ",")
        await self._drawer.put(f"{self._prefix}{room}", title)
        self._tell(room, title)
        return True

    async def forget(self, room: int) -> None:
        """Tell no more of a room."""
        if room in self._titles:
            await self._drawer.drop(f"{self._prefix}{room}")
            del self._titles[room]
            self._troubles.over(f"{GROUP} {room}")

    def _tell(self, room: int, title: str) -> None:
        self._titles[room] = title
        self._troubles.has(f"{GROUP} {room}", self._told(title, room))
