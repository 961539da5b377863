"""What was forgotten is in no byte of the home."""

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from apx.domain.erased_text import told
from apx.domain.erasing import ErasePassage, ErasePerson, EraseThread
from apx.domain.event import EventKind
from apx.domain.recall import Query
from apx.domain.thread import Thread
from apx.mem import actions
from apx.mem.erasing import Erasing
from apx.mem.store import Store
from apx.memory.forgetting import Forgetting
from apx.store.verify import verify
from tests.memory.homes import ALL, MINE, holding, home

SAID = {
    "english": ("the vault of Hermione 4417", "Hermione"),
    "chinese": ("保险箱钥匙在花园里", "花园里"),
    "spanish": ("canción Ibáñez 4417", "Ibáñez"),
    "emoji": ("Quetzal 🦜 4417 nest", "Quetzal"),
}
ENGLISH, WORD = SAID["english"]


@pytest.mark.parametrize("name", list(SAID))
async def test_nothing_of_it_is_left_in_any_byte(tmp_path, name):
    """Notes, log, index, files: whoever takes the disk reads nothing of it."""
    passage, word = SAID[name]
    async with home(tmp_path) as house:
        await house.say_everywhere(passage)
        await house.settle()
        await house.memory.spaces.fill()
        assert holding(tmp_path, passage)

        removed = await house.forgetting.erase(ErasePassage(passage, ALL))

        assert removed.notes == 4
        assert removed.summaries == 3
        assert removed.facts == 2
        assert removed.messages == 45
        assert removed.records == 84
        assert removed.history == 3
        assert removed.chunks == removed.vectors > 0
        assert removed.files == ("ledger.db.schema-2",)
        assert removed.left == ()
        assert holding(tmp_path, passage, word) == []
        assert await verify(tmp_path / "ledger.db") == []
    assert holding(tmp_path, passage, word) == []


async def test_what_is_left_can_still_be_found(tmp_path):
    """Messages lose the words and nothing else, in the index too."""
    async with home(tmp_path) as house:
        turn = await house.turn(
            "terminal:main", f"{ENGLISH} is by the lighthouse", "Noted, lighthouse."
        )
        await house.settle()

        await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        query = Query("lighthouse", Thread("terminal", "x"), (MINE,), house.clock())
        found = await house.memory.recalled.fetch(query)
        said = {(hit.ref, hit.text) for hit in found.memories}
        assert (f"turn {turn}", "[forgotten] is by the lighthouse") in said
        assert not await house.memory.found("Hermione", at=house.clock())


async def test_a_preview_removes_nothing(tmp_path):
    """It says what would go, and all of it is there after."""
    async with home(tmp_path) as house:
        await house.say_everywhere(ENGLISH)
        await house.settle()
        before = {p: p.read_bytes() for p in tmp_path.rglob("*.jsonl")}

        seen = await house.forgetting.preview(ErasePassage(ENGLISH, ALL))
        removed = await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        assert (seen.notes, seen.messages) == (removed.notes, removed.messages)
        assert seen.chunks == removed.chunks
        assert seen.history == removed.history
        assert before


async def test_forgetting_twice_removes_nothing_more(tmp_path):
    """And says so."""
    async with home(tmp_path) as house:
        await house.say_everywhere(ENGLISH)
        await house.settle()
        await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        again = await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        assert again.is_nothing
        assert told(again) == "Nothing said it."


async def test_notes_that_went_do_not_come_back(tmp_path):
    """From the file, from an editor that had it open, or at the next look."""
    async with home(tmp_path) as house:
        await house.say_everywhere(ENGLISH)
        old = (tmp_path / "memory.md").read_bytes()
        await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        notes = await house.books.of(MINE).sync()
        assert [note.text for note in notes] == ["the boat is blue"]
        assert b"A line of mine." in (tmp_path / "memory.md").read_bytes()

        (tmp_path / "memory.md").write_bytes(old)
        notes = await house.books.of(MINE).sync()
        assert [note.text for note in notes] == ["the boat is blue"]


