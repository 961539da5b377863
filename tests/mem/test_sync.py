"""Two machines and a remote: all comes to the same, and no text is lost."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from apx.mem import git
from apx.mem.faults import MemFault
from apx.mem.store import Store
from apx.mem.sync import sync
from tests.mem.clones import (
    NAME,
    PATH,
    asked,
    by_hand,
    check_clean,
    drop,
    made,
    memory,
    put,
    rendered,
    run,
    said,
    texts,
    tree,
)

OTHER = "f-2026-12-01-soup"
LONG = os.environ.get("APX_LONG") == "1"
STEP = 1 if LONG else 3


def test_the_second_time_nothing_changes(one):
    assert sync(one)["outcome"] == "no-change"
    assert sync(one)["pushed"] == 0


def test_what_one_side_wrote_the_other_gets_without_a_commit_of_its_own(one, two):
    put(one, memory(OTHER))
    said(one, "black\n")
    sync(one)

    told = sync(two)

    assert (told["pulled"], told["pushed"], told["merged"]) == (2, 0, [])
    assert asked(one, "rev-parse", "HEAD") == asked(two, "rev-parse", "HEAD")
    assert texts(one) == texts(two)
    check_clean(two)


def test_both_edited_one_memory(one, two):
    said(one, "black\n", tags=("hot",), updated="2026-12-02")
    said(two, "white\n", priority=90, updated="2026-12-03")
    sync(one)

    told = sync(two)
    sync(one)

    assert told["merged"] == [NAME]
    both = one.read(NAME)
    assert both == two.read(NAME)
    assert "black" in both.said
    assert "white" in both.said
    assert (both.priority, both.tags) == (90, ("hot",))
    assert both.confidence < 0.5
    assert tree(one) == tree(two)
    assert len(asked(two, "log", "-1", "--format=%P").split()) == 2
    assert sync(two)["outcome"] == "no-change"
    check_clean(one)
    check_clean(two)


def test_both_added_the_same_id(one, two):
    put(one, memory(OTHER, "hot\n"))
    put(two, memory(OTHER, "cold\n"))
    sync(one)
    sync(two)
    sync(one)

    assert tree(one) == tree(two)
    assert {"hot", "cold"} <= set(one.read(OTHER).said.split())


@pytest.mark.parametrize("is_edited_here", [True, False])
def test_an_edit_outlives_a_removal_and_is_to_be_looked_at(one, two, is_edited_here):
    here, there = (two, one) if is_edited_here else (one, two)
    said(here, "black\n", verified="2026-12-01")
    drop(there)
    sync(one)

    told = sync(two)
    sync(one)

    assert told["merged"] == [NAME]
    kept = one.read(NAME)
    assert kept.said == "black\n"
    assert kept.confidence < 0.5
    assert kept.text("verified") == ""
    assert tree(one) == tree(two)


def test_what_both_removed_is_gone(one, two):
    drop(one)
    drop(two)
    sync(one)
    sync(two)

    assert not Path(two.root, PATH).exists()
    assert sync(one)["merged"] == []


def test_edits_by_hand_come_along(one, two):
    by_hand(one, rendered(memory(body="by hand\n")))
    by_hand(two, rendered(memory(OTHER, "new\n")), f"objects/failures/{OTHER}.md")

    sync(one)
    sync(two)
    sync(one)

    assert texts(one) == texts(two)
    assert one.read(NAME).said == "by hand\n"
    assert one.read(OTHER).said == "new\n"


def test_a_memory_that_cannot_be_read_gives_way_to_one_that_can(one, two):
    by_hand(one, b"no frontmatter\n")
    said(two, "white\n")
    sync(one)

    told = sync(two)

    assert two.read(NAME).said == "white\n"
    assert NAME in str(told["remarks"])


def test_of_two_that_cannot_be_read_ours_stays(one, two):
    by_hand(one, b"no frontmatter\n")
    by_hand(two, b"none here neither\n")
    sync(one)

    told = sync(two)

    assert Path(two.root, PATH).read_bytes() == b"none here neither\n"
    assert "either side" in str(told["remarks"])
    check_clean(two)


def test_a_persons_own_files(one, two):
    """Ours wins where both changed them; else they come, links in git alone."""
    by_hand(one, b"theirs\n", "README.md")
    by_hand(one, b"#!/bin/sh\n", "tools/run.sh")
    Path(one.root, "tools/run.sh").chmod(0o755)
    Path(one.root, "link").symlink_to("/etc/passwd")
    by_hand(two, b"ours\n", "README.md")
    for store in (one, two):
        asked(store, "add", ".")
        asked(store, "commit", "--quiet", "-m", "docs: by hand")
    sync(one)

    sync(two)

    assert Path(two.root, "README.md").read_bytes() == b"ours\n"
    assert os.access(Path(two.root, "tools/run.sh"), os.X_OK)
    assert not os.path.lexists(Path(two.root, "link"))
    assert asked(two, "ls-tree", "HEAD", "link").startswith("120000")
    sync(one)
    assert tree(one) == tree(two)
    assert os.path.lexists(Path(one.root, "link"))
    check_clean(one)


def test_a_file_that_is_being_edited_is_not_written_over(one, two):
    by_hand(one, b"theirs\n", "README.md")
    asked(one, "add", ".")
    asked(one, "commit", "--quiet", "-m", "docs: by hand")
    sync(one)
    by_hand(two, b"not committed yet\n", "README.md")
    before = asked(two, "rev-parse", "HEAD")

    with pytest.raises(MemFault) as caught:
        sync(two)

    assert caught.value.code == "edited"
    assert Path(two.root, "README.md").read_bytes() == b"not committed yet\n"
    assert asked(two, "rev-parse", "HEAD") == before
    Path(two.root, "README.md").unlink()
    sync(two)
    check_clean(two)


def test_what_a_person_saves_while_theirs_lands_stays(one, two, tmp_path, monkeypatch):
    """Whatever git says by then: the file is theirs, and committed with the next."""
    said(one, "theirs\n")
    sync(one)
    mine = tmp_path / "mine.md"
    mine.write_bytes(b"---\ntitle: Tea\n---\nby hand\n")
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    saving = f"cp {mine} {two.root}/{PATH}"
    landing = '*"update-ref -m mem: sync HEAD"*'
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in {landing}) {saving};; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    slow.chmod(0o700)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")

    sync(two)

    assert Path(two.root, PATH).read_bytes().endswith(b"by hand\n")


def test_a_cache_that_somebody_committed_is_in_nobodys_way(one, two):
    by_hand(one, b"of one\n", ".cache/mem.db")
    by_hand(two, b"of two\n", ".cache/mem.db")
    by_hand(one, b"half\n", "objects/decisions/.apx-0.new")
    asked(one, "add", "--force", ".")
    asked(one, "commit", "--quiet", "-m", "all that there is")
    said(one, "white\n")
    sync(one)
    by_hand(one, b"of one, later\n", ".cache/mem.db")

    for store in (two, one, two):
        sync(store)

    assert tree(one) == tree(two)
    assert asked(one, "ls-files", ".cache") == ""
    assert Path(one.root, ".cache/mem.db").read_bytes() == b"of one, later\n"
    assert Path(two.root, ".cache/mem.db").read_bytes() == b"of two\n"
    assert not Path(two.root, "objects/decisions/.apx-0.new").exists()
    assert sync(one)["outcome"] == sync(two)["outcome"] == "no-change"
    check_clean(one)
    check_clean(two)


def test_a_link_instead_of_a_memory_does_not_come_in(tmp_path, one, two):
    secret = tmp_path / "secret"
    secret.write_text("mine\n")
    path = f"objects/failures/{OTHER}.md"
    Path(one.root, "objects/failures").mkdir()
    Path(one.root, path).symlink_to(secret)
    asked(one, "add", ".")
    asked(one, "commit", "--quiet", "-m", "a link")
    asked(one, "push", "--quiet", "origin", "HEAD:trunk")
    said(two, "white\n")

    told = sync(two)

    assert not os.path.lexists(Path(two.root, path))
    assert path in str(told["remarks"])
    assert asked(two, "ls-tree", "-r", "--name-only", "HEAD", "--", path) == ""


def test_two_stores_without_a_common_history_are_united(tmp_path, bare, one):
    other = made(tmp_path / "other")
    put(other, memory(OTHER))
    put(other, memory(body="another tea\n"))

    told = sync(other, bare)
    sync(one)

    assert told["merged"] == [NAME]
    assert tree(one) == tree(other)
    assert {"green", "another"} <= set(one.read(NAME).said.split())
    assert one.read(OTHER) == other.read(OTHER)
    check_clean(other)


@pytest.mark.usefixtures("one")
def test_a_store_whose_head_leads_nowhere_yet(tmp_path, bare):
    empty = tmp_path / "two"
    run("init", "--quiet", "--initial-branch=main", str(empty))
    (empty / "objects").mkdir()

    sync(Store(str(empty)), bare)

    assert Store(str(empty)).read(NAME) == memory()
    check_clean(Store(str(empty)))


def test_syncs_at_once_of_one_store_and_of_two(one, two):
    for number in range(4):
        put(one, memory(f"{OTHER}-{number}"))
        put(two, memory(f"{OTHER}-{number + 10}"))
    left: list[MemFault] = []

    def synced(store):
        try:
            sync(store)
        except MemFault as fault:
            left.append(fault)

    threads = [threading.Thread(target=synced, args=(it,)) for it in (one, one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not left
    sync(one)
    sync(two)
    assert texts(one) == texts(two)
    check_clean(one)
    check_clean(two)


def test_a_foreign_lock_of_the_index_is_left_alone(one, two):
    said(one, "black\n")
    sync(one)
    lock = Path(two.root, ".git/index.lock")
    lock.write_bytes(b"")

    sync(two)

    assert two.read(NAME).said == "black\n"
    assert lock.exists()
    lock.unlink()
    put(two, memory(OTHER))
    check_clean(two)


def test_a_clone_without_a_branch_of_its_own(one, two):
    asked(two, "checkout", "--quiet", "--detach")
    said(one, "black\n")
    said(two, "white\n")
    sync(one)
    sync(two)

    assert {"black", "white"} <= set(two.read(NAME).said.split())
    sync(one)
    assert texts(one) == texts(two)


def test_a_shallow_clone_works_a_partial_one_is_refused(tmp_path, bare, one):
    said(one, "black\n")
    sync(one)
    place = tmp_path / "shallow"
    run("clone", "--quiet", "--depth=1", f"file://{bare}", str(place))
    store = Store(str(place))
    said(one, "white\n")
    sync(one)
    said(store, "red\n")
    sync(store)

    assert {"white", "red"} <= set(store.read(NAME).said.split())
    asked(store, "config", "extensions.partialClone", "origin")
    asked(store, "config", "core.repositoryFormatVersion", "1")
    with pytest.raises(MemFault) as caught:
        sync(store)
    assert caught.value.code == "partial"


KILLED = """
import os, sys
from apx.mem import git, joining, landing, mending
from apx.mem.store import Store
from apx.mem.sync import sync

