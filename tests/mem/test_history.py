"""What a memory said earlier."""

from __future__ import annotations

import pytest

from apx.mem import frontmatter, history
from apx.mem.faults import MemFault
from apx.mem.sync import sync
from tests.mem.clones import (
    NAME,
    asked,
    by_hand,
    drop,
    made,
    memory,
    put,
    rendered,
    said,
)


@pytest.fixture
def store(tmp_path):
    store = made(tmp_path / "mem")
    put(store, memory())
    return store


def test_each_commit_with_the_version_that_it_made(store):
    said(store, "black\n")
    by_hand(store, b"nothing to read\n")
    put(store, memory("f-2026-12-01-soup"))

    told = history.of(store, NAME)

    assert [entry["version"] for entry in told] == [None, 2, 1]
    assert told[0]["subject"] == "mem: edited by hand"
    assert told[0]["commit"] == asked(store, "rev-parse", "HEAD~1")
    assert len(str(told[0]["date"])) == len("2026-12-01")
    assert history.of(store, NAME, 1) == told[:1]


def test_the_content_before_the_newest_commit(store):
    assert history.before(store, NAME) is None
    said(store, "black\n")

    assert history.before(store, NAME) == rendered(memory())
    assert history.before(store, "d-2026-12-01-none") is None


def test_a_removed_memory_is_still_known(store):
    said(store, "black\n")
    drop(store)

    assert frontmatter.parse(NAME, history.last(store, NAME)).said == "black\n"
    assert [entry["version"] for entry in history.of(store, NAME)] == [None, 2, 1]


def test_a_persons_settings_of_git_change_nothing(store):
    """Nor is another memory its past because it said the same."""
    for key, value in (("log.follow", "true"), ("log.date", "iso")):
        asked(store, "config", key, value)
    other = "d-2026-12-01-coffee"
    with store.writing() as writing:
        writing.remove(store.read(NAME))
        writing.put(memory(other))
        writing.commit("mem(decision): add Coffee")

    assert [entry["subject"] for entry in history.of(store, other)] == [
        "mem(decision): add Coffee"
    ]


def test_after_a_merge_both_sides_are_told(one, two):
    said(one, "black\n")
    said(two, "white\n")
    sync(one)
    sync(two)

    told = history.of(two, NAME)

    assert [entry["subject"] for entry in told].count("mem(decision): add Tea") == 3
    assert told[0]["subject"] == "mem: sync with origin"
    assert history.before(two, NAME) == rendered(
        memory(body="white\n").changed(version=2)
    )


@pytest.mark.parametrize("name", ["x-1", "", "d-a/../b", "d-\n", "d-2026-12-01-none"])
def test_what_never_was_is_not_found(store, name):
    with pytest.raises(MemFault) as caught:
        history.last(store, name)

    assert caught.value.code == "not_found"


def test_a_store_without_a_commit(store):
    asked(store, "update-ref", "-d", "HEAD")

    assert history.of(store, NAME) == []
    assert history.before(store, NAME) is None
