"""Forgetting in the ledger: nothing of it is left, and the log still says all else."""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from apx.domain.compaction import Compaction, is_due
from apx.domain.ending import Ending
from apx.domain.erasing import ErasePassage, ErasePerson, EraseThread
from apx.domain.errors import InputError, StoreError
from apx.domain.event import Event, EventKind
from apx.domain.passage import Needle
from apx.domain.person import Account, Audience, Role
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, TurnState
from apx.store.database import Database
from apx.store.erase import Eraser
from apx.store.erase_open import OpenWish
from apx.store.erase_passage import Seen
from apx.store.history import History
from apx.store.notes import Notes
from apx.store.people import Kept, People
from apx.store.people_moves import linked
from apx.store.schema import LEDGER
from apx.store.verify import verify
from tests.store.lives import LIVES, MINE, PASSAGE, PLACES, ROOM, Life

ALL = tuple(PLACES.values())


def texts(path):
    """Read every text of the tables that persons or models wrote."""
    with closing(sqlite3.connect(path)) as connection:
        for table in ("event", "request", "turn", "outbox", "note", "candidate"):
            for row in connection.execute(f"select * from {table}"):  # noqa: S608 -- of these
                yield from (v for v in row if isinstance(v, str))


def names(path):
    """Read what says how persons are called: others know them by that."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "select body from event"
            " where kind in ('person', 'account', 'account_end', 'role')"
        )
        return [row[0] for row in found]


def opened(wish, life):
    return OpenWish("w", wish, life.now())


async def erased(database, wish, life):
    eraser = Eraser(database)
    survey = await eraser.survey(wish)
    done = await eraser.erase(opened(wish, life), survey.seen, life.now())
    assert survey.removed == done.removed
    return done


async def add_ana(life):
    body = {"key": "ana", "role": "member", "name": "Ana"}
    await life.ledger.record(Event(EventKind.PERSON, "ana", life.now(), body))


async def lived(directory, steps, wish, more):
    path = Path(directory) / "ledger.db"
    async with Database.open(path, LEDGER) as database:
        life = Life(database)
        await add_ana(life)
        await life.live(steps)
        assert await verify(path) == []
        before = await database.fetch("select max(seq) from event")
        if isinstance(wish, EraseThread | ErasePerson) and await refused(
            database, wish
        ):
            return
        await erased(database, wish, life)
        assert await verify(path) == []
        assert (await database.fetch("select max(seq) from event"))[0][0] >= before[0][
            0
        ]
        check(path, wish)
        again = await erased(database, wish, life) if more else None
        if again is not None:
            assert again.seqs == ()
        for heard in life.heard:
            if not isinstance(wish, EraseThread | ErasePerson):
                await life.ledger.accept(heard)
        await life.live(steps)
        assert await verify(path) == []


async def refused(database, wish):
    """Say whether an answer is being written there, or there is no such thread."""
    try:
        await Eraser(database).survey(wish)
    except InputError:
        return True
    return False


def check(path, wish):
    if isinstance(wish, ErasePassage):
        needle = Needle(PASSAGE)
        said = set(texts(path)) - set(names(path))
        assert [t for t in said if needle.may_hold(t) and needle.holds(t)] == []
        assert [t for t in said if PASSAGE in t and "77411" not in t] == []
    if isinstance(wish, EraseThread):
        assert wish.name not in set(texts(path))


LIFE = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@LIFE
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_passage_was_forgotten(steps):
    """Cutting it out of the log and out of the tables comes to the same."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(lived(directory, steps, ErasePassage(PASSAGE, ALL), more=True))


@LIFE
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_thread_was_forgotten(steps):
    """With its notes or without; other threads and the newest `seq` stay."""
    with tempfile.TemporaryDirectory() as directory:
        wish = EraseThread("terminal:main", ALL, keep_notes=len(steps) % 2 == 0)
        asyncio.run(lived(directory, steps, wish, more=False))