left = None


def counted(call):
    def counting(*args, **words):
        global left
        if left is not None:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), 9)
        return call(*args, **words)

    return counting


def decided(*args):
    global left
    made = joint(*args)
    left = int(sys.argv[2])
    return made


joint, joining.joint = joining.joint, decided
for module, names in (
    (git, ["run"]),
    (landing.files, ["write", "sync"]),
    (mending, ["move"]),
    (landing.journal, ["begin", "end"]),
):
    for name in names:
        setattr(module, name, counted(getattr(module, name)))
sync(Store(sys.argv[1]))
"""


@pytest.mark.parametrize("is_forward", [True, False])
def test_a_kill_at_each_step_loses_nothing(tmp_path, bare, one, two, is_forward):
    """Of a merge at each one; going forward is a part of that, so at a few."""
    put(one, memory(OTHER, "hot\n"), memory(f"{OTHER}-2", "cold\n"))
    said(one, "black\n")
    sync(one)
    if not is_forward:
        said(two, "white\n")
    for step in range(1, 100, STEP * 2 if is_forward else STEP):
        place = tmp_path / f"killed-{step}"
        shutil.copytree(two.root, place)
        shutil.copytree(bare, f"{place}.git")
        store = Store(str(place), wait=5)
        asked(store, "config", "remote.origin.url", f"{place}.git")
        words = [sys.executable, "-S", "-c", KILLED, str(place), str(step)]
        code = subprocess.run(words, check=False).returncode
        put(store, memory(f"{OTHER}-3"))
        check_clean(store)
        sync(store)
        check_clean(store)
        assert store.read(f"{OTHER}-2").said == "cold\n"
        told = store.read(NAME).said
        assert told.count("black") == 1
        assert told.count("white") == (not is_forward)
        if code == 0:
            break
    else:
        raise AssertionError
    assert step > 10


@pytest.mark.parametrize("seed", range(30 if LONG else 1))
def test_random_lives_of_two_clones(one, two, seed):
    """Whoever removed a text has it removed, unless somebody wrote to it meanwhile."""
    chance = random.Random(seed)  # noqa: S311 -- a test
    written: set[str] = set()
    for step in range(30):
        for store in (one, two):
            text = f"text {seed}.{step}.{store.root[-3:]}."
            name = f"{chance.choice('df')}-2026-12-01-m{chance.randrange(4)}"
            written.add(text)
            written -= lived(store, chance, name, text)
        if chance.random() < 0.3:
            sync(chance.choice((one, two)))
    told = [sync(store)["outcome"] for store in (one, two) * 3]

    assert told[-2:] == ["no-change", "no-change"]
    assert tree(one) == tree(two)
    assert git.head(one.root) == git.head(two.root)
    every = b"\n".join(texts(one).values()).decode()
    assert {text for text in written if text not in every} == set()
    check_clean(one)
    check_clean(two)


def lived(store: Store, chance: random.Random, name: str, text: str) -> set[str]:
    """Do something to a memory; give the texts that nobody is to miss."""
    try:
        now = store.read(name)
    except MemFault:
        put(store, memory(name, f"{text}\n"))
        return set()
    kind = chance.randrange(10)
    if kind == 0:
        drop(store, name)
        return {text, *now.said.split("\n")}
    if kind == 1:
        put(store, now.changed(status="archived", version=now.version + 1))
        return {text}
    later = now.changed(tags=(f"t{chance.randrange(9)}",)).saying(
        f"{now.said}\n{text}\n".encode()
    )
    if kind < 4:
        by_hand(store, rendered(later), later.path)
    else:
        put(store, later.changed(version=now.version + 1, updated="2026-12-02"))
    return set()
