"""Answers to interactions: they have three seconds, and wait behind nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from discord.http import Route

from apx.domain.errors import Unreachable
from channels.discord.failures import (
    STRUCK,
    Rejected,
    blocked,
    told,
    translated,
    troubled,
)
from channels.shared.failures import Answered

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

_PATIENCE: Final = 10.0
_REFUSED: Final = 400


class Interactions:
    """Speaks by the token that an interaction brought, which is over after 15 minutes.

    `Rejected` says that it is over, or that Discord does not take it so; nothing here
    can be sent twice by itself.
    """

    def __init__(self, session: aiohttp.ClientSession, app_id: int) -> None:
        self._session = session
        self._app_id = app_id

    async def followup(self, token: str, payload: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        """Say one thing more, and give the message."""
        path = f"/webhooks/{self._app_id}/{quote(token, safe='')}?wait=true"
        return await self._asked("POST", path, payload, "to follow up")

    async def edit_original(self, token: str, payload: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        """Put something in place of the first answer, and give the message."""
        return await self._asked("PATCH", self._original(token), payload, "to edit")

    async def delete_original(self, token: str) -> None:
        """Take the first answer away."""
        await self._asked("DELETE", self._original(token), None, "to delete")

    def _original(self, token: str) -> str:
        return f"/webhooks/{self._app_id}/{quote(token, safe='')}/messages/@original"

    async def _asked(
        self, method: str, path: str, payload: Mapping[str, Any] | None, deed: str
    ) -> Any:  # noqa: ANN401 -- JSON
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._said(method, path, payload, deed)
        except (Answered, Rejected, Unreachable):
            raise
        except STRUCK as error:
            # What has an address with a token in it stays here.
            failure = translated(error, deed)
        raise failure

    async def _said(
        self, method: str, path: str, payload: Mapping[str, Any] | None, deed: str
    ) -> Any:  # noqa: ANN401 -- JSON
        url = Route.BASE + path
        async with self._session.request(method, url, json=payload) as answer:
            status, headers = answer.status, answer.headers
            trouble = troubled(status, headers, deed) or blocked(status, headers)
            if trouble is not None:
                raise trouble
            body = await _body(answer)
            if status >= _REFUSED:
                code = body.get("code")
                number = code if isinstance(code, int) else 0
                raise Rejected(told(body.get("message")), number, status)
            return body


async def _body(answer: aiohttp.ClientResponse) -> dict[str, Any]:
    """Read an object; nothing of what is none."""
    try:
        found = await answer.json(content_type=None)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