@LIFE
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_person_was_forgotten(steps):
    """Wherever they spoke, and whichever accounts were theirs."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(lived(directory, steps, ErasePerson("ana"), more=False))


@pytest.fixture
async def life(database):
    life = Life(database)
    await add_ana(life)
    return life


async def test_the_log_stays_closed_to_everybody_else(database, life):
    """Only an erasure opens it, and it closes it again."""
    await life.live([("hear", "terminal:main", PASSAGE, "")])
    await erased(database, ErasePassage(PASSAGE, ALL), life)

    with pytest.raises(StoreError, match="append-only"):
        await database.write(lambda tx: tx.execute("update event set body = '{}'"))
    assert await database.fetch("select 1 from meta where key = 'erasing'") == []


async def test_a_message_that_comes_again_is_known(database, life):
    """A platform may deliver it twice; its words are gone, its id is not."""
    await life.live([("hear", "terminal:main", f"my {PASSAGE}", "")])
    await erased(database, ErasePassage(PASSAGE, ALL), life)

    accepted = await life.ledger.accept(life.heard[0])

    assert not accepted.is_new
    other = replace(life.heard[0], thread=Thread("terminal", "main"), text="other")
    assert not (await life.ledger.accept(other)).is_new


async def test_what_was_said_in_pieces_goes_from_each_piece(database, life):
    """A turn took two messages, and its answer was shown in two pieces."""
    await life.live(
        [
            ("hear", "terminal:main", "so canción", ""),
            ("hear", "terminal:main", "Zürich-7741 it is", ""),
            ("begin", "terminal:main", "", ""),
            ("output", "terminal:main", "it is canción Zü", "rich-7741, yes"),
        ]
    )

    await erased(database, ErasePassage(PASSAGE, ALL), life)

    turn = await life.running("terminal:main")
    assert turn.request == "so [forgotten] it is"
    assert turn.partial == "it is [forgotten], yes"
    said = await database.fetch("select text from request order by seq")
    assert [row["text"] for row in said] == ["so [forgotten]", " it is"]


async def test_another_audience_keeps_its_words(database, life):
    """Whoever asks erases where they may, and nowhere else."""
    await life.live(
        [
            ("note", "terminal:main", PASSAGE, ""),
            ("note", "telegram:1:9", PASSAGE, ""),
        ]
    )

    await erased(database, ErasePassage(PASSAGE, (MINE,)), life)

    notes = await database.fetch("select text, state from note order by id")
    assert [tuple(row) for row in notes] == [
        ("[forgotten]", "forgotten"),
        (PASSAGE, "live"),
    ]


async def test_a_note_is_of_those_who_see_it_now(database, life):
    """It was handed on: the one who had it erases it no more."""
    await life.live([("note", "terminal:main", PASSAGE, "")])
    row = await life.row("select id from note")
    await Notes(database).move_note(row[0], ROOM, "moved", life.now())

    await erased(database, ErasePassage(PASSAGE, (MINE,)), life)
    assert (await life.row("select text from note"))[0] == PASSAGE

    await erased(database, ErasePassage(PASSAGE, (ROOM,)), life)
    assert (await life.row("select text from note"))[0] == "[forgotten]"


async def test_a_summary_of_it_is_revoked_and_due_again(database, life):
    """A model may have said it in other words: none of them is believed."""
    place = "terminal:main"
    for number in range(40):
        text = "say" if number else PASSAGE
        await life.live([("hear", place, text, ""), ("begin", place, "", "")])
        await life.live([("end", place, "yes", "")])
    told = summary(first=1, last=20, text="It is the town on the Limmat.")
    await life._event(EventKind.COMPACT, place, **told)
    before = await History(database).view(Thread.parse(place))
    assert before.condensation is not None

    await erased(database, ErasePassage(PASSAGE, ALL), life)

    view = await History(database).view(Thread.parse(place))
    assert view.condensation is None
    assert view.new_messages == 80
    assert is_due(view, Compaction(), 100_000)
    body = (await life.row("select body from event where kind = 'compact'"))[0]
    assert "Limmat" not in body


async def test_a_summary_of_other_turns_stays(database, life):
    """Only what stands in for the turns that said it."""
    place = "terminal:main"
    for text in ("one", "two", PASSAGE):
        await life.live([("hear", place, text, ""), ("begin", place, "", "")])
        if text == "two":
            await life.live([("end", place, "yes", "")])
            await life._event(
                EventKind.COMPACT, place, **summary(first=1, last=2, text="boats")
            )
        else:
            await life.live([("end", place, "yes", "")])

    await erased(database, ErasePassage(PASSAGE, ALL), life)

    assert (await life.row("select state from condensation"))[0] == "valid"


async def named(people, account):
    return next(k.name for k in await people.accounts() if k.account == account)


def summary(first, last, text):
    return {
        "first": first,
        "last": last,
        "degraded": False,
        "model": "m:m",
        "until": "2026-11-01T00:00:00+00:00",
        "sections": {"PENDING": text},
        "opening": [],
        "standing": [],
    }


async def test_a_thread_in_which_an_answer_is_written_waits(database, life):
    """Its end would come to a turn that is gone."""
    await life.live(
        [("hear", "terminal:main", "x", ""), ("begin", "terminal:main", "", "")]
    )

    with pytest.raises(InputError, match="/stop it first"):
        await erased(database, EraseThread("terminal:main", ALL), life)


async def test_nobody_erases_a_thread_that_they_do_not_see(database, life):
    """It is said to be nowhere, as it is to them."""
    await life.live([("hear", "telegram:1:9", "x", "")])

    with pytest.raises(InputError, match="no thread"):
        await erased(database, EraseThread("telegram:1:9", (MINE,)), life)


async def test_the_owner_is_never_erased(database, life):
    """The home would be nobody's."""
    with pytest.raises(InputError, match="owner"):
        await erased(database, ErasePerson("owner"), life)


