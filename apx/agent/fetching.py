"""Brings an attachment from its platform to the disk, or finds words for why not."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError, HomeError, InputError, Unreachable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.attachment import Attachment
    from apx.domain.thread import Thread
    from apx.ports import Channel
    from apx.store.files import Files

log = structlog.get_logger(__name__)

# So much of one attachment is kept.
MOST: Final = 20_000_000
_AT_ONCE: Final = 4
_AGAIN: Final = 5.0


class Fetching:
    """Fetches for at most so many seconds each."""

    def __init__(
        self, files: Files, channels: Mapping[str, Channel], seconds: float
    ) -> None:
        self._files = files
        self._channels = channels
        self._seconds = seconds
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def fetched(self, thread: Thread, file: Attachment) -> Attachment:
        """Fetch a file; what fails for a moment is tried until it took too long."""
        why = "it could not be fetched in time"
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    try:
                        return await self._tried(thread, file)
                    except HomeError as error:
                        log.warning("file_not_kept", error=str(error))
                        why = "there is no room for it here now"
                    except (Unreachable, TimeoutError):
                        why = "it could not be fetched in time"
                    await asyncio.sleep(_AGAIN)
        except (ChannelError, InputError) as error:
            return replace(file, note=str(error))
        except TimeoutError:
            return replace(file, note=why)
        except Exception:  # a channel's fault must not end the others
            log.exception("file_not_fetched")
            return replace(file, note="it could not be fetched")

    async def _tried(self, thread: Thread, file: Attachment) -> Attachment:
        # Of each bot so many at once: one that is dead must not keep others waiting.
        bot = f"{thread.channel}:{thread.place.partition(':')[0]}"
        async with self._slots.setdefault(bot, asyncio.Semaphore(_AT_ONCE)):
            source = self._channels[thread.channel].fetch(thread, file)
            kept = await self._files.keep(source, MOST)
        return replace(file, sha=kept.sha, size=kept.size)
