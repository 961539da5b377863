"""What was said already: looked for in the channel, as Discord forgets nonces soon."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import structlog

from apx.domain.errors import Undeliverable, Unreachable
from channels.discord.failures import MALFORMED, Rejected

if TYPE_CHECKING:
    from collections.abc import Collection

    from channels.discord.client import Client
    from channels.discord.message import Message
    from channels.discord.threads import Where

log = structlog.get_logger(__name__)

_PATIENCE: Final = 10.0
_PAGE: Final = 100
_PAGES: Final = 5
_MESSAGES: Final = "/channels/{channel_id}/messages"


class Repeats:
    """Finds messages of one bot by their very words."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def found(
        self, where: Where, message: Message, after: int, known: Collection[str]
    ) -> int | None:
        """Give the message that says it, of those that came after another one.

        None if there is none but the `known` ones, or if nobody may look there.
        `Unreachable` says that it cannot be found out now.
        """
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._looked(where, message, after, known)
        except (Rejected, Undeliverable, *MALFORMED) as error:
            log.info("discord_repeat_unknown", error=type(error).__name__)
            return None
        except TimeoutError as error:
            failure = Unreachable(f"nobody knows what was said there ({error})")
        raise failure

    async def _looked(
        self, where: Where, message: Message, after: int, known: Collection[str]
    ) -> int | None:
        for _ in range(_PAGES):
            query = {"limit": _PAGE} | ({"after": after} if after else {})
            page = await self._client.call(
                "GET",
                _MESSAGES,
                query=query,
                timeout=_PATIENCE,
                channel_id=where.channel_id,
            )
            for said in sorted(page, key=lambda one: int(one["id"])):
                if said["id"] in known or not self._is_ours(said, message, where):
                    continue
                if _says(said, message):
                    return int(said["id"])
            if len(page) < _PAGE or not after:
                return None
            after = max(int(one["id"]) for one in page)
        return None

    def _is_ours(self, said: Any, message: Message, where: Where) -> bool:  # noqa: ANN401 -- JSON
        """Whether we said it, and not in answer to something else."""
        if int(said["author"]["id"]) != self._client.app_id:
            return False
        answered = (said.get("message_reference") or {}).get("message_id")
        # It may have been sent without, where it could not be a reply.
        return answered is None or int(answered) == (message.reply_to or where.reply_to)


def _says(said: Any, message: Message) -> bool:  # noqa: ANN401 -- JSON
    if message.file is None:
        return bool(said["content"].strip() == message.content.strip())
    return message.file.name in [one["filename"] for one in said["attachments"]]
