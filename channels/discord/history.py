"""The messages of a channel as Discord keeps them, oldest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from channels.discord.raw import maybe_snowflake
from channels.shared.raw import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from channels.discord.client import Client
    from channels.shared.raw import Raw

_PAGE: Final = 100
_PAGES: Final = 5


@dataclass(frozen=True, slots=True)
class Found:
    """Messages in their order; `is_whole` says that none is missing."""

    messages: list[Raw]
    is_whole: bool


class History:
    """Asks for what was said in a channel."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def since(
        self, channel: int, floor: int, wants: Callable[[Raw], bool]
    ) -> Found:
        """Find the messages after one; where there are too many, first and last ones.

        Only those that are wanted are kept.
        """
        page = await self._page(channel, {"after": str(floor)})
        found = {number: raw for number, raw in page.items() if wants(raw)}
        is_whole = len(page) < _PAGE
        least, before = max(page, default=floor), ""
        for _ in range(0 if is_whole else _PAGES - 1):
            page = await self._page(channel, {"before": before} if before else {})
            newer = {number: raw for number, raw in page.items() if number > least}
            found |= {number: raw for number, raw in newer.items() if wants(raw)}
            if len(newer) < _PAGE:
                is_whole = True
                break
            before = str(min(newer))
        return Found([found[number] for number in sorted(found)], is_whole)

    async def has(
        self, channel: int, floor: int, until: int, wants: Callable[[Raw], bool]
    ) -> bool:
        """Whether something that is wanted was said between two messages.

        Where there is more than a page of it, nobody looks further.
        """
        page = await self._page(channel, {"after": str(floor)})
        between = [raw for number, raw in page.items() if number < until]
        return any(map(wants, between)) or len(between) == _PAGE

    async def _page(self, channel: int, bound: dict[str, Any]) -> dict[int, Raw]:
        said = await self._client.call(
            "GET",
            "/channels/{channel_id}/messages",
            query={"limit": _PAGE} | bound,
            channel_id=channel,
        )
        return {maybe_snowflake(raw, "id"): raw for raw in parts({"": said}, "")}
