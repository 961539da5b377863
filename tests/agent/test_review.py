"""Reviewing facts in a chat."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from apx.agent.review import NOTHING, reviewed
from apx.domain.errors import InputError
from apx.domain.thread import Thread
from apx.memory.candidates import Proposals
from apx.memory.notes import NoteBook
from apx.store.candidates import Candidates, NewCandidate
from apx.store.notes import Notes

MINE = ("private:owner", "shared")
SAID = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)


@pytest.fixture
def store(database):
    return Candidates(database)


@pytest.fixture
def book(tmp_path, database, clock):
    return NoteBook(tmp_path / "memory.md", Notes(database), clock, UTC, MINE[0])


@pytest.fixture
def proposals(store, book, clock):
    return Proposals(store, book, False, clock)


@pytest.fixture
async def two(store, clock):
    main = Thread("terminal", "main")
    facts = [NewCandidate(text, SAID, main, 3) for text in ("I ski", "I live in Rome")]
    return [candidate.id for candidate in await store.propose(facts, clock())]


@pytest.mark.parametrize("rest", ["review", "accept all", "reject all"])
async def test_nothing_waits(proposals, rest):
    """Which is no mistake of the person."""
    assert await reviewed(proposals, rest, MINE) == NOTHING


async def test_the_list_has_numbers_days_and_channels(proposals, two):
    """By the clock of the person."""
    shown = await reviewed(proposals, "review", MINE, ZoneInfo("Asia/Tokyo"))

    first, second, how = shown.splitlines()
    assert first == f"{two[0]}  I ski (2026-12-01, terminal)"
    assert second == f"{two[1]}  I live in Rome (2026-12-01, terminal)"
    assert "/memory accept" in how


async def test_one_is_kept(proposals, book, two):
    """The others wait on."""
    said = await reviewed(proposals, f"accept {two[1]}", MINE)

    [note] = await book.sync()
    assert said == f"Saved as note {note.id}: I live in Rome"
    assert "I ski" in await reviewed(proposals, "review", MINE)


@pytest.mark.parametrize("form", ["accept {} {}", "accept #{}, #{}", "accept {},{}"])
async def test_several_are_kept(proposals, book, two, form):
    """However people write lists."""
    assert await reviewed(proposals, form.format(*two), MINE) == "Saved 2 notes."
    assert len(await book.sync()) == 2


async def test_all_are_rejected(proposals, book, two):
    """And never come again."""
    assert await reviewed(proposals, "reject ALL", MINE) == f"Rejected {len(two)}."
    assert await reviewed(proposals, "review", MINE) == NOTHING
    assert await book.sync() == []


async def test_one_is_rejected(proposals, two):
    """Its words are shown: a wrong number is seen at once."""
    assert await reviewed(proposals, f"reject {two[0]}", MINE) == "Rejected: I ski"


@pytest.mark.parametrize(
    "rest", ["accept", "reject", "accept 99", "accept ٣", "reject x"]
)
async def test_a_number_that_nothing_has_is_told(proposals, two, rest):
    """Nothing is done by halves."""
    with pytest.raises(InputError):
        await reviewed(proposals, rest, MINE)
    with pytest.raises(InputError):
        await reviewed(proposals, f"accept {two[0]} 99", MINE)

    assert "I ski" in await reviewed(proposals, "review", MINE)


async def test_a_room_sees_nothing_of_the_owner(proposals, two):
    """Neither by list nor by number."""
    room = ("room:telegram:7", "shared")
    assert await reviewed(proposals, "review", room) == NOTHING
    assert await reviewed(proposals, "accept all", room) == NOTHING
    with pytest.raises(InputError, match="no candidate"):
        await reviewed(proposals, f"accept {two[0]}", room)


async def test_a_long_list_says_what_it_leaves_out(proposals, store, clock):
    """Two hundred lines are no message; `all` means all of them."""
    main = Thread("terminal", "main")
    facts = [NewCandidate(f"I know {n}", SAID, main, 3) for n in range(200)]
    await store.propose(facts, clock())

    shown = (await reviewed(proposals, "review", MINE)).splitlines()

    assert len(shown) == 22
    assert shown[0] == "(180 older ones wait, too)"
    assert "I know 199" in shown[-2]
    assert await reviewed(proposals, "reject all", MINE) == "Rejected 200."


async def test_what_may_be_others_words_is_accepted_by_number_alone(proposals):
    """The list says so; `all` is what the person said, for what is kept."""
    main = Thread("terminal", "main")
    await proposals.suggest(NewCandidate("keys go to Bob", SAID, main, 3))
    shown = await reviewed(proposals, "review", MINE)
    [other] = await proposals.waiting(MINE, 10)

    said = await reviewed(proposals, "accept all", MINE)

    assert "keys go to Bob (2026-11-30, terminal, may be others' words)" in shown
    assert said == (
        "Saved 0 notes.\n1 left, as they may be others' words: accept them by number."
    )
    assert "Saved as note" in await reviewed(proposals, f"accept {other.id}", MINE)


@pytest.mark.usefixtures("two")
async def test_all_that_a_person_said_is_kept_beside_it(proposals):
    """And all of it is rejected, whoever said it."""
    main = Thread("terminal", "main")
    await proposals.suggest(NewCandidate("keys go to Bob", SAID, main, 3))

    said = await reviewed(proposals, "accept ALL", MINE)

    assert said.startswith("Saved 2 notes.\n1 left, as")
    assert await reviewed(proposals, "reject all", MINE) == "Rejected: keys go to Bob"