async def test_a_person_goes_with_accounts_names_and_words(database, life):
    """In a room the others stay, and what was said to the person goes."""
    account = Account("telegram", "1", "77")
    people = People(database)
    bea = await people.add(
        account, Role.MEMBER, "Bea Wagenrad", life.now(), paired=True
    )
    other = Account("telegram", "1", "78")
    await people.add(other, Role.MEMBER, "Cleo", life.now(), paired=True)
    room = Thread.parse("telegram:1:-5")
    for person, text in ((bea.key, "I love Wagenrad"), ("owner", "boats sail")):
        heard = Inbound(
            room, text, life.now(), text[:3], person=person, audience=Audience(ROOM)
        )
        await life.ledger.accept(heard)
        turn = await life.ledger.begin(room, life.now())
        ending = Ending(TurnState.COMPLETED, f"yes: {text}", parts=(f"yes: {text}",))
        await life.ledger.end(turn, ending, life.now())

    await erased(database, ErasePerson(bea.key), life)

    assert await verify(database.path) == []
    assert [t for t in texts(database.path) if "Wagenrad" in t] == []
    assert await people.known(account) is None
    assert await named(people, other) == "Cleo"
    requests = await database.fetch("select request, final from turn order by id")
    assert [tuple(row) for row in requests] == [
        ("[forgotten]", "[forgotten]"),
        ("boats sail", "yes: boats sail"),
    ]


async def test_a_person_who_is_being_answered_waits(database, life):
    """In a room, too: what is said to them then would come after."""
    people = People(database)
    account = Account("telegram", "1", "77")
    bea = await people.add(account, Role.MEMBER, "Bea", life.now(), paired=True)
    room = Thread.parse("telegram:1:-5")
    heard = Inbound(room, "x", life.now(), "b", person=bea.key, audience=Audience(ROOM))
    await life.ledger.accept(heard)
    turn = await life.ledger.begin(room, life.now())

    with pytest.raises(InputError, match="telegram:1:-5: an answer to"):
        await erased(database, ErasePerson(bea.key), life)

    await life.ledger.end(turn, Ending(TurnState.COMPLETED, "yes"), life.now())
    await erased(database, ErasePerson(bea.key), life)
    assert await verify(database.path) == []


