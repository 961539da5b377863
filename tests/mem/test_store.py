"""The store: all that is on the disk is in history, and nothing is half."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
from hashlib import sha1
from pathlib import Path

import pytest

from apx.mem import git, writing
from apx.mem.faults import MemFault
from apx.mem.index import Index
from apx.mem.memory import Memory
from apx.mem.store import Store, place
from tests.mem.clones import asked

NAME = "d-2026-12-01-tea"
PATH = f"objects/decisions/{NAME}.md"
BY_HAND = "mem: edited by hand"


@pytest.fixture
def store(tmp_path):
    """A store with one memory."""
    store = Store(str(tmp_path / "mem"), wait=5)
    assert store.init()
    put(store, memory())
    return store


def memory(name: str = NAME, body: bytes = b"green\n") -> Memory:
    return Memory({"id": name, "type": "decision", "title": "Tea: green"}, body)


def put(store: Store, *memories: Memory) -> int:
    with store.writing() as writing:
        for one in memories:
            writing.put(one)
        return writing.commit("mem(decision): add Tea")


def subjects(store: Store) -> list[str]:
    return asked(store, "log", "--format=%s").splitlines()


def check_clean(store: Store) -> None:
    assert asked(store, "status", "--porcelain", "--untracked-files=all") == ""
    assert asked(store, "fsck", "--no-dangling") == ""
    assert list(Path(store.root, ".git/apx").iterdir()) == []
    assert list(Path(store.root, "objects").rglob(".*")) == []


def by_hand(store: Store, path: str, data: bytes) -> None:
    file = Path(store.root, path)
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_bytes(data)


def fails(store: Store, code: str, body: bytes = b"black\n") -> MemFault:
    """Try to write, and find all as it was."""
    before, head = Path(store.root, PATH).read_bytes(), git.head(store.root)
    with pytest.raises(MemFault) as caught:
        put(store, memory(body=body))
    assert caught.value.code == code, caught.value
    assert Path(store.root, PATH).read_bytes() == before
    assert git.head(store.root) == head
    assert list(Path(store.root, ".git/apx").iterdir()) == []
    assert list(Path(store.root, "objects").rglob(".*")) == []
    return caught.value


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"MEM_DIR": "/a/b/../c", "APX_HOME": "/h"}, "/a/c"),
        ({"MEM_DIR": "", "APX_HOME": "/h"}, "/h/mem"),
        ({"APX_HOME": "", "HOME": "ignored"}, "~/.apx/mem"),
        ({"MEM_DIR": "~/m"}, "~/m"),
    ],
)
def test_where_it_is(environ, wanted):
    assert place(environ) == os.path.expanduser(wanted)  # noqa: PTH111 -- it is text


def test_an_empty_home_is_no_root():
    with pytest.raises(MemFault, match="HOME is empty"):
        place({"HOME": ""})


def test_a_relative_place_where_nothing_is_any_more(tmp_path, monkeypatch):
    """A shell may stand in a directory that somebody removed."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    with pytest.raises(MemFault, match="current directory is gone") as told:
        place({"MEM_DIR": "mem"})

    assert told.value.code == "no_store"
    assert place({"MEM_DIR": "/mem"}) == "/mem"


def test_where_there_is_none_it_is_said(tmp_path):
    with pytest.raises(MemFault) as caught:
        Store(str(tmp_path / "x")).check()
    assert (caught.value.code, caught.value.hints) == ("no_store", ("apx mem init",))
    assert str(tmp_path / "x") in str(caught.value)


def test_it_is_made_once_and_private(tmp_path):
    store = Store(str(tmp_path / "a" / "b" / "mem"))
    assert store.init()
    assert not store.init()
    put(store, memory())

    assert subjects(store) == ["mem(decision): add Tea", "mem: init"]
    assert asked(store, "branch", "--show-current") == "main"
    for path in (store.root, f"{store.root}/..", ".git", PATH):
        assert not Path(store.root, path).stat().st_mode & 0o077
    check_clean(store)


