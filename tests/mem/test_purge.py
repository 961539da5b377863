"""What was purged is nowhere on the disk, and does not come back."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from apx.mem import cache, history, purge
from apx.mem.faults import MemFault
from apx.mem.sync import sync
from tests.mem.clones import (
    NAME,
    PATH,
    asked,
    by_hand,
    check_clean,
    cloned,
    drop,
    made,
    memory,
    put,
    rendered,
    said,
    texts,
    tree,
)

LONG = os.environ.get("APX_LONG") == "1"
HIDDEN = "f-2026-12-01-the-affair"
FILE = f"objects/failures/{HIDDEN}.md"


@pytest.fixture
def store(tmp_path):
    """A store in which a memory had a past, and was told in messages."""
    store = made(tmp_path / "mem")
    put(store, memory())
    put(store, memory(HIDDEN, "with Mallory\n", title="The affair"))
    said(store, "with Mallory in Rome\n", HIDDEN)
    said(store, "black\n")
    with store.writing() as writing:
        writing.put(memory("h-2026-12-01-pot"))
        writing.commit(f"mem(failure): merge {HIDDEN} into {NAME}")
    with cache.opened(store.root) as known:
        assert known.total() == 3
    return store


def held(store, *needles: bytes) -> list[str]:
    """Name the files of a store that hold something, also inside of git's objects."""
    found = []
    for folder, _, names in os.walk(store.root):
        for name in names:
            path = Path(folder, name)
            data = path.read_bytes()
            if "/objects/" in f"{path}" and "/.git/" in f"{path}" and data[:1] == b"x":
                data = zlib.decompress(data)
            if any(
                needle in data or needle in f"{path}".encode() for needle in needles
            ):
                found.append(str(path))
    every = ["cat-file", "--batch", "--batch-all-objects"]
    words = ["git", "-C", store.root, *every]
    told = subprocess.run(words, capture_output=True, check=True).stdout
    return found + ["git"] * any(needle in told for needle in needles)


def test_it_is_gone_from_files_history_messages_logs_and_cache(store):
    asked(store, "branch", "old")
    asked(store, "tag", "-a", "-m", "The affair", "v1")
    before = texts(store)
    assert len(held(store, b"Mallory", b"affair")) > 4

    assert purge.purge(store, [HIDDEN], ["the affair"]) == 1

    assert held(store, b"Mallory", b"affair") == []
    del before[FILE]
    assert texts(store) == before
    check_clean(store)
    assert history.of(store, HIDDEN) == []
    assert [entry["version"] for entry in history.of(store, NAME)] == [2, 1]
    with cache.opened(store.root) as known:
        assert known.total() == 2
    assert purge.purge(store, [HIDDEN]) == 0


def test_what_was_removed_or_archived_long_ago_goes_as_well(store):
    drop(store, HIDDEN)

    assert purge.purge(store, [HIDDEN]) == 1

    assert held(store, b"Mallory", b"affair") == []
    with pytest.raises(MemFault):
        history.last(store, HIDDEN)


def test_old_versions_that_say_something_go_and_the_memory_stays(store):
    said(store, "with Mallory, green\n")
    said(store, "green again\n")

    assert purge.purge(store, [], ["WITH   mallory,"]) == 1

    assert held(store, b"Mallory, green") == []
    assert store.read(NAME).said == "green again\n"
    assert store.read(HIDDEN).said == "with Mallory in Rome\n"
    assert [entry["version"] for entry in history.of(store, NAME)] == [4, 2, 1]
    check_clean(store)


def test_a_memory_that_says_it_today_stays_with_its_past(store):
    assert purge.purge(store, [], ["Mallory"]) == 0

    assert len(history.of(store, HIDDEN)) == 2


def test_messages_that_name_nothing_stay(store):
    """Also those of many memories, of which one goes."""
    with store.writing() as writing:
        writing.put(memory(f"{HIDDEN}-2", "with Mallory\n"))
        writing.put(memory("p-2026-12-01-cup"))
        writing.commit("mem: import 2 memories", f"{HIDDEN}-2\np-2026-12-01-cup")
    by_hand(store, rendered(memory(f"{HIDDEN}-2", "with him\n")), FILE[:-3] + "-2.md")

    assert purge.purge(store, [f"{HIDDEN}-2", HIDDEN]) == 2

    subjects = asked(store, "log", "--format=%B").split("\n\n")
    assert subjects == [
        "mem: edited by hand",
        "mem: import 2 memories",
        "mem: purged",
        "mem(decision): add Tea",
        "mem: purged",
        "mem: purged",
        "mem(decision): add Tea",
        "mem: init",
    ]
    assert held(store, b"affair") == []


def test_nothing_to_purge_changes_nothing(store):
    before = asked(store, "rev-parse", "HEAD")

    assert purge.purge(store, ["d-2026-12-01-none"], [""]) == 0

    assert asked(store, "rev-parse", "HEAD") == before
    assert not Path(store.root, ".git/apx-purged").exists()


def test_a_copy_of_a_file_does_not_keep_it(store):
    copy = "f-2026-12-01-a-copy"
    data = Path(store.root, FILE).read_bytes()
    by_hand(store, data, f"objects/failures/{copy}.md")
    put(store, memory("p-2026-12-01-cup"))

    purge.purge(store, [copy])
    assert store.read(HIDDEN).said == "with Mallory in Rome\n"
    assert purge.purge(store, [HIDDEN]) == 1

    assert held(store, b"Mallory", b"affair") == []