async def test_a_whole_thread_goes_and_leaves_the_others(tmp_path):
    """With its notes, its name, its lines of the daily log and its typed lines."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", "Alabaster ship", "yes, Alabaster")
        await house.turn("telegram:1:9", "Bergamot ship", "yes, Bergamot")
        await house.settle()
        (tmp_path / "history").write_text("\n# 1\n+Alabaster ship\n\n# 2\n+boats\n")

        removed = await house.forgetting.erase(EraseThread("terminal:main", ALL))

        assert (removed.threads, removed.messages) == (1, 2)
        assert removed.history == 1
        assert holding(tmp_path, "Alabaster") == []
        assert holding(tmp_path, "Bergamot") != []
        assert await verify(tmp_path / "ledger.db") == []
        await house.turn("terminal:main", "Anew", "yes")
        await house.settle()
        lines = (tmp_path / "log/main/2030-01-01.jsonl").read_text().splitlines()
        assert sum("Anew" in line for line in lines) == 1
        assert sum("Bergamot ship" in line for line in lines) == 1
        assert not list(tmp_path.glob("log/*.replaced-*"))


async def test_a_thread_that_another_one_was_reminded_of_goes(tmp_path):
    """What the other one was shown of it goes too; its own words stay."""
    async with home(tmp_path) as house:
        first = await house.turn("terminal:main", "Alabaster ship", "yes, Alabaster")
        other = await house.turn("telegram:1:9", "Bergamot ship", "yes, Bergamot")
        found, at = await house.ledger.turn(other), house.clock().isoformat()
        text = {"text": "Alabaster ship", "shown": "Alabaster", "why": "words"}
        where = {"thread": "terminal:main", "person": "owner", "ref": f"turn {first}"}
        memory = {"kind": "message", "at": at, "channel": "terminal", **text, **where}
        await house.event(EventKind.RECALL, found, memories=[memory], missed=[])
        await house.settle()

        await house.forgetting.erase(EraseThread("terminal:main", ALL))

        assert holding(tmp_path, "Alabaster") == []
        assert holding(tmp_path, "Bergamot") != []
        assert await verify(tmp_path / "ledger.db") == []


async def test_the_daily_log_goes_on_after_its_last_event_was_erased(tmp_path):
    """Its cursor names an event that is gone: it is still this ledger's log."""
    async with home(tmp_path) as house:
        await house.turn("telegram:1:9", "Bergamot", "yes")
        await house.turn("terminal:main", "Alabaster", "yes")
        await house.settle()
        await house.forgetting.erase(EraseThread("terminal:main", ALL))
    async with home(tmp_path) as house:
        await house.turn("telegram:1:9", "Cinnabar", "yes")
        await house.settle()

    assert [p.name for p in (tmp_path / "log").iterdir()] == ["main"]
    text = (tmp_path / "log/main/2030-01-01.jsonl").read_text()
    assert (text.count("Bergamot"), text.count("Cinnabar")) == (1, 1)


async def test_what_work_under_way_says_once_more_is_forgotten(tmp_path):
    """For as long as anything may still run that knew it."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", ENGLISH, "yes")
        await house.forgetting.erase(ErasePassage(ENGLISH, ALL))
        turn = await house.row("select max(id) from turn")
        await house.late(turn, f"late: {ENGLISH}")

        assert await house.forgetting.again() == 1
        assert holding(tmp_path, ENGLISH, WORD) == []
        for _ in range(11 * 60):
            house.clock()
        assert await house.forgetting.again() == 0
        assert house.forgetting._open == {}


async def test_files_that_are_not_ours_are_named(tmp_path):
    """A person learns where else it is, and that backups were not touched."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", ENGLISH, "yes")
        (tmp_path / "config.json").write_text(f'{{"x": "{ENGLISH}"}}')
        (tmp_path / "backups").mkdir()

        removed = await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

        assert removed.left == (
            "config.json says it too; it is yours to change",
            "backups were not touched; delete those that hold it",
        )
        assert "• config.json says it too" in told(removed)


async def test_a_reader_that_holds_the_wal_is_not_waited_for(tmp_path):
    """A backup, say: it is said, and followed up at the next start."""
    async with home(tmp_path) as house:
        await house.turn("terminal:main", ENGLISH, "yes")
        with closing(sqlite3.connect(tmp_path / "ledger.db")) as reader:
            reader.execute("begin")
            reader.execute("select * from event").fetchone()

            removed = await house.forgetting.erase(ErasePassage(ENGLISH, ALL))

            assert any("ledger.db-wal" in remark for remark in removed.left)
        assert await house.forgetting.resume()
        assert holding(tmp_path, ENGLISH, WORD) == []
        assert not await house.forgetting.resume()