def test_what_is_there_is_adopted(tmp_path):
    """Memories without a repository; a repository without memories."""
    loose = Store(str(tmp_path / "loose"))
    by_hand(loose, PATH, b"---\ntitle: Tea\n---\n")
    assert loose.init()
    assert loose.read(NAME).title == "Tea"
    check_clean(loose)

    bare = Store(str(tmp_path / "bare"))
    by_hand(bare, "README", b"mine")
    git.run(bare.root, "init", "--quiet", "-b", "trunk")
    assert bare.init()
    put(bare, memory())
    assert asked(bare, "branch", "--show-current") == "trunk"
    assert asked(bare, "status", "--porcelain") == "?? README"


def test_a_directory_of_other_things_is_left_alone(tmp_path):
    """`MEM_DIR=~` is no wish to have all of it under git."""
    (tmp_path / "letter").touch()
    with pytest.raises(MemFault) as caught:
        Store(str(tmp_path)).init()
    assert caught.value.code == "not_empty"
    assert not (tmp_path / ".git").exists()


def test_the_repository_around_it_is_not_touched(tmp_path):
    """A store inside somebody's project has its own history."""
    outer = Store(str(tmp_path / "project"))
    by_hand(outer, "main.c", b"int main;")
    git.run(outer.root, "init", "--quiet")
    inner = Store(f"{outer.root}/mem")
    by_hand(inner, "objects/decisions/x.md", b"x")
    with pytest.raises(MemFault, match="no memory store"):
        inner.check()

    assert inner.init()
    put(inner, memory())

    assert git.head(outer.root) == ""
    check_clean(inner)


def test_several_changes_are_one_commit(store):
    other = memory("d-2026-12-01-other")
    with store.writing() as writing:
        writing.put(memory(body=b"black\r\n"))
        writing.put(other)
        assert writing.read(NAME).body == b"black\r\n"
        assert store.read(NAME).body == b"green\n"
        assert writing.commit("mem: two", "why") == 2
        writing.remove(other)
        with pytest.raises(MemFault):
            writing.read(other.id)
        assert writing.commit("mem: one") == 1
        assert writing.commit("mem: nothing") == 0
        writing.put(memory(body=b"black\r\n"))
        assert writing.commit("mem: nothing") == 0

    assert subjects(store)[:2] == ["mem: one", "mem: two"]
    assert len(subjects(store)) == 4
    assert Path(store.root, PATH).read_bytes().endswith(b"black\r\n")
    check_clean(store)


def test_what_is_not_committed_is_not_written(store):
    with store.writing() as writing:
        writing.put(memory(body=b"black\n"))
    assert store.read(NAME).body == b"green\n"


@pytest.mark.parametrize("name", ["d-none", "x", "", "d/../../x", "d\0", "d" * 999])
def test_what_is_not_there_is_not_found(store, name):
    with pytest.raises(MemFault) as caught:
        store.read(name)
    assert caught.value.code == "not_found"


def test_a_link_is_not_followed(store, tmp_path):
    """A store that came from elsewhere must not show files of this person."""
    (tmp_path / "key").write_text("---\ntitle: secret\n---\n")
    Path(store.root, "objects/decisions/d-link.md").symlink_to(tmp_path / "key")
    with pytest.raises(MemFault):
        store.read("d-link")


def test_edits_by_hand_are_committed_before_a_write(store):
    """Changed, new and removed ones, staged or not, of any name; nothing else."""
    put(store, memory("d-gone"), memory("d-staged"))
    by_hand(store, PATH, b"---\ntitle: x\n---\nred\n")
    by_hand(store, 'objects/howtos/h-"neu" é.md', b"---\ntitle: y\n---\n")
    by_hand(store, "objects/decisions/d-staged.md", b"---\ntitle: z\n---\n")
    by_hand(store, "objects/decisions/d-torn.md", b"")
    by_hand(store, "objects/decisions/.d-tea.md.swp", b"x")
    by_hand(store, "notes.txt", b"x")
    Path(store.root, "objects/decisions/d-link.md").symlink_to("/dev/null")
    asked(store, "add", "objects/decisions/d-staged.md")
    Path(store.root, "objects/decisions/d-gone.md").unlink()

    with store.writing() as writing:
        writing.put(writing.read(NAME).saying(b"blue\n"))
        writing.commit("mem: blue")

    assert subjects(store)[:2] == ["mem: blue", BY_HAND]
    assert asked(store, "show", f"HEAD^:{PATH}").endswith("red")
    assert asked(store, "log", "-1", "--format=%b", "HEAD^").splitlines() == [
        PATH,
        "objects/decisions/d-gone.md",
        "objects/decisions/d-staged.md",
        'objects/howtos/h-"neu" é.md',
    ]
    assert asked(store, "status", "--porcelain", "-uall").splitlines() == [
        "?? notes.txt",
        "?? objects/decisions/.d-tea.md.swp",
        "?? objects/decisions/d-link.md",
        "?? objects/decisions/d-torn.md",
    ]


