"""What was forgotten stays forgotten: work under way, killed starts, unread files."""

import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace

from apx.domain.ending import Ending
from apx.domain.erasing import ErasePassage, ErasePerson
from apx.domain.event import EventKind
from apx.domain.note import NewNote, Origin
from apx.domain.person import Account, Audience, Role
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, TurnState
from apx.memory.forgetting import Forgetting
from apx.store.people import People
from apx.store.verify import verify
from tests.memory.homes import ALL, MINE, holding, home

SAID, WORD = "the vault of Hermione 4417", "Hermione"
WISH = ErasePassage(SAID, ALL)
ROOM = "room:telegram:1:-5"


async def begun(house):
    """Have a turn that is under way, and knows it."""
    place = Thread("terminal", "slow")
    heard = Inbound(place, "slowly", house.clock(), "slow", audience=Audience(MINE))
    await house.ledger.accept(heard)
    return await house.ledger.begin(place, house.clock())


async def over(house, turn):
    ending = Ending(TurnState.COMPLETED, f"so {SAID}", parts=(f"so {SAID}",))
    await house.ledger.end(turn, ending, house.clock())


def noted(turn=0, op="n", **more):
    made = NewNote(op, SAID, more.pop("at"), "terminal", "terminal:slow", audience=MINE)
    return replace(made, turn=turn, **more)


@asynccontextmanager
async def unreadable(path):
    """Have memory.md be no file for a while."""
    file, aside = path / "memory.md", path.parent / "aside.md"
    file.rename(aside)
    file.mkdir()
    yield
    file.rmdir()
    aside.rename(file)


async def live(house):
    return [note.text for note in await house.books.of(MINE).sync()]


async def test_a_note_that_a_running_turn_makes_leaves_its_file_too(tmp_path):
    """Its line would be a person's own at the next look."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", SAID, "yes")
        turn = await begun(house)
        await house.forgetting.erase(WISH)
        late = noted(turn.id, at=house.clock(), origin=Origin.TOOL)
        await house.books.add(late)
        await over(house, turn)

        await house.forgetting.again()

        assert await live(house) == []
        assert holding(tmp_path, SAID, WORD) == []
        assert await verify(tmp_path / "ledger.db") == []


async def test_what_a_person_says_anew_stays(tmp_path):
    """The turn that was under way loses its words, the new note does not."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", SAID, "yes")
        turn = await begun(house)
        await house.forgetting.erase(WISH)
        await house.books.add(noted(at=house.clock(), origin=Origin.COMMAND))
        await over(house, turn)

        assert await house.forgetting.again() == 1

        assert await live(house) == [SAID]
        said = await house.database.fetch(
            "select final from turn where id = ?", turn.id
        )
        assert said[0]["final"] == "so [forgotten]"


async def test_a_little_later_comes_at_the_next_start(tmp_path):
    """The process ended before; whatever the turn had said is forgotten then."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", SAID, "yes")
        turn = await begun(house)
        removed = await house.forgetting.erase(WISH)
        assert any("terminal:slow" in remark for remark in removed.left)
        await house.event(EventKind.OUTPUT, turn, text=SAID)
        await over(house, turn)
    async with home(tmp_path, is_new=False) as house:
        assert await house.forgetting.resume()
        assert holding(tmp_path, SAID, WORD) == []
        assert not await house.forgetting.resume()
        assert await verify(tmp_path / "ledger.db") == []


async def test_a_turn_that_still_seems_to_run_at_the_start_is_waited_for(tmp_path):
    """A killed process left it so; its end comes after the wish is taken up."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", SAID, "yes")
        turn = await begun(house)
        await house.forgetting.erase(WISH)
    async with home(tmp_path) as house:
        await house.forgetting.resume()
        await over(house, turn)
        assert holding(tmp_path, SAID)

        await house.forgetting.again()

        assert holding(tmp_path, SAID, WORD) == []


