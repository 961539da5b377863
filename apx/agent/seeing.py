"""The pictures that a turn's model is shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from apx.domain.attachment import Medium
from apx.domain.errors import HomeError, InputError, StoreError
from apx.providers.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from apx.domain.attachment import Attachment
    from apx.domain.history import View
    from apx.domain.message import Image
    from apx.domain.turn import Turn
    from apx.store.files import Files

    Pictures = Callable[[Turn, View], Awaitable[tuple[Image, ...]]]

# An album has ten; more cost more than they tell.
_MOST: Final = 10
# "And what colour is the car?" is about a picture of the turns just before.
_BACK: Final = 2
_AGAIN: Final = 2


async def unseen(turn: Turn, view: View) -> tuple[Image, ...]:
    """Show nothing."""
    del turn, view
    return ()


class Seeing:
    """Reads the pictures of a turn from the files that people sent."""

    def __init__(self, files: Files) -> None:
        self._files = files

    async def pictures(self, turn: Turn, view: View) -> tuple[Image, ...]:
        """Give a turn's own pictures, else those of the turns just before it."""
        before = (past.turn for past in reversed(view.past[-_BACK:]))
        for one, most in ((turn, _MOST), *((one, _AGAIN) for one in before)):
            shas = [file.sha for file in one.files if is_picture(file)]
            if shas:
                return await asyncio.to_thread(self._read, shas[:most])
        return ()

    def _read(self, shas: list[str]) -> tuple[Image, ...]:
        return tuple(self._images(shas))

    def _images(self, shas: list[str]) -> Iterator[Image]:
        for sha in shas:
            try:
                yield picture(self._files.read(sha))
            except (HomeError, InputError, StoreError):
                continue  # it was forgotten, is damaged, or no model takes it


def is_picture(file: Attachment) -> bool:
    """Whether an attachment was kept, and looks like something to be seen."""
    is_image = file.media_type.startswith("image/")
    return bool(file.sha) and (file.medium is Medium.PHOTO or is_image)
