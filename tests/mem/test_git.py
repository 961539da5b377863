"""Git as the store calls it: in no other repository, in time, asking nobody."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from apx.mem import git
from apx.mem.faults import MemFault

ROOT = Path(__file__).parents[2]
ODD = 'objects/decisions/d-"odd" \\ naïve\n記.md'


@pytest.fixture
def root(tmp_path):
    where = tmp_path / "repo"
    where.mkdir()
    git.run(str(where), "init", "--quiet", "--template=")
    return str(where)


def asked(root: str, *words: str) -> str:
    return git.run(root, *words).decode().strip()


def instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a script before git, which knows the real one as $real."""
    place = tmp_path / "bin"
    place.mkdir()
    file = place / "git"
    file.write_text(f"#!/bin/sh\nreal={git.program()}\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")


def test_the_environment_names_no_other_repository(root, tmp_path, monkeypatch):
    """As it does in a hook, or where a person works with two."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere"))

    assert asked(root, "rev-parse", "--show-toplevel") == root


def test_a_repository_around_is_not_taken(root):
    """A store in somebody's project must not commit to the project."""
    inner = Path(root, "inner")
    inner.mkdir()

    with pytest.raises(MemFault, match="not a git repository"):
        git.run(str(inner), "status")


def test_much_goes_in_and_out_at_once(root):
    """Neither side waits for the other."""
    data = os.urandom(1 << 20)
    name = git.run(root, "hash-object", "-w", "--stdin", given=data).decode().strip()

    assert git.run(root, "cat-file", "blob", name) == data
    wanted = b"".join(b"%b\n" % name.encode() for _ in range(20000))
    checked = git.run(root, "cat-file", "--batch-check", given=wanted)
    assert checked.count(b" blob ") == 20000


def test_what_git_complains_about_is_told(root):
    with pytest.raises(MemFault) as caught:
        git.run(root, "rev-parse", "--verify", "nothing")
    assert caught.value.code == "git"
    assert "Needed a single revision" in str(caught.value)
    assert git.run(root, "rev-parse", "--verify", "-q", "nothing", ok=(0, 1)) == b""


def test_no_password_of_a_remote_is_told(root, tmp_path, monkeypatch):
    """Git leaves it out by itself, mostly."""
    url = "https://me:hunter2@127.0.0.1/x"
    instead(tmp_path, monkeypatch, f"echo \"fatal: not at '{url}'\" >&2; exit 128")
    with pytest.raises(MemFault) as caught:
        git.run(root, "fetch")
    assert str(caught.value) == "git fetch: fatal: not at 'https://127.0.0.1/x'"


def test_at_the_deadline_all_of_it_is_ended(root, tmp_path, monkeypatch):
    """With what it started itself; and nobody waits for what holds its outputs."""
    instead(tmp_path, monkeypatch, "sleep 50 & wait")
    out, held = os.pipe()
    git.hold(held)
    began = time.monotonic()

    with pytest.raises(MemFault) as caught:
        git.run(root, "fetch", seconds=0.3)
    git.let_go()
    os.close(held)

    assert caught.value.code == "timeout"
    assert time.monotonic() - began < 20
    # It holds this open for as long as it lives.
    assert select.select([out], [], [], 20)[0] == [out]
    os.close(out)


def test_what_is_left_in_the_background_is_not_waited_for(root, tmp_path, monkeypatch):
    """Such as a helper that keeps passwords, and holds the outputs open."""
    instead(tmp_path, monkeypatch, "sleep 20 & echo told")
    began = time.monotonic()

    assert git.run(root, "fetch") == b"told\n"
    assert time.monotonic() - began < 15


def test_without_git_it_is_said(root, monkeypatch):
    for nowhere in ("", "/nowhere", "."):
        monkeypatch.setenv("PATH", nowhere)
        with pytest.raises(MemFault) as caught:
            git.run(root, "status")
        assert caught.value.code == "no_git"


def test_ssh_is_the_one_that_is_configured_and_asks_nobody(root, tmp_path):
    ssh = tmp_path / "my ssh"
    ssh.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {tmp_path}/words; exit 1\n')
    ssh.chmod(0o755)
    git.run(root, "config", "core.sshCommand", f"'{ssh}' -i 'a key'")

    with pytest.raises(MemFault):
        git.run(root, "fetch", "ssh://127.0.0.1/my repo")
    words = (tmp_path / "words").read_text().split("|")
    assert words[:3] == ["-i", "a key", "-oBatchMode=yes"]
    assert words[-2] == "git-upload-pack '/my repo'"


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_a_commit_begins_a_branch_and_goes_on(tmp_path, kind):
    """With names of any kind, from bytes that are not looked at."""
    root = str(tmp_path / kind)
    Path(root).mkdir()
    git.run(root, "init", "--quiet", f"--object-format={kind}", "-b", "trunk")
    assert git.head(root) == ""

    first = git.commit(root, {ODD: b"a\r\n\0\xff", "b": b""}, "mem: é", "more")
    assert git.head(root) == first == asked(root, "rev-parse", "refs/heads/trunk")
    second = git.commit(root, {"b": None, "c": b"c"}, "mem: two\nlines")

    assert git.head(root) == second
    names = git.run(root, "ls-tree", "-rz", "--name-only", "HEAD").decode()
    assert names.split("\0")[:-1] == ["c", ODD]
    assert git.run(root, "cat-file", "blob", f"HEAD:{ODD}") == b"a\r\n\0\xff"
    assert asked(root, "log", "--format=%s|%b").split() == (
        ["mem:", "two", "lines|", "mem:", "é|more"]
    )
    assert asked(root, "fsck") == ""


