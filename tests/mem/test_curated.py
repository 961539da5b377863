"""The curated memories as a process that stays asks for them."""

from __future__ import annotations

import asyncio
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apx.domain.person import OWNERS_OWN, SHARED, Audience
from apx.domain.thread import Thread
from apx.mem import git
from apx.mem.curated import Curated, audience, scope, sign
from apx.mem.faults import MemFault

ROOT = Path(__file__).parents[2]
OWNER = (str(OWNERS_OWN), str(SHARED))
BOB = (str(Audience.private("p-bob")), str(SHARED))
ROOM = (str(Audience.room(Thread("telegram", "7:-100"))), str(SHARED))
HEAVY = {"asyncio", "dataclasses", "enum", "pathlib", "sqlite3", "subprocess", "typing"}


@pytest.fixture
def curated(tmp_path):
    return Curated(str(tmp_path / "mem"), today=lambda: "2030-01-01")


@pytest.fixture
async def begun(curated):
    await curated.begin()
    return curated


async def kept(curated, title, seen=OWNER, kind="decision", body="", **fields):
    """Keep a memory that an audience sees."""
    every = {"title": title, "scope": scope(seen[0]), **fields}
    return (await curated.add(kind, every, body)).id


def is_anything(curated):
    """Whether the store's place is taken, by whatever."""
    return os.path.lexists(curated.root)


def commits(curated):
    """Count the commits of the store."""
    return int(git.run(curated.root, "rev-list", "--count", "HEAD"))


@pytest.mark.parametrize(
    ("said", "sees"),
    [
        ("", OWNERS_OWN),
        ("apx", OWNERS_OWN),
        ("shared", OWNERS_OWN),
        ("Private:p-bob", OWNERS_OWN),
        ("global", SHARED),
        ("private:p-bob", Audience.private("p-bob")),
        ("room:telegram:7:-100", Audience.room("telegram:7:-100")),
    ],
)
def test_a_scope_is_an_audience(said, sees):
    """Any free word is the owner's own, however it looks; the way back agrees."""
    assert audience(said) == str(sees)
    assert audience(scope(str(sees))) == str(sees)


def test_what_asks_for_a_scope_starts_in_a_blink():
    """The command line asks here whose a memory is."""
    code = "import sys, apx.mem.curated; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.split()
    assert not HEAVY & {*loaded}


async def test_without_a_store_there_is_nothing_and_none_is_made(curated):
    """Whoever only asks leaves no trace."""
    found = await curated.search("x", OWNER)

    assert (found.rows, found.total, curated.is_there()) == ([], 0, False)
    assert await curated.waiting(OWNER) == []
    for wish in (curated.shown("x", OWNER), kept(curated, "x")):
        with pytest.raises(MemFault):
            await wish
    assert not is_anything(curated)


async def test_an_audience_sees_its_own_and_what_is_shared(begun):
    """Not what others keep: no line, no number of it."""
    await kept(begun, "tea for the owner")
    await kept(begun, "tea for Bob", BOB)
    await kept(begun, "tea for the room", ROOM)
    await kept(begun, "tea for all", (str(SHARED),))

    for seen, own in ((OWNER, "the owner"), (BOB, "Bob"), (ROOM, "the room")):
        page = await begun.search("tea", seen)
        titles = {row["title"] for row in page.rows}
        assert (titles, page.total) == ({f"tea for {own}", "tea for all"}, 2)


async def test_what_is_not_seen_takes_nobodys_place(begun):
    """The limit counts what is left, and the total too."""
    for number in range(3):
        await kept(begun, f"mine {number}", priority="99")
    theirs = await kept(begun, "Bob's", BOB, priority="1")

    page = await begun.search("", BOB, limit=1)

    assert ([row["id"] for row in page.rows], page.total) == ([theirs], 1)