def test_memories_that_a_disk_does_not_show_are_not_forgotten(store):
    """All of them at once are gone: that is no edit."""
    put(store, *(memory(f"d-{number}") for number in range(12)))
    hidden = Path(store.root, "hidden")
    Path(store.root, "objects").rename(hidden)
    with pytest.raises(MemFault) as caught:
        put(store, memory())
    assert (caught.value.code, len(subjects(store))) == ("io", 3)

    Path(store.root, "objects").mkdir()
    with pytest.raises(MemFault, match="all 13 memories are gone") as caught:
        put(store, memory())
    assert caught.value.hints == (f"git -C {store.root} checkout -- objects",)

    asked(store, "checkout", "--", "objects")
    put(store, memory(body=b"black\n"))
    assert BY_HAND not in subjects(store)


def test_marks_of_a_conflict_are_no_edit(store):
    """Somebody merges by hand and has not finished."""
    who = ("-c", "user.name=x", "-c", "user.email=x")
    asked(store, "branch", "other")
    put(store, memory(body=b"black\n"))
    asked(store, "checkout", "-q", "other")
    put(store, memory(body=b"red\n"))
    with pytest.raises(subprocess.CalledProcessError):
        asked(store, *who, "merge", "-q", "main")

    hints = fails(store, "git").hints

    asked(store, *hints[0].split()[3:])
    assert put(store, memory(body=b"blue\n")) == 1
    check_clean(store)


def test_a_lock_of_the_index_is_waited_for_by_nobody(store):
    """It is left alone, and when it is gone, the index is brought in line."""
    lock = Path(store.root, ".git/index.lock")
    lock.write_bytes(b"theirs")
    assert put(store, memory("d-one"), memory(body=b"black\n")) == 2
    with store.writing() as writing:
        writing.remove(memory("d-one"))
        writing.commit("mem: remove")
    assert lock.read_bytes() == b"theirs"
    assert len(subjects(store)) == 4
    assert asked(store, "status", "--porcelain") != ""

    lock.unlink()
    put(store, memory("d-two"))

    check_clean(store)
    assert BY_HAND not in subjects(store)