def test_who_commits_is_who_git_says_or_we(root, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    git.commit(root, {"a": b"1"}, "one")
    git.run(root, "config", "user.name", "Ada <L>")
    git.run(root, "config", "user.email", "ada@example.org")
    git.commit(root, {"a": b"2"}, "two")
    monkeypatch.undo()
    time.tzset()

    told = asked(root, "log", "--format=%an|%ae|%ci").splitlines()
    assert told[0].startswith("Ada L|ada@example.org|")
    assert told[1].startswith("apx|apx@localhost|")
    assert told[1].endswith("+0530")


def test_a_merge_has_two_parents(root):
    one = git.commit(root, {"a": b"1"}, "one")
    other = git.commit(root, {"a": b"2"}, "two")
    git.run(root, "update-ref", "HEAD", one)

    made = git.commit(root, {"a": b"3"}, "both", merged=other)

    assert asked(root, "log", "-1", "--format=%P", made) == f"{one} {other}"


def test_onto_a_detached_head(root):
    one = git.commit(root, {"a": b"1"}, "one")
    git.run(root, "update-ref", "--no-deref", "HEAD", one)
    Path(root, ".git", "HEAD").write_text(f"{one}\n")

    two = git.commit(root, {"a": b"2"}, "two")

    assert Path(root, ".git", "HEAD").read_text().strip() == two == git.head(root)
    assert asked(root, "rev-parse", "HEAD^") == one


def test_a_commit_of_somebody_else_in_between_is_kept(root, tmp_path, monkeypatch):
    """Ours goes on top of theirs."""
    git.commit(root, {"a": b"1"}, "one")
    theirs = f'"$real" -C {root} -c user.name=x -c user.email=x commit --allow-empty'
    instead(
        tmp_path,
        monkeypatch,
        f"""case "$*" in *fast-import*)
          [ -e {tmp_path}/met ] || {{ touch {tmp_path}/met; {theirs} -qm theirs; }}
        esac; exec "$real" "$@" """,
    )

    git.commit(root, {"a": b"2"}, "ours")

    assert asked(root, "log", "--format=%s").split() == ["ours", "theirs", "one"]


def test_settings_of_a_person_change_nothing(root, tmp_path):
    """No hook runs, nothing is signed, nothing in colour."""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "reference-transaction", "post-commit"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    for key, value in {
        "core.hooksPath": str(hooks),
        "commit.gpgSign": "true",
        "gpg.program": "/nowhere",
        "color.ui": "always",
        "log.showSignature": "true",
        "user.useConfigOnly": "true",
    }.items():
        git.run(root, "config", key, value)

    git.commit(root, {"a": b"1"}, "one")

    assert git.run(root, "log", "--format=%s") == b"one\n"


def test_the_head_is_read_without_a_process(root, monkeypatch):
    """From a loose reference, a packed one, and of a second working tree."""
    made = git.commit(root, {"a": b"1"}, "one")
    second = f"{root}-2"
    git.run(root, "worktree", "add", "--quiet", "-b", "side", second)
    path = os.environ["PATH"]
    for pack in (False, True):
        if pack:
            git.run(root, "pack-refs", "--all")
        monkeypatch.setenv("PATH", "")
        assert git.head(root) == git.head(second) == made
        monkeypatch.setenv("PATH", path)
    moved = git.commit(second, {"a": b"2"}, "two")
    assert (git.head(root), git.head(second)) == (made, moved)


def test_a_broken_head_is_not_taken_for_an_empty_store(root):
    """What a power cut emptied would else be the end of all history."""
    git.commit(root, {"a": b"1"}, "one")
    [name] = Path(root, ".git/refs/heads").iterdir()
    was = name.read_bytes()
    for broken in (b"", b"\0" * 41, b"1" * 39):
        name.write_bytes(broken)
        with pytest.raises(MemFault):
            git.head(root)
        with pytest.raises(MemFault):
            git.commit(root, {"a": b"2"}, "two")
    name.write_bytes(was)
    assert git.run(root, "show", "HEAD:a") == b"1"
    Path(root, ".git/HEAD").write_bytes(b"")
    with pytest.raises(MemFault):
        git.head(root)
    with pytest.raises(MemFault):
        git.head("/nowhere")


def test_only_who_holds_a_lock_gives_it_on(root):
    """A fetch in another thread does not hold the store's lock."""
    out, kept = os.pipe()
    os.set_inheritable(kept, False)
    git.hold(kept)
    try:
        words = ("-c", "alias.look=!ls -l /dev/fd/ | cat", "look")
        name = f"pipe:[{os.fstat(kept).st_ino}]"
        told = [asked(root, *words)]
        other = threading.Thread(target=lambda: told.append(asked(root, *words)))
        other.start()
        other.join()
    finally:
        git.let_go()
        os.close(out)
        os.close(kept)
    assert [name in one for one in told] == [True, False]
    assert name not in asked(root, *words)


def test_closed_standard_ones_are_no_trap(root, tmp_path):
    """A hook of another program may start us so."""
    file = tmp_path / "told"
    code = (
        f"import os; from apx.mem import git; git.hold(os.open('/', os.O_RDONLY)); "
        f"words = ('hash-object', '-w', '--stdin'); "
        f"open({str(file)!r}, 'wb').write(git.run({root!r}, *words, given=b'x'))"
    )
    script = f'exec {sys.executable} -c "{code}" <&- >&- 2>&-'
    subprocess.run(["/bin/sh", "-c", script], cwd=ROOT, check=True)
    assert git.run(root, "cat-file", "blob", file.read_text().strip()) == b"x"
