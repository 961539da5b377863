"""Git is not asked when nothing can have changed, and whenever something may have."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from apx.mem import cache, git, scan
from apx.mem.memory import Memory
from apx.mem.store import Store
from tests.mem.clones import asked

if TYPE_CHECKING:
    from apx.mem.memory import Value

NAME = "d-2026-12-01-tea"
PATH = f"objects/decisions/{NAME}.md"
OTHER = "objects/decisions/d-2026-12-01-old.md"
BY_HAND = "mem: edited by hand"


@pytest.fixture(autouse=True)
def _settings(tmp_path, monkeypatch):
    """A file for settings of git's, which is not there yet."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))


@pytest.fixture
def ran(monkeypatch):
    """Give what git is asked."""
    asked, run = [], git.run

    def heard(root, *words, **more):
        asked.append(next(word for word in words if word[0] != "-" and "=" not in word))
        return run(root, *words, **more)

    monkeypatch.setattr(git, "run", heard)
    return asked


@pytest.fixture
def store(tmp_path):
    """A store in which all is in HEAD, and known to be."""
    store = Store(str(tmp_path / "mem"), wait=5)
    store.init()
    put(store, "d-2026-12-01-old")
    put(store)
    return store


def put(store: Store, name: str = NAME, body: bytes = b"green\n") -> None:
    memory = Memory({"id": name, "type": "decision", "title": "Tea"}, body)
    with store.writing() as writing:
        writing.put(memory)
        writing.commit("mem: put")


def test_who_writes_alone_has_git_look_no_more(store, ran):
    """Also when what was written is so new that its times tell nothing."""
    for number in range(3):
        put(store, body=b"%d\n" % number)
        put(store, f"d-2026-12-01-new{number}")
    assert set(ran) == {"fast-import", "update-index"}
    assert asked(store, "status", "--porcelain") == ""
    assert asked(store, "rev-list", "--count", "HEAD") == "9"
    told = Path(store.root, ".git/apx-settled").read_text()
    assert "new" not in told


def test_after_a_batch_git_is_asked_once(store, ran, monkeypatch):
    """What was told before it says nothing of so many files, and is told anew."""
    names = [f"d-2026-12-01-b{number}" for number in range(25)]
    with store.writing() as writing:
        for name in names:
            fields: dict[str, Value] = {"id": name, "type": "decision", "title": name}
            writing.put(Memory(fields, b""))
        writing.commit("mem: import")
    tick = 20_000_000
    monkeypatch.setattr(scan, "TICK_NS", tick)
    last = Path(store.root, f"objects/decisions/{names[-1]}.md").stat().st_ctime_ns
    while time.time_ns() <= last + tick:
        pass
    put(store, "d-2026-12-01-next")
    assert "status" in ran
    ran.clear()
    put(store, "d-2026-12-01-last")
    assert set(ran) == {"fast-import", "update-index"}


def test_an_edit_that_leaves_all_times_as_they_were_is_seen(store, ran, monkeypatch):
    """Within one tick of the clock: other bytes, as many as before."""
    file = Path(store.root, PATH)
    at = file.stat()
    # Not set back on the disk as well: git looks at whole seconds, and within that of
    # our commit it would see nothing either.
    file.write_bytes(file.read_bytes().replace(b"green", b"black"))
    stat = os.stat

    def stopped(path, **more):
        """Give the time of the change as it was, which nobody can set."""
        now = stat(path, **more)
        if now.st_ino == at.st_ino:
            return at
        return now

    monkeypatch.setattr(os, "stat", stopped)
    assert scan.Look(store.root, "decisions", 0).young
    put(store, "d-2026-12-01-next")
    assert "status" in ran
    assert BY_HAND in asked(store, "log", "--format=%s")


def changed(store: Store) -> None:
    Path(store.root, OTHER).write_bytes(b"---\ntitle: x\n---\nmine\n")


def added(store: Store) -> None:
    Path(store.root, "objects/own").mkdir()
    Path(store.root, "objects/own/d-x.md").write_bytes(b"---\ntitle: x\n---\n")


def removed(store: Store) -> None:
    Path(store.root, OTHER).unlink()


def renamed(store: Store) -> None:
    Path(store.root, OTHER).rename(Path(store.root, OTHER).with_name("d-y.md"))


