"""How the curated memories follow what is forgotten."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol

from apx.domain.erasing import EraseNames, ErasePassage, ErasePerson
from apx.domain.errors import HomeError, InputError
from apx.domain.memory_file import key_of
from apx.domain.passage import Needle, is_telling
from apx.domain.person import OWNERS_OWN
from apx.store.erase_open import OpenWish

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from apx.domain.erasing_lines import Told
    from apx.memory.forgetting import Rooms
    from apx.memory.forgetting_places import Report
    from apx.store.erase import Eraser
    from apx.store.erase_survey import Survey


# What comes before the words of an id; so many of them are a title, and no word.
_DATED: Final = re.compile(r"[a-z]-\d{4}-\d\d-\d\d-")
_TELLING: Final = 3


class Curated(Protocol):
    """The store of curated memories."""

    async def telling(
        self, told: Told, audiences: Collection[str], noted: Collection[str]
    ) -> list[str]:
        """Name those of some audiences that say it, or were made of a note."""
        ...

    async def of_person(self, person: str) -> list[str]:
        """Name those that are one person's alone, or were proposed by them."""
        ...

    async def purge(self, names: Collection[str], texts: Collection[str]) -> int:
        """Take memories out of files and history, and earlier versions that say texts.

        Gives how many memories that concerned. Raises `InputError` where it fails.
        """
        ...

    async def unreached(self) -> list[str]:
        """Say which copies of it are elsewhere."""
        ...


async def count(rooms: Rooms, one: OpenWish, survey: Survey, report: Report) -> None:
    """Say how many would go."""
    report.memories = len(await _names(rooms, one, survey))


async def take(
    rooms: Rooms, eraser: Eraser, one: OpenWish, survey: Survey, report: Report
) -> None:
    """Purge them with their history; what cannot be is said, and tried again.

    Their ids are to be forgotten next: the report says so, and so does the ledger
    should this process be killed.
    """
    if rooms.curated is None or isinstance(one.wish, EraseNames):
        return
    names, texts = await _names(rooms, one, survey), _texts(one)
    if not (names or texts):
        return
    ids = await _ids(eraser, one, names)
    try:
        for also in ids:
            await eraser.keep(also)
        if many := await rooms.curated.purge(names, texts):
            report.memories += many
            report.unreached = await rooms.curated.unreached()
        report.named += ids
    except InputError as error:
        why = "; until then the curated memories may say it, and apx tries again"
        report.left.append(f"{error}{why}")


async def _ids(eraser: Eraser, one: OpenWish, names: Sequence[str]) -> list[OpenWish]:
    """Wish to forget ids as they are told: whole, or the words at their end."""
    if not names:
        return []
    ends = [_DATED.sub("", name, count=1) for name in names]
    text = "\n".join([*names, *(e for e in ends if len(e.split("-")) >= _TELLING)])
    wish = EraseNames(text, await eraser.audiences())
    # The same again is the same wish.
    name = sha256(text.encode()).hexdigest()
    return [OpenWish(name, wish, one.at, is_kept=True)]


async def _names(rooms: Rooms, one: OpenWish, survey: Survey) -> list[str]:
    if rooms.curated is None:
        return []
    told = _told(one, survey)
    noted = [
        text
        for audience in sorted(survey.audiences)
        for text in await _noted(rooms, audience, told)
    ]
    found = await rooms.curated.telling(told, survey.audiences, noted)
    if isinstance(one.wish, ErasePerson):
        found += await rooms.curated.of_person(one.wish.key)
    return list(dict.fromkeys(found))


def _told(one: OpenWish, survey: Survey) -> Told:
    """Say by what they are found; once it was done only what came late counts."""
    is_over = one.begun and not one.is_behind and not survey.seqs
    if isinstance(one.wish, ErasePassage) and not is_over:
        # A model under way keeps memories without an event of their own.
        return replace(survey.told, holds=Needle(one.wish.text).holds)
    return survey.told


def _texts(one: OpenWish) -> list[str]:
    """Give what no earlier version may say; looking for it is dear, and done once.

    What one word says, others may say, too; and the history is the owner's to change.
    """
    if not isinstance(one.wish, ErasePassage) or (one.begun and not one.is_behind):
        return []
    is_owners = str(OWNERS_OWN) in one.wish.audiences and not one.wish.person
    return [one.wish.text] if is_owners and is_telling(one.wish.text) else []


async def _noted(rooms: Rooms, audience: str, told: Told) -> list[str]:
    """Give the notes that go, as they are: memories name them by that."""
    if not told.keys:
        return []
    try:
        notes = await rooms.books.of(audience).sync()
    except HomeError:
        # Whoever takes its lines says so.
        return []
    return [note.text for note in notes if key_of(note.text) in told.keys]
