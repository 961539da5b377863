"""The list of commands of a bot: told to its platform when it has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING

import structlog

from apx.domain.errors import ApxError, ChannelError, Unreachable
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from apx.ports import Drawer
    from channels.shared.waiting import Waits

    # Tells a platform the whole list.
    Teller = Callable[[], Awaitable[object]]

log = structlog.get_logger(__name__)


async def announce(
    drawer: Drawer, key: str, listed: Sequence[object], tell: Teller, waits: Waits
) -> None:
    """Have a list told, unless it was told before; `key` is where that is kept.

    An empty list that never was another is not told: there may be one by hand.
    """
    told = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    try:
        before = await drawer.get(key)
        if before == told or not (listed or before):
            return
        if await _is_told(tell, waits):
            await drawer.put(key, told)
    except (ApxError, OSError) as error:
        log.warning("menu_not_kept", error=type(error).__name__)


async def _is_told(tell: Teller, waits: Waits) -> bool:
    """Tell it until it is taken; false if it is refused."""
    backoff = Backoff(waits.first, waits.longest)
    while True:
        try:
            await tell()
        except (Unreachable, TimeoutError) as error:
            await asyncio.sleep(pause(error, backoff))
        except ChannelError as error:
            log.warning("menu_refused", error=str(error))
            return False
        else:
            return True