def exchanged(store: Store) -> None:
    """Two files of one size change places."""
    one, two = Path(store.root, OTHER), Path(store.root, PATH)
    one.rename(one.with_suffix(".x"))
    two.rename(one)
    one.with_suffix(".x").rename(two)


@pytest.mark.parametrize("edit", [changed, added, removed, renamed, exchanged])
@pytest.mark.parametrize("is_meanwhile", [False, True])
def test_what_a_person_does_is_committed(store, monkeypatch, edit, is_meanwhile):
    """Before a write, or in the midst of it."""
    if is_meanwhile:
        commit = git.commit

        def after(*words):
            monkeypatch.setattr(git, "commit", commit)
            edit(store)
            return commit(*words)

        monkeypatch.setattr(git, "commit", after)
    else:
        edit(store)
    put(store, "d-2026-12-01-next")
    put(store, "d-2026-12-01-last")
    assert BY_HAND in asked(store, "log", "--format=%s")
    assert asked(store, "status", "--porcelain") == ""


@pytest.mark.parametrize("name", [".gitignore", ".git/index", "HEAD"])
def test_what_changed_beside_the_files_has_git_asked(store, ran, name):
    if name == "HEAD":
        who = ("-c", "user.name=x", "-c", "user.email=x")
        words = ("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "mine")
        asked(store, "update-ref", "HEAD", asked(store, *who, *words))
    else:
        file = Path(store.root, name)
        data = file.read_bytes()
        file.unlink()
        file.write_bytes(data)
    put(store, "d-2026-12-01-next")
    assert "status" in ran
    ran.clear()
    put(store, "d-2026-12-01-last")
    assert "status" not in ran


@pytest.mark.parametrize("data", [b"", b"\xff\x00", b"settled 1\nx\n", None])
def test_a_record_that_is_none_is_no_harm(store, ran, data):
    place = Path(store.root, ".git/apx-settled")
    place.unlink()
    if data is None:
        place.mkdir()
    else:
        place.write_bytes(data)
    put(store, "d-2026-12-01-next")
    assert "status" in ran
    assert asked(store, "status", "--porcelain") == ""


def author(store: Store, number: int) -> str:
    put(store, f"d-2026-12-01-by{number}")
    return asked(store, "log", "-1", "--format=%an <%ae>")


def test_who_signs_is_asked_once_until_it_changes(store, ran, tmp_path, monkeypatch):
    assert author(store, 1) == "apx <apx@localhost>"
    settings = tmp_path / "gitconfig"
    settings.write_text("[user]\n\tname = Ana\n\temail = ana@x.example\n")
    assert author(store, 2) == "Ana <ana@x.example>"
    assert author(store, 3) == "Ana <ana@x.example>"
    assert ran.count("config") == 1
    settings.write_text("[user]\n\tname = Ivo\n\temail = ivo@x.example\n")
    assert author(store, 4) == "Ivo <ivo@x.example>"
    asked(store, "config", "user.name", "Bea")
    assert author(store, 5) == "Bea <ivo@x.example>"
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Eve")
    assert author(store, 6) == "Eve <ivo@x.example>"


def test_settings_of_elsewhere_are_always_asked(store, ran, tmp_path, monkeypatch):
    more = tmp_path / "more"
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[user]\n\temail = a@x.example\n[include]\n\tpath = {more}\n")
    for name in ("Ana", "Ivo"):
        more.write_text(f"[user]\n\tname = {name}\n")
        assert author(store, len(ran)) == f"{name} <a@x.example>"
    settings.write_text("")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "Bea")
    assert author(store, len(ran)) == "Bea <apx@localhost>"


def test_a_name_that_is_no_text_is_told_and_in_nobodys_way(store):
    place = os.fsencode(f"{store.root}/objects/decisions") + b"/d-caf\xe9.md"
    Path(os.fsdecode(place)).write_bytes(b"---\ntitle: x\n---\n")

    put(store, body=b"black\n")
    put(store, body=b"white\n")

    assert asked(store, "status", "--porcelain") == ""
    with cache.opened(store.root) as known:
        named = "objects/decisions/d-caf\ufffd.md"
        assert known.unreadable() == [(named, "its name is not UTF-8")]
