"""Doctor and status: each trouble is named with what to do, and reading goes on."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from apx.mem import cache, health
from apx.mem.faults import MemFault
from apx.mem.store import Store
from apx.mem.sync import sync
from apx.mem.wanted import parsed
from tests.mem.clones import (
    NAME,
    PATH,
    asked,
    by_hand,
    check_clean,
    memory,
    put,
    run,
    said,
)


def report(store: Store) -> dict[str, Any]:
    with cache.opened(store.root) as known:
        return dict(health.report(store, known))


def problems(store: Store) -> str:
    return "\n".join(
        f"{one['problem']} -> {one['do']}" for one in report(store)["problems"]
    )


def test_a_store_without_trouble(one, bare):
    put(one, memory("f-2026-12-01-soup").changed(status="archived"))

    told = report(one)

    assert told["problems"] == []
    assert (told["total"], told["active"], told["archived"]) == (2, 1, 1)
    assert (told["ahead"], told["behind"], told["uncommitted"]) == (1, 0, 0)
    assert told["remote"] == f"origin {bare}"
    assert str(told["commit"]).endswith("mem(decision): add Tea")
    assert str(told["size"]).endswith("MB")


def test_how_far_it_is_from_its_remote(one, two):
    said(one, "black\n")
    sync(one)
    asked(two, "fetch", "--quiet")
    put(two, memory("f-2026-12-01-soup"))

    told = report(two)

    assert (told["ahead"], told["behind"]) == (1, 1)


def test_a_password_in_an_address_is_not_told(one):
    asked(one, "remote", "set-url", "origin", "https://ada:hunter2@localhost/mem")

    assert report(one)["remote"] == "origin https://localhost/mem"


def test_files_that_are_no_memories_and_names_that_differ(one):
    by_hand(one, b"nothing\n")
    other = "objects/failures/f-2026-12-01-soup.md"
    by_hand(one, b"---\nid: f-1\ntype: decision\ntitle: Soup\n---\n\nhot\n", other)

    told = problems(one)

    assert f"{PATH} cannot be read: " in told
    assert f"{other} says id: f-1, its name says f-2026-12-01-soup" in told
    assert f"{other} says type: decision, its name says failure" in told
    assert report(one)["uncommitted"] == 2


def test_a_quick_look_does_without_the_history(one):
    blob = asked(one, "rev-parse", f"HEAD:{PATH}")
    emptied(one, blob)

    with cache.opened(one.root) as known:
        assert health.brief(one, known)["problems"] == []


def emptied(store: Store, name: str) -> None:
    place = Path(store.root, ".git/objects", name[:2], name[2:])
    for pack in place.parent.with_name("pack").glob("*.pack"):
        # Git takes apart only what it has not.
        moved = pack.rename(Path(store.root, "..", pack.name))
        pack.with_suffix(".idx").unlink()
        with moved.open("rb") as data:
            words = ["git", "-C", store.root, "unpack-objects", "-q"]
            subprocess.run(words, stdin=data, check=True)
    place.chmod(0o600)
    place.write_bytes(b"")


@pytest.mark.parametrize("what", [f"HEAD:{PATH}", "HEAD", "HEAD^{tree}", "HEAD~1"])
def test_an_emptied_object_and_the_way_out(one, bare, what):
    """The way that is told is gone, word for word."""
    emptied(one, asked(one, "rev-parse", what))

    told = report(one)

    (trouble,) = told["problems"]
    assert "fatal" in trouble["problem"] or "error" in trouble["problem"]
    move, _, rest = trouble["do"].partition(" && ")
    assert rest.startswith("apx mem init && apx mem sync --remote URL")
    subprocess.run(shlex.split(move), check=True)
    again = Store(one.root)
    again.init()
    assert again.read(NAME) == memory()
    sync(again, bare)
    assert problems(again) == ""
    check_clean(again)


def test_a_head_that_leads_nowhere(one):
    was = asked(one, "rev-parse", "HEAD")
    Path(one.root, ".git/refs/heads/main").unlink()

    told = report(one)

    assert told["problems"][0]["do"].startswith(
        f"git -C {one.root} update-ref HEAD {was}"
    )
    asked(one, "update-ref", "HEAD", was)
    assert problems(one) == ""


def test_a_damaged_index_may_be_deleted(one):
    index = Path(one.root, ".git/index")
    index.write_bytes(b"rubbish" * 10)

    told = problems(one)

    do = f"rm {index} && git -C {one.root} reset"
    assert do in told
    subprocess.run(do, shell=True, check=True, capture_output=True)  # noqa: S602 -- as a person does
    put(one, memory("f-2026-12-01-soup"))
    check_clean(one)


def test_a_damaged_pack_is_not_taken_for_the_index(one):
    """To delete the index would help nobody."""
    asked(one, "gc", "--quiet")
    for pack in Path(one.root, ".git/objects/pack").glob("*.idx"):
        pack.chmod(0o600)
        pack.write_bytes(b"")

    told = problems(one)

    assert "reset" not in told
    assert "the files are whole" in told


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/{branch}.lock"])
def test_what_keeps_every_write_away_is_named(one, name):
    """Whoever was killed there leaves a lock that git itself never removes."""
    branch = asked(one, "symbolic-ref", "--short", "HEAD")
    lock = Path(one.root, ".git", name.format(branch=branch))
    lock.write_bytes(b"")
    assert problems(one) == ""
    long_ago = time.time() - 3600
    os.utime(lock, (long_ago, long_ago))

    assert f"rm {lock}" in problems(one)


@pytest.mark.parametrize("damage", ["config", "HEAD", "packed-refs"])
def test_a_broken_repository_does_not_hide_the_memories(one, damage):
    Path(one.root, ".git", damage).write_bytes(b"\0rubbish[")

    told = report(one)

    assert told["total"] == 1
    assert "the files are whole" in str(told["problems"])
    assert one.read(NAME) == memory()


def test_without_git_the_memories_are_told_all_the_same(one, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    told = report(one)

    assert told["total"] == 1
    assert [trouble["do"] for trouble in told["problems"]] == ["install git"]


def test_what_is_left_open(one):
    lock = Path(one.root, ".git/index.lock")
    lock.write_bytes(b"")
    assert problems(one) == ""
    long_ago = time.time() - 3600
    os.utime(lock, (long_ago, long_ago))
    Path(one.root, ".git/MERGE_HEAD").write_bytes(b"")
    Path(one.root, ".git/apx-purged").write_text("pending 12\n")

    told = problems(one)

    assert f"rm {lock}" in told
    assert "merge --abort" in told
    assert "apx mem purge" in told


def test_no_store_is_no_trouble_of_its_own(tmp_path):
    with pytest.raises(MemFault):
        Store(str(tmp_path / "none")).check()


def test_slips_of_the_pen_are_named_and_hide_nothing(one):
    """A rule whose status is misspelt is a rule still."""
    path = f"{one.root}/{PATH}"
    said_before = Path(path).read_text()
    slips = "status: actve\npriority: hgih\nverified: 2026-13-41\n"
    Path(path).write_text(said_before.replace("title:", f"{slips}title:", 1))

    with cache.opened(one.root) as known:
        assert [row["status"] for row in known.rows(parsed())] == ["active"]
    told = problems(one)

    for slip in ("status: actve, which counts as active", "priority: hgih, which"):
        assert f"{PATH} says {slip}" in told
    assert "verified: 2026-13-41, which counts as nothing" in told


def test_what_says_nothing_is_no_slip_but_a_title_is_missed(one):
    """Other programs write null for what is not known."""
    path = Path(one.root, PATH)
    nothing = "verified: null\nstatus: ~\npriority: ''\nupdated: # never\n"
    path.write_text(f"---\ntitle: Tea\n{nothing}---\n")
    assert problems(one) == ""

    path.write_text(f"---\n{nothing}---\n")

    assert f"{PATH} has no title -> edit" in problems(one)


def test_a_credential_of_an_editor_is_in_no_commit(one, bare):
    """Neither of this machine nor of another; who wrote it is told."""
    secret = "hunter" + "2-Qx91-lmz"
    by_hand(one, f"password: {secret}".encode())

    put(one, memory("f-2026-12-01-soup"))
    sync(one)

    assert "looks like it holds a credential" in problems(one)
    for root in (one.root, bare):
        assert run("-C", root, "log", "--all", f"-S{secret}", "--oneline") == ""
