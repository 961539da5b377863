"""Requests between their message and their turn: attachments, edits, a room's words."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from apx.domain.attachment import Attachment, Gathered, Medium
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.heard import Caller, Heard, What
from apx.domain.person import Account, Audience
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.aside import MOST
from apx.store.database import Database
from apx.store.gathered import Held
from apx.store.ledger import Ledger
from apx.store.schema import LEDGER
from apx.store.verify import verify

MAIN = Thread("terminal", "main")
ROOM = Thread("telegram", "7:-100")
PHOTO = Attachment(Medium.PHOTO, "ref-1", media_type="image/jpeg", size=12)
SHA = "a" * 64
DONE = Ending(TurnState.COMPLETED, final="done", model="m:m", parts=("done",))


def with_photo(heard, album=""):
    return replace(heard, files=(PHOTO,), album=album)


async def events(database):
    return (await database.fetch("select count(*) as many from event"))[0]["many"]


def gathered(heard, **more):
    return Gathered(heard.key, (replace(PHOTO, sha=SHA),), **more)


async def test_what_is_still_to_come_starts_no_turn(ledger, clock, hear):
    """Nor does what the same person says after it: that may be about it."""
    photo = with_photo(hear(""))
    await ledger.accept(photo)
    await ledger.accept(hear("what is on it?"))

    assert await ledger.begin(MAIN, clock()) is None

    await ledger.gather([gathered(photo)], clock())
    turn = await ledger.begin(MAIN, clock())
    assert (turn.request, turn.files[0].sha) == ("what is on it?", SHA)


async def test_somebody_else_does_not_wait_for_it(ledger, clock, hear):
    """A long recording in a room must not keep all others waiting."""
    room = {"audience": Audience.room(ROOM), "thread": ROOM}
    await ledger.accept(replace(with_photo(hear("look")), person="ana", **room))
    await ledger.accept(replace(hear("hello"), person="bob", **room))

    turn = await ledger.begin(ROOM, clock())

    assert (turn.person, turn.request) == ("bob", "hello")


async def test_an_album_is_one_turn(ledger, clock, hear):
    """With its one caption, and its pictures in the order in which they came."""
    photos = [with_photo(hear(text), album="x") for text in ("", "our trip", "")]
    for photo in photos:
        await ledger.accept(photo)

    await ledger.gather([gathered(photo) for photo in photos], clock())
    turn = await ledger.begin(MAIN, clock())

    assert turn.request == "our trip"
    assert len(turn.files) == 3
    assert await ledger.waiting() == []


async def test_what_is_held_is_known_to_the_next_process(ledger, clock, hear):
    """And what was gathered is held no longer, however often it is told."""
    photo = with_photo(hear("look"), album="x")
    await ledger.accept(photo)

    assert await ledger.held() == [Held.of(photo)]

    await ledger.gather([gathered(photo, added="spoken")], clock())
    await ledger.gather([gathered(photo, added="spoken")], clock())
    turn = await ledger.begin(MAIN, clock())
    assert await ledger.held() == []
    assert turn.request == "look\nspoken"


async def test_an_edit_before_its_turn_replaces_the_message(ledger, clock, hear):
    """What was read from its attachments stays with it."""
    voice = with_photo(hear("caption"))
    await ledger.accept(voice)
    await ledger.gather([gathered(voice, added="spoken")], clock())

    assert await ledger.edit(replace(voice, text="better caption"), "1")
    turn = await ledger.begin(MAIN, clock())

    assert turn.request == "better caption\nspoken"


async def test_a_later_edit_is_told_to_the_next_turn(ledger, clock, hear, database):
    """It starts none; the newest counts, once; the log gives the same tables."""
    heard = hear("dinner is at five")
    await ledger.accept(heard)
    turn = await ledger.begin(MAIN, clock())
    await ledger.end(turn, DONE, clock())

    assert await ledger.edit(replace(heard, text="dinner is at six"), "1")
    assert await ledger.edit(replace(heard, text="dinner is at seven"), "2")
    assert await ledger.begin(MAIN, clock()) is None
    await ledger.accept(hear("when is dinner?"))
    second = await ledger.begin(MAIN, clock())
    await ledger.end(second, DONE, clock())
    await ledger.accept(hear("thanks"))
    third = await ledger.begin(MAIN, clock())

    assert "dinner is at seven" in second.request
    assert second.request.endswith("when is dinner?")
    assert third.request == "thanks"
    assert await verify(database.path) == []


@pytest.mark.parametrize("text", ["tea at five", "tea at five "])
async def test_an_edit_that_changes_nothing_is_none(ledger, hear, database, text):
    """Telegram tells of edits when a link gets its preview."""
    heard = hear("tea at five")
    await ledger.accept(heard)
    before = await events(database)

    assert await ledger.edit(replace(heard, text=text), "1")
    assert await events(database) == before


async def test_the_same_edit_twice_is_one(ledger, clock, hear, database):
    """Also when a turn took the message in between, and so it means something else."""
    heard = hear("a")
    await ledger.accept(heard)
    for text, revision in (("b", "1"), ("c", "2")):
        assert await ledger.edit(replace(heard, text=text), revision)
    turn = await ledger.begin(MAIN, clock())
    before = await events(database)
    for text, revision in (("b", "1"), ("c", "2")):
        assert await ledger.edit(replace(heard, text=text), revision)

    assert turn.request == "c"
    assert await events(database) == before
    assert not await ledger.edit(replace(heard, external_id="nobody", text="b"), "1")


async def test_what_was_withdrawn_meanwhile_stays_away(ledger, clock, hear, database):
    """A person may be erased while their voice message is still being read."""
    voice = with_photo(hear("secret"))
    await ledger.accept(voice)
    await ledger.withdraw(MAIN, voice.key, clock())
    before = await events(database)

    assert await ledger.gather([gathered(voice, added="spoken")], clock()) == []
    assert await events(database) == before


def overheard(clock, number, text="chatter", group="-100"):
    caller = Caller(Account("telegram", "7", "5"), ROOM, "Bob", group)
    return Heard(caller, text, clock(), f"o{number}", What.CONTEXT)


async def test_a_rooms_words_come_with_the_next_question(ledger, clock, hear):
    """As others' words, the newest of them, and only once."""
    for number in range(MOST + 5):
        await ledger.overhear(overheard(clock, number, f"word {number}"))
    room = {"audience": Audience.room(ROOM), "thread": ROOM}
    await ledger.accept(replace(hear("what do they say?"), **room))

    turn = await ledger.begin(ROOM, clock())
    await ledger.end(turn, DONE, clock())
    await ledger.accept(replace(hear("and now?"), **room))
    second = await ledger.begin(ROOM, clock())

    assert len(turn.quoted) == MOST
    assert turn.quoted[-1] == Quoted(
        Provenance.OVERHEARD, "Bob", f"word {MOST + 4}", "telegram:7:5"
    )
    assert second.quoted == ()