def test_the_same_may_be_said_again_later(store):
    again = store.read(HIDDEN)
    purge.purge(store, [HIDDEN])
    put(store, again)

    assert purge.purge(store, [NAME]) == 1

    assert store.read(HIDDEN) == again
    assert len(history.of(store, HIDDEN)) == 1


def test_a_lock_of_the_index_is_told_and_the_next_purge_ends_it(store):
    lock = Path(store.root, ".git/index.lock")
    lock.write_bytes(b"")
    with pytest.raises(MemFault):
        purge.purge(store, [HIDDEN])
    lock.unlink()

    purge.purge(store, [HIDDEN])

    assert held(store, b"Mallory", b"affair") == []
    check_clean(store)


def test_where_something_would_keep_it_it_is_refused(store, tmp_path):
    asked(store, "worktree", "add", "--quiet", str(tmp_path / "other"))
    with pytest.raises(MemFault) as caught:
        purge.purge(store, [HIDDEN])
    assert "working trees" in str(caught.value)
    asked(store, "worktree", "remove", str(tmp_path / "other"))
    asked(store, "checkout", "--quiet", "--detach")
    with pytest.raises(MemFault):
        purge.purge(store, [HIDDEN])


KILLED = """
import os, sys
from apx.mem import git, purge
from apx.mem.store import Store

left = int(sys.argv[2])
run = git.run


def counted(*args, **words):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    return run(*args, **words)


git.run = counted
purge.purge(Store(sys.argv[1]), [sys.argv[3]])
"""


def test_a_kill_at_each_step_is_ended_by_the_next_one(store):
    for step in range(1, 40, 1 if LONG else 2):
        put(store, memory(HIDDEN, f"with Mallory, {step}\n", title="The affair"))
        words = [sys.executable, "-S", "-c", KILLED, store.root, str(step), HIDDEN]
        code = subprocess.run(words, check=False).returncode
        purge.purge(store, [HIDDEN])
        assert held(store, b"Mallory", b"affair") == []
        if code == 0:
            break
    else:
        raise AssertionError
    assert step > 8
    check_clean(store)


def test_what_the_remote_still_has_stays_out_and_is_told(tmp_path, bare, one, two):
    put(one, memory(HIDDEN, "with Mallory\n"))
    sync(one)
    sync(two)
    assert purge.unreached(one) == ["origin"]
    purge.purge(one, [HIDDEN])
    said(one, "black\n")
    said(two, "white\n", tags=("hot",))
    put(two, memory("h-2026-12-01-pot"))
    sync(two)

    told = sync(one)

    assert "purged" in str(told["remarks"])
    assert not Path(one.root, FILE).exists()
    assert one.read("h-2026-12-01-pot") == two.read("h-2026-12-01-pot")
    assert told["merged"] == [NAME]
    assert sorted(one.read(NAME).said.split("\n"))[-2:] == ["black", "white"]
    with pytest.raises(MemFault):
        history.last(one, HIDDEN)
    sync(two)
    assert tree(one) == tree(two)
    assert not Path(two.root, FILE).exists()
    assert HIDDEN not in str(sorted(texts(cloned(bare, tmp_path / "three"))))
    assert sync(one)["outcome"] == "no-change"


def test_what_was_not_purged_is_not_merged_with_itself(one, two):
    """The new history and the old one know no common commit."""
    put(one, memory(HIDDEN, "with Mallory\n"))
    put(one, memory("h-2026-12-01-pot", "iron\n"))
    sync(one)
    purge.purge(one, [NAME])
    said(one, "steel\n", "h-2026-12-01-pot")
    purge.purge(one, [HIDDEN])

    told = sync(one)
    sync(two)

    assert told["merged"] == []
    assert one.read("h-2026-12-01-pot").said == "steel\n"
    assert one.read("h-2026-12-01-pot").confidence == 0.7
    assert sorted(texts(two)) == sorted(texts(one))
    assert PATH not in texts(one)
    assert rendered(one.read("h-2026-12-01-pot")) in texts(two).values()


def test_what_is_said_again_is_not_joined_with_what_was_purged(one):
    """Not even where it is no more known which commits were the same."""
    put(one, memory(HIDDEN, "with Mallory\n"))
    sync(one)
    purge.purge(one, [HIDDEN])
    note = Path(one.root, ".git/apx-purged")
    lines = note.read_text().splitlines(keepends=True)
    note.write_text("".join(line for line in lines if not line.startswith("became")))
    put(one, memory(HIDDEN, "with nobody\n"))

    told = sync(one)

    assert one.read(HIDDEN).said == "with nobody\n"
    assert "purged" in str(told["remarks"])


def test_an_edit_elsewhere_does_not_bring_it_back(one, two):
    put(one, memory(HIDDEN, "with Mallory\n"))
    sync(one)
    sync(two)
    purge.purge(one, [HIDDEN])
    said(two, "with Mallory in Rome\n", HIDDEN)
    sync(two)

    told = sync(one)
    sync(two)

    assert "purged" in str(told["remarks"])
    assert tree(one) == tree(two)
    assert FILE not in texts(one)