async def test_a_wish_that_failed_is_not_lost(tmp_path):
    """The next time it is carried out."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", SAID, "yes")
        turn = await begun(house)
        await house.forgetting.erase(WISH)
        await over(house, turn)
        ledger = tmp_path / "ledger.db"
        ledger.rename(tmp_path / "away.db")
        assert await house.forgetting.again() == 0
        (tmp_path / "away.db").rename(ledger)

        assert await house.forgetting.again() == 1

        assert holding(tmp_path, SAID, WORD) == []


async def test_a_file_that_cannot_be_read_loses_it_when_it_can(tmp_path):
    """Before its lines are taken for new ones; and the report says that it waits."""
    async with home(tmp_path) as house:
        await house.books.add(noted(at=house.clock()))
        async with unreadable(tmp_path):
            removed = await house.forgetting.erase(WISH)
            assert removed.notes == 1
            assert any("it may say it" in remark for remark in removed.left)
            assert await house.forgetting.again() == 0

        assert await live(house) == []
        assert await house.forgetting.again() == 0

        assert holding(tmp_path, SAID, WORD) == []
        assert not await house.forgetting.resume()


async def test_the_next_start_knows_of_a_file_that_could_not_be_read(tmp_path):
    """It is taken out before anybody looks into the file."""
    async with home(tmp_path) as house:
        await house.books.add(noted(at=house.clock()))
        async with unreadable(tmp_path):
            await house.forgetting.erase(WISH)
    async with home(tmp_path, is_new=False) as house:
        assert await house.forgetting.resume()
        assert await live(house) == []
        assert holding(tmp_path, SAID, WORD) == []


async def test_a_preview_is_what_comes(tmp_path):
    """In every place that is counted."""
    async with home(tmp_path) as house:
        await house.say_everywhere(SAID)
        await house.settle()
        await house.memory.spaces.fill()

        seen = await house.forgetting.preview(WISH)

        assert seen == await house.forgetting.erase(WISH)
        assert seen.lines > 0
        assert seen.log_lines > 0


async def test_a_person_goes_with_the_notes_that_were_handed_on(tmp_path):
    """And with the folder of their own ones."""
    async with home(tmp_path) as house:
        key = await house.person("Wagenrad")
        private = f"private:{key}"
        for op, text in (("a", "Alabaster boat"), ("b", "Bergamot boat")):
            new = NewNote(op, text, house.clock(), "telegram", "", audience=private)
            await house.books.add(replace(new, person=key))
        [last] = await house.books.latest([private], 1)
        await house.books.move(last, "shared")
        assert (tmp_path / "notes" / key).is_dir()

        await house.forgetting.erase(ErasePerson(key))

        assert holding(tmp_path, "Alabaster", "Bergamot") == []
        assert not (tmp_path / "notes" / key).exists()
        assert await house.books.every(["shared", private]) == []


async def test_a_member_erases_their_own_words_where_others_are_heard(tmp_path):
    """Not those of others, nor what these noted or typed."""
    async with home(tmp_path) as house:
        key = await house.person("Wagenrad")
        for person in (key, "owner"):
            await house.turn("telegram:1:-5", SAID, f"I heard {SAID}", person=person)
            new = NewNote(person, f"{person}: {SAID}", house.clock(), "c", "")
            await house.books.add(replace(new, person=person, audience=ROOM))
        await house.settle()
        (tmp_path / "history").write_text(f"\n# 1\n+{SAID}\n")

        wish = ErasePassage(SAID, (ROOM, "shared"), person=key)
        seen = await house.forgetting.preview(wish)
        removed = await house.forgetting.erase(wish)

        assert seen == removed
        assert (removed.messages, removed.notes, removed.lines) == (2, 1, 1)
        assert removed.history == 0
        assert removed.left == ("others said it too: what is theirs stays",)
        said = await house.database.fetch("select request, final from turn order by id")
        assert [tuple(row) for row in said] == [
            ("[forgotten]", "I heard [forgotten]"),
            (SAID, f"I heard {SAID}"),
        ]
        notes = await house.books.every([ROOM])
        assert [note.text for note in notes] == [f"owner: {SAID}"]
        assert await verify(tmp_path / "ledger.db") == []


async def test_the_names_of_persons_and_threads_stay_and_are_told(tmp_path):
    """Others are found by them; what is said of them goes."""
    async with home(tmp_path) as house:
        account = Account("telegram", "1", "77")
        people = People(house.database)
        added = await people.add(
            account, Role.MEMBER, "Zebulon", house.clock(), paired=True
        )
        await house.turn("terminal:main", "Zebulon sails", "yes")
        place = Thread("terminal", "zebulon-boat")
        heard = Inbound(place, "x", house.clock(), "z", audience=Audience(MINE))
        await house.ledger.accept(heard)

        removed = await house.forgetting.erase(ErasePassage("Zebulon", ALL))

        assert removed.messages == 1
        assert removed.left == (
            "the name of a person here says it, and stays",
            "the name of terminal:zebulon-boat says it;"
            " `apx threads erase terminal:zebulon-boat` forgets it",
        )
        known = await people.person(added.key)
        assert known is not None
        assert known.name == "Zebulon"
        assert await verify(tmp_path / "ledger.db") == []


class Counting:
    """Counts for persons, and writes it down a moment later."""

    def __init__(self, house):
        self.was: list[tuple[str, bool]] = []
        self._people = People(house.database)

    async def forget(self, person: str) -> None:
        is_there = await self._people.person(person) is not None
        self.was.append((person, is_there))


async def test_who_counts_forgets_a_person_before_the_ledger_does(tmp_path):
    """What it has not written yet would name the person once more."""
    async with home(tmp_path) as house:
        key = await house.person("Wagenrad")
        counting = Counting(house)
        rooms = replace(house.forgetting._rooms, counted=counting)
        forgetting = Forgetting(house.eraser, rooms, house.clock)

        await forgetting.erase(ErasePerson(key))

        assert counting.was == [(key, True)]


def test_what_forgets_is_loaded_only_to_forget():
    """Every command waits for what is imported at the start."""
    code = (
        "import sys, apx.memory.forgetting, apx.store.erase, apx.memory.notes\n"
        "sys.exit(sorted({'apx.domain.folding', 'apx.domain.erasing',"
        " 'apx.store.erase_survey', 'apx.memory.forgetting_places'}"
        " & sys.modules.keys()) or 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