async def test_yesterdays_words_are_not_context(ledger, clock, hear):
    """And a password in a room's words is masked like any other."""
    old = overheard(clock, 1, "old news")
    await ledger.overhear(replace(old, at=old.at - timedelta(hours=25)))
    await ledger.overhear(overheard(clock, 2, "the password is: hunter2-Xy7!q"))
    room = {"audience": Audience.room(ROOM), "thread": ROOM}
    await ledger.accept(replace(hear("hm?"), **room))

    turn = await ledger.begin(ROOM, clock())

    assert len(turn.quoted) == 1
    assert "hunter2" not in turn.quoted[0].text


async def test_a_conversation_keeps_the_model_that_was_chosen(tmp_path, clock, hear):
    """Until its chat is somebody else's: what they chose is nobody's then."""
    async with Database.open(tmp_path / "ledger.db", LEDGER) as database:
        ledger = Ledger(database)
        await ledger.record(chosen(clock, "ollama:one"))
        await ledger.accept(hear("hello"))
        turn = await ledger.begin(MAIN, clock())
        assert turn
        await ledger.end(turn, DONE, clock())
        kept = await ledger.model_of(MAIN)
        bobs = Audience.private("bob")
        await ledger.accept(replace(hear("hi"), person="bob", audience=bobs))
        await ledger.begin(MAIN, clock())

        assert (kept, await ledger.model_of(MAIN)) == ("ollama:one", "")
    assert await verify(tmp_path / "ledger.db") == []


def chosen(clock, model):

    return Event(EventKind.MODEL, "model/1", clock(), {"model": model}, str(MAIN))