async def test_what_is_not_seen_cannot_be_told_from_what_is_not_there(begun):
    """By id, by its end, by the sign of a button, nor may it be written."""
    name = await kept(begun, "the secret plan", status="proposed")
    before = commits(begun)

    async def refused(wish):
        with pytest.raises(MemFault) as fault:
            await wish
        return fault.value.code, str(fault.value)

    for word in (name, name[2:], "secret-plan", sign(name)):
        assert await refused(begun.shown(word, BOB)) == (
            "not_found",
            f"there is no memory {word}",
        )
    for act in (begun.accept, begun.reject, begun.archive):
        assert (await refused(act(name, BOB)))[0] == "not_found"
    assert (await refused(begun.undo(name, 1, BOB)))[0] == "not_found"
    assert (await refused(begun.update(name, BOB, {"title": "x"})))[0] == "not_found"
    assert await begun.waiting(BOB) == []
    assert commits(begun) == before
    assert (await begun.shown(name, OWNER)).status == "proposed"


async def test_the_end_of_an_id_means_what_is_seen(begun):
    """What another person has does not make it ambiguous, nor is it named."""
    await kept(begun, "green tea")
    mine = await kept(begun, "tea")
    theirs = await kept(begun, "black tea", BOB)
    also = await kept(begun, "white tea", BOB, kind="preference")

    assert (await begun.shown("black-tea", BOB)).id == theirs
    with pytest.raises(MemFault, match="2") as fault:
        await begun.shown("tea", BOB)
    assert theirs in str(fault.value)
    assert also in str(fault.value)
    assert "green" not in str(fault.value)
    # Its words, all of them, mean one even where another ends so.
    assert (await begun.shown("tea", OWNER)).id == mine


async def test_a_title_of_somebody_else_is_free(begun):
    """It is no clash, and not even the id tells that there is another one."""
    mine = await kept(begun, "Buy the house", body="for 300,000")
    alone = await kept(begun, "Buy the boat", BOB)
    theirs = await kept(begun, "Buy the house", BOB, body="next year")

    assert mine != theirs
    assert (await begun.shown("buy-the-house", OWNER)).id == mine
    assert theirs.replace("house", "boat") == alone


async def test_proposals_wait_before_what_is_unsure(begun):
    """What somebody verified waits for nothing."""
    await kept(begun, "sure", verified="2029-12-31", confidence="0.9")
    doubtful = await kept(begun, "doubt", verified="2029-12-31", confidence="0.4")
    unseen = await kept(begun, "unseen", priority="1")
    proposed = await kept(begun, "proposed", priority="0", status="proposed")

    rows = await begun.waiting(OWNER)

    assert [row["id"] for row in rows] == [proposed, doubtful, unseen]
    await begun.accept(doubtful, OWNER)
    await begun.reject(proposed, OWNER)
    assert [row["id"] for row in await begun.waiting(OWNER)] == [unseen]


async def test_many_at_once_are_all_kept(begun):
    """Each in a commit of its own; the same one twice is one."""
    before = commits(begun)
    titles = [f"fact {number}" for number in range(4)]

    done = await asyncio.gather(*[kept(begun, title) for title in [*titles, "fact 0"]])

    assert len({*done}) == 4
    assert commits(begun) == before + 4


async def test_a_write_is_taken_back_while_it_is_the_last(begun):
    """A change is undone; what changed since is not."""
    name = await kept(begun, "tea at five")
    changed = await begun.update(name, OWNER, {"title": "tea at six"}, "said Ana")

    done = await begun.undo(name, changed.version, OWNER)
    with pytest.raises(MemFault):
        await begun.undo(name, changed.version, OWNER)

    memory = await begun.shown(name, OWNER)
    assert (memory.title, memory.said.strip()) == ("tea at five", "")
    assert memory.version == done.version == changed.version + 1


async def test_a_credential_is_refused(begun):
    """By the same guard as on the command line."""
    with pytest.raises(MemFault) as fault:
        await kept(begun, "the key is AKIA" + "IOSFODNN7EXAMPLQ")

    assert fault.value.code == "secret"
    assert (await begun.search("", OWNER)).total == 0


async def test_who_waits_for_the_store_holds_no_thread(begun):
    """However many wait: all else is done by the same few threads."""
    handle = os.open(begun.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    fields = [{"title": f"tea {number}"} for number in range(40)]
    tasks = [asyncio.ensure_future(begun.add("decision", f, "")) for f in fields]
    try:
        async with asyncio.timeout(20):
            for _ in range(3):
                await asyncio.to_thread(int)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        os.close(handle)
    assert (await begun.search("", ["private:owner"])).total == 0
