"""What may be asked of the owner about forgetting for good.

What forgets is loaded when something is forgotten; most processes never do.
"""
# ruff: noqa: PLC0415 -- as above

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from apx.agent.tools.notes import choose
from apx.desk.people_calls import person_of
from apx.desk.theirs import known_thread, visible
from apx.domain.erased_text import told
from apx.domain.errors import InputError
from apx.domain.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.erasing import Erasure
    from apx.domain.note import Note
    from apx.wiring import House

Json = Any


async def forget(house: House, args: Mapping[str, Json]) -> Json:
    """Erase the one note that is meant, with what says the same; or a text."""
    from apx.domain.erasing import ErasePassage
    from apx.domain.passage import is_quoted, is_telling

    what, audiences = clean(args["what"]).strip(), await visible(house)
    if is_quoted(what):  # as in a chat
        return await _done(house, ErasePassage(what[1:-1], audiences), args)
    chosen: list[Note] = []
    if what.isdecimal() or not args["everywhere"]:
        chosen = choose(await house.memory.books.every(audiences), what)
    if len(chosen) > 1:
        raise InputError(f"{len(chosen)} notes match; `apx memory notes` lists them")
    if what.isdecimal() and not chosen and not args["everywhere"]:
        raise InputError(f"there is no note {what}; `apx memory notes` lists them")
    if not chosen and not args["everywhere"] and not is_telling(what):
        raise InputError(
            f"no note matches {what[:40]!a}; to erase these very words wherever they"
            " stand, say --everywhere"
        )
    text = chosen[0].text if chosen else what
    done = await _done(house, ErasePassage(text, audiences), args)
    if not chosen and not done["said"]:
        raise InputError(
            f"no note matches {what[:40]!a}, and nothing that was said holds it"
        )
    return done


async def erase_thread(house: House, args: Mapping[str, Json]) -> Json:
    """Erase a conversation, and the notes that were made in it unless these stay."""
    from apx.domain.erasing import EraseThread

    thread = await known_thread(house, args["thread"])
    if house.gateway.runs.get(thread) is not None:
        raise InputError(f"an answer is being written in {thread}; stop it first")
    audiences = await visible(house)
    wish = EraseThread(str(thread), audiences, keep_notes=args["keep_notes"])
    return await _done(house, wish, args)


async def erase_person(house: House, args: Mapping[str, Json]) -> Json:
    """Erase a person, and all that they said."""
    from apx.domain.erasing import ErasePerson

    person = await person_of(house, args["person"])
    return await _done(house, ErasePerson(person.key), args)


async def _done(house: House, wish: Erasure, args: Mapping[str, Json]) -> Json:
    forgetting = house.memory.forgetting
    if args["dry_run"]:
        removed = await forgetting.preview(wish)
    else:
        removed = await forgetting.erase(wish)
    said = told(removed, will=args["dry_run"])
    return {**asdict(removed), "said": not removed.is_nothing, "told": said}