async def test_what_waits_by_now_is_not_ended_by_an_account_of_before(database, life):
    """Persons are made anew from their events; what these once ended is long over."""
    people, account = People(database), Account("telegram", "1", "9")
    ana = await people.add(account, Role.MEMBER, "Ana", life.now(), paired=True)
    await people.part(account, life.now(), "parted")
    await people.add(
        Account("telegram", "1", "8"), Role.MEMBER, "Bea", life.now(), paired=True
    )
    bea = next(p for p in await people.every() if p.name == "Bea")
    place = Thread.parse("telegram:1:9")
    private = Audience.private(ana.key)
    heard = Inbound(place, "x", life.now(), "w", person=ana.key, audience=private)
    await life.ledger.accept(heard)

    await erased(database, ErasePerson(bea.key), life)

    assert (await life.row("select unwanted from request"))[0] == 0
    assert await verify(database.path) == []


async def test_an_account_that_was_linked_stays_with_its_new_person(database, life):
    """It forgets only whose it was before."""
    account = Account("telegram", "1", "77")
    people = People(database)
    bea = await people.add(account, Role.MEMBER, "Bea", life.now(), paired=True)
    joining, at = Kept(account, "owner", "", "Me", paired=True), life.now()
    await database.write(lambda tx: linked(tx, joining, at, vouched=True))

    await erased(database, ErasePerson(bea.key), life)

    assert await verify(database.path) == []
    assert [kept.account for kept in await people.accounts("owner")] == [account]
    assert await people.homes("owner") == []


async def test_work_under_way_is_looked_at_again(database, life):
    """What a turn says that began before; not what a person says anew."""
    place = "terminal:main"
    await life.live([("hear", place, PASSAGE, ""), ("begin", place, "", "")])
    done = await erased(database, ErasePassage(PASSAGE, ALL), life)
    assert done.busy == (place,)
    await life.live([("output", place, PASSAGE, ""), ("hear", place, PASSAGE, "")])

    eraser = Eraser(database)
    begun = Seen(done.seen.last, done.seen.last)
    survey = await eraser.survey(ErasePassage(PASSAGE, ALL), begun)
    wish = opened(ErasePassage(PASSAGE, ALL), life)
    await eraser.erase(wish, survey.seen, life.now())

    assert (await life.running(place)).partial == "[forgotten]"
    assert (await life.row("select text from request where turn is null"))[0] == PASSAGE
    assert await verify(database.path) == []


async def test_a_chat_that_changed_hands_is_not_erased_with_others_words(
    database, ledger, history, clock, hear
):
    """Of a person only theirs go, and nobody erases the whole of it by its name."""
    eraser = Eraser(database)
    account = Account("telegram", "7", "5")
    person = await People(database).add(account, Role.MEMBER, "", clock(), paired=True)
    chat = Thread("telegram", "7:5")
    for key, text in (("owner", "the owner keeps bees"), (person.key, "I keep newts")):
        said = replace(
            hear(text, "telegram:7:5"), person=key, audience=Audience.private(key)
        )
        await ledger.accept(said)
        turn = await ledger.begin(chat, clock())
        await ledger.end(turn, Ending(TurnState.COMPLETED, final="ok"), clock())

    with pytest.raises(InputError, match="changed hands"):
        await eraser.survey(EraseThread("telegram:7:5", (f"private:{person.key}",)))
    wish = OpenWish("w", ErasePerson(person.key), clock())
    survey = await eraser.survey(ErasePerson(person.key))
    await eraser.erase(wish, survey.seen, clock())

    left = [turn.request for turn in await history.transcript(chat, 9)]
    assert left == ["the owner keeps bees", "[forgotten]"]
    assert await verify(database.path) == []
