"""`apx memory review` in real processes."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from apx.domain.thread import Thread
from apx.store.candidates import Candidates, NewCandidate
from apx.store.database import Database
from apx.store.schema import LEDGER

SAID = datetime(2026, 11, 3, 21, 15, tzinfo=UTC)


async def propose(home, texts):
    async with Database.open(home / "ledger.db", LEDGER) as database:
        facts = [NewCandidate(t, SAID, Thread("terminal", "main"), 1) for t in texts]
        found = await Candidates(database).propose(facts, SAID)
        return [str(candidate.id) for candidate in found]


@pytest.fixture
def three(apx):
    """A home in which three facts wait; gives their numbers."""
    apx("status")
    texts = ["I live in Oslo", "I'm vegetarian", "I play clarinet"]
    return asyncio.run(propose(apx.home, texts))


def test_nothing_waits(apx):
    """In a new home; and to accept all of nothing is no mistake."""
    assert apx("memory", "review") == "nothing to review\n"
    assert apx("memory", "review", "--accept", "all") == "nothing to review\n"
    assert json.loads(apx("memory", "review", "--json")) == []


def test_the_list_names_what_waits(apx, three):
    """With the numbers that the options take."""
    first = apx("memory", "review").splitlines()[0]

    assert first.strip() == f"{three[0]}  I live in Oslo (2026-11-03, terminal)"
    listed = json.loads(apx("memory", "review", "--json"))
    assert [str(candidate["id"]) for candidate in listed] == three


def test_all_means_what_the_numbers_left(apx, three):
    """Whatever the order of the options."""
    done = json.loads(
        apx("memory", "review", "--accept", "all", "--reject", three[1], "--json")
    )

    assert [note["text"] for note in done["kept"]] == [
        "I live in Oslo",
        "I play clarinet",
    ]
    assert [candidate["text"] for candidate in done["dropped"]] == ["I'm vegetarian"]
    assert apx("memory", "review") == "nothing to review\n"
    assert "I'm vegetarian" not in apx("memory", "notes")
    assert "I live in Oslo" in (apx.home / "memory.md").read_text()


def test_a_mistake_is_told_and_changes_nothing(apx, three):
    """Exit code 2, and whatever waited waits on."""
    apx("memory", "review", "--accept", three[0], "--accept", "99999", code=2)
    apx("memory", "review", "--reject", "Oslo", code=2)
    apx("memory", "review", "--accept", "all", "--reject", "all", code=2)

    assert len(json.loads(apx("memory", "review", "--json"))) == len(three)
