"""What hands and editors leave in a store: links, broken files, other names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import toon_format

from apx.cli.mem import main
from apx.mem import actions, history, purge
from apx.mem.faults import MemFault
from apx.mem.store import Store
from tests.mem.clones import (
    NAME,
    PATH,
    asked,
    by_hand,
    check_clean,
    made,
    memory,
    put,
    rendered,
    said,
)

DAY = "2026-12-05"
OTHER = "d-2026-12-02-coffee"
POT = "h-2026-12-01-pot"


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A store with a memory, to be copied."""
    place = tmp_path_factory.mktemp("begun") / "mem"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        put(made(place), memory())
    return place


@pytest.fixture
def store(begun, tmp_path):
    shutil.copytree(begun, tmp_path / "mem")
    return Store(str(tmp_path / "mem"), wait=5)


@pytest.fixture
def mem(store, capsys, monkeypatch):
    """`apx mem` on the store."""

    def run(*words, code=0):
        monkeypatch.setenv("MEM_DIR", store.root)
        assert main(words) == code
        return toon_format.decode(capsys.readouterr().out, strict=True, indent_size=2)

    return run


def test_what_was_brought_back_and_is_merged_again_stands_there_once(store):
    """Unless it says something else by then."""
    put(store, memory(OTHER, "black\n", title="Coffee"))
    actions.merge(store, NAME, OTHER, today=DAY)
    once = store.read(NAME).body
    actions.restore(store, OTHER, today=DAY)

    done = actions.merge(store, NAME, OTHER, today=DAY)

    assert done.outcome == "merged"
    assert store.read(NAME).body == once
    assert store.read(OTHER).status == "archived"
    actions.restore(store, OTHER, today=DAY)
    said(store, "bla", OTHER)
    actions.merge(store, NAME, OTHER, today=DAY)
    assert store.read(NAME).said.endswith(
        "black\n\n## Merged from " + OTHER + ": Coffee\n\nbla\n"
    )


def test_the_last_version_that_can_be_read_is_brought_back(store):
    """An editor may have broken what came after it, before the file went."""
    said(store, "black\n")
    for text in (b"nothing to read\n", b"---\nnor that\n"):
        by_hand(store, text)
        put(store, memory(POT, text.decode()))
    assert history.readable(store, NAME) == (
        rendered(memory(body="black\n", version=2)),
        2,
    )
    Path(store.root, PATH).unlink()

    done = actions.restore(store, NAME, today=DAY)

    assert store.read(NAME).said == "black\n"
    assert "as of version 2: what came later cannot be read" in done.said
    check_clean(store)


def test_of_what_nobody_can_read_the_newest_is_given(store):
    """It says itself what is wrong with it."""
    by_hand(store, b"nothing to read\n", f"objects/howtos/{POT}.md")
    said(store, "black\n")

    assert history.readable(store, POT) == (b"nothing to read\n", 0)


def test_nothing_goes_through_a_link_and_its_place_is_told(store, mem, tmp_path):
    """What is behind it is in no list; that it is away is no wish to forget it."""
    put(store, memory(POT))
    folder, away = Path(store.root, "objects/howtos"), tmp_path / "away"
    away.mkdir()
    folder.rename(tmp_path / "before")
    folder.symlink_to(away)

    with pytest.raises(MemFault) as caught:
        put(store, memory("h-2026-12-01-cup"))
    put(store, memory(OTHER))

    assert caught.value.code == "link"
    assert f"{folder} is a symbolic link" in str(caught.value)
    assert list(away.iterdir()) == []
    assert asked(store, "ls-tree", "--name-only", "HEAD", "objects/howtos/") != ""
    assert "link" in mem("add", "--type=howto", "--title=x", code=1)["error"]
    (trouble,) = mem("doctor", code=1)["problems"]
    assert "objects/howtos cannot be read: it is a symbolic link" in trouble["problem"]
    folder.unlink()
    (tmp_path / "before").rename(folder)
    put(store, memory("h-2026-12-01-cup"))
    check_clean(store)
    assert mem("doctor")["outcome"] == "ok"


def test_what_is_longer_than_any_of_ours_is_cut_where_it_is_shown(store, mem):
    """And the file stays as it is."""
    long = f"title: T{'i' * 20_000}\nabstract: A{'b' * 20_000}"
    data = f"---\n{long}\n---\n\nblack\n".encode()
    by_hand(store, data, f"objects/howtos/{POT}.md")

    for words in (
        ("search", "black", "--inject"),
        ("search", "black", "--fields=title,abstract"),
        ("list", "--fields=title,abstract"),
        ("review",),
        (),
    ):
        assert len(str(mem(*words))) < 2_000
    assert mem("list", "--type=howto", "--fields=title,abstract")["mem"] == [
        {"title": f"T{'i' * 198}…", "abstract": f"A{'b' * 118}…"}
    ]
    # It is found by all that it says.
    assert [row["id"] for row in mem("search", "i" * 300)["mem"]] == [POT]
    put(store, memory(OTHER))
    assert Path(store.root, f"objects/howtos/{POT}.md").read_bytes() == data


def test_what_a_file_was_called_before_is_purged_with_it(store, mem):
    """Also two names ago; and not what is there still, such as what was copied."""
    first, then, now = (f"f-2026-12-01-{name}" for name in ("affair", "matter", "soup"))
    folder = Path(store.root, "objects/failures")
    put(store, memory(first, "with Mallory\n"), memory(POT))
    for old, new in ((first, then), (then, now)):
        (folder / f"{old}.md").rename(folder / f"{new}.md")
        said(store, f"{new}\n")
    copy = rendered(memory(first, "with Bob\n"))
    by_hand(store, copy, f"objects/failures/{then}-copy.md")
    said(store, "red\n")
    Path(store.root, f"objects/howtos/{POT}.md").unlink()
    said(store, "blue\n")

    assert history.earlier(store.root, [now]) == [first, then]
    assert mem("purge", now)["mem"] == [now, first, then]
    assert purge.purge(store, [now]) == 3

    assert "Mallory" not in asked(store, "log", "--all", "-p")
    assert first not in asked(store, "log", "--all", "--name-only", "--format=%B")
    assert store.read(f"{then}-copy").said == "with Bob\n"
    assert history.earlier(store.root, [f"{then}-copy", NAME]) == []
    assert len(history.of(store, POT)) == 2
    check_clean(store)


def test_a_copy_does_not_take_the_past_of_what_it_was_copied_from(store):
    """Although it says that it is the same memory."""
    copy = "d-2026-12-03-copy"
    old = "d-2026-12-01-leaves"
    put(store, memory(old))
    Path(store.root, f"objects/decisions/{old}.md").rename(
        Path(store.root, f"objects/decisions/{OTHER}.md")
    )
    put(store, memory(POT))
    by_hand(store, rendered(memory(OTHER)), f"objects/decisions/{copy}.md")
    by_hand(store, rendered(memory(OTHER)), f"objects/decisions/{OTHER}.md")
    put(store, memory(POT, "iron\n"))

    assert history.earlier(store.root, [copy]) == []