async def test_a_person_is_in_no_byte(tmp_path):
    """Neither name nor words, in private or in a room."""
    async with home(tmp_path) as house:
        key = await house.person("Wagenrad")
        await house.turn("telegram:1:-5", "Alabaster", "yes, Alabaster", person=key)
        await house.turn("telegram:1:-5", "Bergamot", "yes")
        await house.settle()

        await house.forgetting.erase(ErasePerson(key))

        assert holding(tmp_path, "Wagenrad", "Alabaster") == []
        assert holding(tmp_path, "Bergamot") != []
        assert await verify(tmp_path / "ledger.db") == []


BOTH = ("Mossy oak hints", "Mossy oak hints for squirrels")


class Purging(Erasing):
    """Purges; with `fails` set, it is killed right after."""

    fails = False

    async def purge(self, names, texts):
        many = await super().purge(names, texts)
        if self.fails:
            raise asyncio.CancelledError
        return many


def kept(path):
    """Have two memories, the first of which says it; gives their ids."""
    store = Store(str(path / "mem"))
    store.init()
    bodies = (ENGLISH, "They like nuts.")
    drafts = [
        actions.Draft({"type": "decision", "title": title}, body.encode())
        for title, body in zip(BOTH, bodies, strict=True)
    ]
    return [actions.add(store, one, today="2030-01-01").id for one in drafts]


async def answered(house, gone, other):
    """Have tools and a recall tell of two memories, in each place."""
    for place in ("terminal:main", "telegram:1:-5"):
        told = f"{gone} (decision) mossy\n{other} (decision) x, (see {gone}.)"
        turn = await house.turn(
            place, f"/mem show {gone}", f"I kept\n{gone}です", tool=told
        )
        found = await house.ledger.turn(turn)
        at = house.clock().isoformat()
        common = {"kind": "curated", "text": "mossy", "at": at, "channel": "mem x"}
        memories = [{**common, "ref": f"mem {name}"} for name in (gone, other)]
        end = gone.removeprefix("d-2030-01-01-")
        await house.event(EventKind.RECALL, found, memories=memories, missed=[])
        await house.event(
            EventKind.TOOL_START,
            found,
            call="c2",
            name="memory_show",
            arguments=f'{{"id": "{end}", "why": "{{\\"a\\": \\"b\\\\n{gone}\\"}}"}}',
            effect="none",
        )


def telling(path, name):
    """Name the files that hold an id, and not only as the beginning of another."""
    end = name.removeprefix("d-2030-01-01-")
    wanted = re.compile(rb"(?i)(%b|%b)(?!-for)" % (name.encode(), end.encode()))
    files = [file for file in sorted(path.rglob("*")) if file.is_file()]
    return [str(f.relative_to(path)) for f in files if wanted.search(f.read_bytes())]


@pytest.fixture
def _alone(monkeypatch):
    """No settings of whoever runs the tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


async def vectors(_names):
    """Have none."""


@pytest.mark.usefixtures("_alone")
@pytest.mark.parametrize("is_killed", [False, True])
async def test_the_ids_of_what_was_purged_are_in_no_byte(tmp_path, is_killed):
    """They are made of titles; that of another memory, which begins alike, stays."""
    gone, other = kept(tmp_path)
    async with home(tmp_path) as house:
        erasing = Purging(str(tmp_path / "mem"), asyncio.Lock(), vectors)
        rooms = replace(house.forgetting._rooms, curated=erasing)
        forgetting = Forgetting(house.eraser, rooms, house.clock)
        await answered(house, gone, other)
        await house.settle()
        (tmp_path / "history").write_text(f"\n# 1\n+/mem show {gone}\n\n# 2\n+boats\n")
        assert len(telling(tmp_path, gone)) > 5
        erasing.fails = is_killed
        if is_killed:
            with pytest.raises(asyncio.CancelledError):
                await forgetting.erase(ErasePassage(ENGLISH, ALL))
            assert gone in (tmp_path / "history").read_text()
            assert await Forgetting(house.eraser, rooms, house.clock).resume()
        else:
            removed = await forgetting.erase(ErasePassage(ENGLISH, ALL))
            assert (removed.memories, removed.left) == (1, ())

        assert telling(tmp_path, gone) == []
        assert len(holding(tmp_path, other)) > 4
        assert await verify(tmp_path / "ledger.db") == []
    assert telling(tmp_path, gone) == []
    store = Store(str(tmp_path / "mem"))
    assert store.read(other).title == BOTH[1]
    assert "boats" in (tmp_path / "history").read_text()
