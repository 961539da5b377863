"""Notes of the owner become proposals, and nothing else does."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from apx.domain.note import Note
from apx.mem import actions, cache, git, wanted
from apx.mem.erasing import Erasing
from apx.mem.proposing import FEW, Proposing
from apx.mem.store import Store
from apx.testing import MemoryDrawer

BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
TEA = "the owner drinks green tea"


class Home:
    """A store, and the notes beside it."""

    def __init__(self, path):
        self.store = Store(str(path / "mem"))
        self.notes = []
        self.drawer = MemoryDrawer()
        self.lock = asyncio.Lock()
        self.proposing = self.opened()

    def opened(self):
        """Begin as a process does."""
        return Proposing(
            self.store.root, self.lock, self._notes, self.drawer, self.now, UTC
        )

    async def _notes(self):
        return list(self.notes)

    def now(self):
        return datetime.now(UTC) + timedelta(days=1)

    def note(self, text, at=None, **changes):
        self.notes.append(Note(len(self.notes) + 1, text, at or self.now(), **changes))

    def titles(self, status="proposed"):
        with cache.opened(self.store.root) as known:
            return [row["title"] for row in known.rows(wanted.parsed(status=status))]

    def commits(self):
        return int(git.run(self.store.root, "rev-list", "--count", "HEAD"))


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


async def test_no_store_is_made(home):
    """Whoever wants none has none."""
    home.note(TEA)

    assert await home.proposing.propose() == 0
    assert not home.store.is_there()


async def test_new_notes_are_proposed_in_one_commit(home):
    """They wait for the owner, and are proposed once, also by the next process."""
    home.store.init()
    home.note(TEA)
    home.note("the staging server is 10.0.1.5")
    before = home.commits()

    assert await home.proposing.propose() == 2

    assert sorted(home.titles()) == sorted(note.text for note in home.notes)
    assert home.titles("active") == []
    assert home.commits() == before + 1
    assert await home.proposing.propose() == 0
    assert await home.opened().propose() == 0
    assert home.commits() == before + 1


async def test_what_was_there_before_the_store_is_not(home):
    """Whoever types `apx mem init` after years wants no thousand proposals."""
    for number in range(1_000):
        home.note(f"old note {number}", BEFORE)
    home.store.init()
    home.note(TEA)

    assert await home.proposing.propose() == 1
    assert home.titles() == [TEA]


async def test_nor_is_what_an_old_store_is_brought_to(home):
    """A store of years ago meets a home of years ago: from now on."""
    home.store.init()
    for number in range(FEW + 1):
        home.note(f"note {number}", home.now() - timedelta(hours=number + 1))

    assert await home.proposing.propose() == 0
    home.note(TEA, home.now() + timedelta(hours=1))
    assert await home.opened().propose() == 1
    assert home.titles() == [TEA]


async def test_only_the_owners_own_are_proposed(home):
    """What others said, or all know, is nobody's proposal of ours."""
    home.store.init()
    home.note("for the room", audience="room:telegram:7:-1")
    home.note("of Anna", person="anna", audience="private:anna")
    home.note("of all", audience="shared")
    home.note("the key is sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2)

    assert await home.proposing.propose() == 0


async def test_a_rejected_one_never_comes_again(home):
    """No is no, whatever process asks."""
    home.store.init()
    home.note(TEA)
    await home.proposing.propose()
    with cache.opened(home.store.root) as known:
        (name,) = known.ids()
    actions.reject(home.store, name, today="2026-12-01")

    assert await home.opened().propose() == 0
    assert home.titles() == []


async def test_what_is_forgotten_meanwhile_is_not_proposed(home):
    """Whoever forgets waits for the proposal, and finds it."""
    home.store.init()
    home.note(TEA)
    gone = []

    async def heard(names):
        gone.extend(names)

    erasing = Erasing(home.store.root, home.lock, heard)
    await home.lock.acquire()
    proposed = asyncio.ensure_future(home.proposing.propose())
    await asyncio.sleep(0)
    home.notes.clear()
    home.lock.release()

    assert await proposed == 0
    assert await erasing.purge([], []) == 0


async def test_a_store_that_cannot_be_written_says_so(home, monkeypatch):
    """Nothing is lost: the next pass proposes it."""
    home.store.init()
    home.note(TEA)
    monkeypatch.setenv("PATH", "/nowhere")

    assert await home.proposing.propose() == 0
    assert "git" in home.proposing.trouble

    monkeypatch.undo()
    assert await home.proposing.propose() == 1
    assert home.proposing.trouble == ""