def test_what_a_person_saves_while_it_is_committed_is_kept(store, tmp_path):
    """Both are in history, theirs last."""
    before(
        tmp_path,
        f'case "$*" in *fast-import*) printf "%s" "---\ntitle: mine\n---\n"'
        f" > {store.root}/{PATH};; esac",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
        assert put(store, memory(body=b"black\n")) == 1
    assert store.read(NAME).title == "mine"
    assert asked(store, "show", f"HEAD:{PATH}").endswith("black")

    with store.writing():
        pass
    assert subjects(store)[0] == BY_HAND
    check_clean(store)


def before(tmp_path: Path, script: str) -> None:
    """Put a script before git."""
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\n{script}\nexec {git.program()} "$@"\n')
    fake.chmod(0o755)


def test_where_a_file_has_one_name_only_the_index_is_written_itself(store, monkeypatch):
    """On a stick, or in a store that belongs to a group."""

    def link(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    put(store, memory("d-one"), memory(body=b"black\n"))
    check_clean(store)


def test_the_index_is_brought_in_line_by_whoever_writes(store):
    """Without having looked at all of it, and without losing the rest of it."""
    put(store, memory("d-one"))
    data = store.read(NAME).raw
    by_hand(store, PATH, data)
    git.commit(store.root, {PATH: data}, "mem: by another way")
    index = Index(store.root)
    assert index.bring([PATH])
    index.clear()
    check_clean(store)


def test_what_somebody_staged_meanwhile_is_kept(store, tmp_path):
    """Of their own files; we bring in line only ours."""
    by_hand(store, "notes.txt", b"x")
    by_hand(store, "more.txt", b"x")
    asked(store, "add", "notes.txt")
    before(
        tmp_path,
        f'case "$*" in *update-index*) [ -e {tmp_path}/met ] ||'
        f" (touch {tmp_path}/met; unset GIT_INDEX_FILE;"
        f" {git.program()} -C {store.root} add more.txt);; esac",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
        put(store, memory(body=b"black\n"))
    assert asked(store, "status", "--porcelain") == "A  more.txt\nA  notes.txt"


def test_locks_of_a_git_that_was_killed_are_removed(store):
    """Of ours, as the journal tells; nobody else's are."""
    refs = [Path(store.root, ".git", name) for name in ("HEAD.lock",)]
    refs += [Path(store.root, ".git/refs/heads/main.lock")]
    for lock in refs:
        lock.touch()
    told = fails(store, "git")
    assert told.hints[0].startswith("if no git works there any more: rm /")
    assert all(lock.exists() for lock in refs)
    for lock in refs:
        lock.unlink()

    Path(store.root, ".git/apx/journal").write_bytes(b"half")
    for lock in refs:
        lock.touch()
    for name in ("objects/pack/tmp_pack_x", "objects/17/tmp_obj_x"):
        by_hand(store, f".git/{name}", b"x")
    store.check()

    assert not any(lock.exists() for lock in refs)
    assert list(Path(store.root, ".git").rglob("tmp_*")) == []
    assert put(store, memory(body=b"black\n")) == 1
    check_clean(store)


def test_who_waits_too_long_is_told(store):
    handle = os.open(store.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        with pytest.raises(MemFault) as caught, Store(store.root, wait=0).writing():
            pass
        assert caught.value.code == "busy"
        assert store.read(NAME).body == b"green\n"
        store.check()
    finally:
        os.close(handle)
    put(store, memory(body=b"black\n"))


def test_without_git_reading_works_and_nothing_is_touched(store, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    store.check()
    assert store.read(NAME).body == b"green\n"
    fails(store, "no_git")
    with pytest.raises(MemFault, match="git is not installed"):
        Store(f"{store.root}-2").init()
    assert not Path(f"{store.root}-2").exists()


def test_a_store_of_somebody_else_is_not_trusted(store, tmp_path, monkeypatch):
    """Its settings could have us run anything; git refuses, and we say what to do."""
    before(tmp_path, "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    told = fails(store, "git")
    assert "another user" in str(told)
    assert told.hints == (f"git config --global --add safe.directory {store.root}",)


LIMITED = """
import resource, signal, sys
from tests.mem.test_store import Store, memory, put
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
try:
    print(put(Store(sys.argv[1]), memory(body=b"black\\n" * int(sys.argv[3]))))
except Exception as fault:
    print(fault.code, fault)
"""


def limited(store: Store, size: int, lines: int) -> str:
    """Write on a disk on which no file may become larger than that."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, store.root, str(size), str(lines)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_on_a_full_disk_nothing_changes(store):
    """Neither when the new file does not fit, nor when what git adds does not."""
    before, head = Path(store.root, PATH).read_bytes(), git.head(store.root)
    for size, lines in ((1000, 1000), (150, 1), (0, 1)):
        told = limited(store, size, lines)
        assert told.startswith("io "), told
        assert Path(store.root, PATH).read_bytes() == before
        assert git.head(store.root) == head
        store.check()
        check_clean(store)
        assert list(Path(store.root, ".git").glob("fast_import*")) == []


def test_an_index_that_does_not_fit_stops_nothing(store):
    put(store, *(memory(f"d-{number}") for number in range(40)))
    assert limited(store, 3000, 10) == "1\n"
    with store.writing():
        pass
    check_clean(store)


def as_nobody(store: Store) -> str:
    """Write as a user who may only read it."""
    out, told = os.pipe()
    if not (number := os.fork()):
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            put(store, memory(body=b"black\n"))
            os.write(told, b"written")
        except MemFault as fault:
            os.write(told, f"{fault.code} {fault}".encode())
        finally:
            os._exit(0)
    os.close(told)
    os.waitpid(number, 0)
    with os.fdopen(out) as file:
        return file.read()


def test_in_a_store_that_is_read_only_nothing_changes(store, tmp_path, monkeypatch):
    """Reading works, writing says why not."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "*")
    before = Path(store.root, PATH).read_bytes()
    changed = [tmp_path, *tmp_path.parents[:2], *Path(store.root).rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in changed}
    try:
        for path in (Path(store.root), *changed):
            path.chmod(0o555)
        told = as_nobody(store)
    finally:
        Path(store.root).chmod(0o700)
        for path, mode in modes.items():
            path.chmod(mode)
    assert told.startswith("io "), told
    assert "Permission denied" in told
    assert Path(store.root, PATH).read_bytes() == before
    check_clean(store)


def test_what_git_cannot_write_is_not_written(store):
    """Its directory is no directory."""
    pack = Path(store.root, ".git/objects/pack")
    other = Path(f"{store.root}-objects")
    other.mkdir()
    pack.rename(other / "pack")
    by_hand(store, ".git/objects/info/alternates", f"{other}\n".encode())
    pack.touch()
    fails(store, "git")
    pack.unlink()
    assert put(store, memory(body=b"black\n")) == 1
    check_clean(store)


def test_a_working_tree_of_another_repository_will_do(store):
    """Its `.git` is a file."""
    second = Store(f"{store.root}-2")
    asked(store, "worktree", "add", "-q", "-b", "side", second.root)
    second.check()
    assert put(second, memory(body=b"black\n")) == 1
    assert asked(second, "status", "--porcelain") == ""
    assert store.read(NAME).body == b"green\n"
    assert asked(store, "status", "--porcelain") == ""
    assert subjects(second)[0] != subjects(store)[0] or len(subjects(store)) == 2


def test_packs_become_one_when_there_are_many(store, monkeypatch):
    """Each commit leaves one, of two files."""
    monkeypatch.setattr(writing, "_PACKED", 10)
    for number in range(4):
        assert f"packs: {number + 2}\n" in asked(store, "count-objects", "-v")
        put(store, memory(body=b"%d\n" % number))

    assert "packs: 1\n" in asked(store, "count-objects", "-v")
    check_clean(store)


def test_objects_are_packed_when_there_are_many(store):
    """So many that git would do it itself; a 256th of them is counted."""
    number = 0
    wanted: list[int] = []
    while len(wanted) < 28:
        data = b"%d\n" % (number := number + 1)
        if sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()[:2] == "17":  # noqa: S324 -- as git does
            wanted.append(number)
    for one in wanted:
        git.run(store.root, "hash-object", "-w", "--stdin", given=b"%d\n" % one)
    assert len(list(Path(store.root, ".git/objects/17").iterdir())) >= 28

    put(store, memory(body=b"black\n"))

    assert "packs: 1\n" in asked(store, "count-objects", "-v")
    assert store.read(NAME).body == b"black\n"
    assert list(Path(store.root, ".git/apx").iterdir()) == []


def test_what_a_person_saves_while_a_memory_is_changed_is_not_written_over(store):
    with store.writing() as writing:
        read = writing.read(NAME)
        by_hand(store, PATH, b"---\ntitle: Tea\n---\nred\n")
        writing.put(read.saying(b"black\n"))
        with pytest.raises(MemFault) as caught:
            writing.commit("mem(decision): update Tea")

    assert caught.value.code == "conflict"
    assert store.read(NAME).body == b"red\n"
    with store.writing() as writing:
        writing.put(writing.read(NAME).saying(b"red\nblack\n"))
        writing.commit("mem(decision): update Tea")
        writing.put(writing.read(NAME).saying(b"red\n"))
        writing.commit("mem(decision): update Tea")
    assert BY_HAND in asked(store, "log", "--format=%s")
    assert store.read(NAME).body == b"red\n"
