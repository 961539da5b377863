"""The other end of a store: reached, chosen, late, unwilling; nobody is asked."""

from __future__ import annotations

import fcntl
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from apx.mem.faults import MemFault
from apx.mem.sync import sync
from tests.mem.clones import (
    NAME,
    asked,
    check_clean,
    cloned,
    made,
    memory,
    put,
    run,
    said,
    texts,
)


def test_an_empty_remote_gets_all_on_the_branch_that_a_clone_looks_at(tmp_path, bare):
    store = made(tmp_path / "one")
    put(store, memory())

    told = sync(store, bare)

    assert (told["pushed"], told["ahead"], told["behind"]) == (1, 0, 0)
    assert told["branch"] == "trunk"
    assert cloned(bare, tmp_path / "two").read(NAME) == memory()
    assert "trunk" in asked(store, "status", "--branch", "--porcelain")
    check_clean(store)


def test_without_a_remote_it_is_said_how_to_name_one(tmp_path):
    store = made(tmp_path / "one")

    with pytest.raises(MemFault) as caught:
        sync(store)

    assert caught.value.code == "no_remote"
    assert caught.value.hints == ("apx mem sync --remote URL",)


def test_the_remotes_name_is_free(tmp_path, bare, monkeypatch):
    monkeypatch.setenv("MEM_REMOTE", "home")
    store = made(tmp_path / "one")

    assert sync(store, bare)["remote"] == "home"
    assert sync(store, "home")["outcome"] == "no-change"
    assert asked(store, "remote") == "home"


def test_an_address_that_does_not_answer_is_not_kept(tmp_path, one, bare):
    with pytest.raises(MemFault):
        sync(one, str(tmp_path / "nothing"))

    assert asked(one, "remote", "get-url", "origin") == bare


def test_no_secret_of_an_address_is_told(one):
    """Not by an address that was just given either."""
    # Port 1 is nobody's, and given to nobody who asks for any.
    for address in (
        "http://ada:hunter2@127.0.0.1:1/mem",
        "http://ada:hunt@er2@127.0.0.1:1/mem?private_token=hunter2",
    ):
        with pytest.raises(MemFault) as caught:
            sync(one, address)
        told = f"{caught.value} {caught.value.hints}"
        assert "hunter2" not in told
        assert "er2" not in told
        assert "http://127.0.0.1:1/mem" in told


def test_words_that_are_no_remote(one):
    for word in ("", "--upload-pack=touch x", "-x", "a\nb"):
        with pytest.raises(MemFault) as caught:
            sync(one, word)
        assert caught.value.status == 2


def test_programs_as_addresses_are_not_run(tmp_path, one):
    with pytest.raises(MemFault):
        sync(one, f"ext::touch {tmp_path}/ran")

    assert not (tmp_path / "ran").exists()


@pytest.fixture
def silent():
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("kind", ["git", "http", "ssh", "nothing", "refused"])
def test_a_remote_that_cannot_be_reached_costs_the_deadline_at_most(
    tmp_path, one, silent, monkeypatch, kind
):
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\nsleep 60 & wait\n")
    ssh.chmod(0o755)
    if kind == "ssh":
        monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    address = {
        "git": f"git://127.0.0.1:{silent}/mem",
        "http": f"http://ada:hunter2@127.0.0.1:{silent}/mem",
        "ssh": "ssh://127.0.0.1/mem",
        "nothing": str(tmp_path / "nothing"),
        "refused": "http://ada:hunter2@127.0.0.1:1/mem",
    }[kind]
    asked(one, "remote", "set-url", "origin", address)
    said(one, "black\n")
    before = asked(one, "for-each-ref"), texts(one)
    start = time.monotonic()

    with pytest.raises(MemFault) as caught:
        sync(one, seconds=0.4)

    assert time.monotonic() - start < 20
    assert (caught.value.code, caught.value.status) == ("unreachable", 1)
    assert "hunter2" not in str(caught.value) + " ".join(caught.value.hints)
    assert (asked(one, "for-each-ref"), texts(one)) == before
    check_clean(one)


def test_the_store_is_free_while_the_network_is_waited_for(one, silent):
    asked(one, "remote", "set-url", "origin", f"git://127.0.0.1:{silent}/mem")
    ended = threading.Event()

    def synced():
        with pytest.raises(MemFault):
            sync(one, seconds=1)
        ended.set()

    thread = threading.Thread(target=synced)
    thread.start()
    said(one, "black\n")
    is_over = ended.is_set()
    thread.join()
    assert not is_over


def test_nobody_is_asked_for_a_password(tmp_path, one):
    """By no program that a person configured, on no terminal."""
    asks = tmp_path / "asks"
    asks.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\necho x\n")
    asks.chmod(0o755)
    asked(one, "config", "core.askPass", str(asks))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        asked(one, "remote", "set-url", "origin", f"http://127.0.0.1:{port}/mem")
        thread = threading.Thread(target=_unwilling, args=(server,))
        thread.start()
        with pytest.raises(MemFault) as caught:
            sync(one, seconds=5)
        with socket.create_connection(("127.0.0.1", port)) as last:
            last.sendall(b"\n\n")
        thread.join()

    assert caught.value.code == "unreachable"
    assert not (tmp_path / "asked").exists()


def _unwilling(server):
    """Want a password, until somebody asks without a request."""
    words = b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\n"
    while True:
        connection, _ = server.accept()
        with connection:
            if not connection.recv(4096).strip():
                return
            connection.sendall(
                words + b"Content-Length: 0\r\nConnection: close\r\n\r\n"
            )


def test_a_remote_that_refuses_is_quoted_and_nothing_is_lost(bare, one):
    hook = Path(bare, "hooks/pre-receive")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    said(one, "black\n")

    with pytest.raises(MemFault) as caught:
        sync(one)

    assert caught.value.code == "refused"
    assert "hook declined" in str(caught.value)
    hook.unlink()
    assert sync(one)["pushed"] == 1


@pytest.mark.parametrize("moment", ["before", "during"])
def test_somebody_who_was_faster_is_merged_first(tmp_path, bare, one, two, moment):
    """The remote takes one more commit just before or while ours comes."""
    said(two, "white\n")
    asked(two, "push", "--quiet", "origin", "HEAD:refs/heads/waiting")
    move = f"git -C {bare} update-ref refs/heads/trunk refs/heads/waiting"
    if moment == "during":
        hook = Path(bare, "hooks/pre-receive")
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\nunset GIT_QUARANTINE_PATH\n{move}\nrm $0\n")
    else:
        hook = tmp_path / "hook"
        hook.write_text(f'#!/bin/sh\ngit upload-pack "$@"\n{move}\n')
        asked(one, "config", "remote.origin.uploadpack", str(hook))
    hook.chmod(0o755)
    said(one, "black\n")

    told = sync(one)

    assert told["merged"] == [NAME]
    assert (told["ahead"], told["behind"]) == (0, 0)
    assert {"black", "white"} <= set(one.read(NAME).said.split())
    assert run("-C", bare, "rev-parse", "trunk") == asked(one, "rev-parse", "HEAD")


def test_somebody_who_is_always_faster_costs_three_tries(bare, one):
    hook = Path(bare, "hooks/pre-receive")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\nunset GIT_QUARANTINE_PATH\necho >> tries\n"
        "who='-c user.name=a -c user.email=a'\n"
        "new=$(git $who commit-tree -m x -p trunk trunk^{tree})\n"
        "git update-ref refs/heads/trunk $new\n"
    )
    hook.chmod(0o755)
    said(one, "black\n")

    with pytest.raises(MemFault) as caught:
        sync(one)

    assert (caught.value.code, caught.value.hints) == ("refused", ("apx mem sync",))
    assert Path(bare, "tries").read_text() == "\n" * 3
    check_clean(one)


def test_one_sync_of_a_store_at_a_time(one):
    handle = os.open(f"{one.root}/.git/refs", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)

    with pytest.raises(MemFault) as caught:
        sync(one, seconds=0.1)

    os.close(handle)
    assert caught.value.code == "busy"
    assert sync(one)["outcome"] == "no-change"


def test_somebodys_code_is_no_store(tmp_path, one):
    """Nothing of it comes in, and nothing of ours gets there; an own README may be."""
    code = str(tmp_path / "code")
    run("init", "-q", code)
    Path(code, "src").mkdir()
    Path(code, "src", "main.c").write_text("int main;")
    run("-C", code, "add", ".")
    run("-C", code, "commit", "-qm", "x")
    before = Path(one.root, ".git", "HEAD").read_text()

    with pytest.raises(MemFault) as raised:
        sync(one, code)

    assert raised.value.code == "no_store"
    assert not Path(one.root, "src").exists()
    assert Path(one.root, ".git", "HEAD").read_text() == before
    assert len(run("-C", code, "log", "--all", "--oneline").splitlines()) == 1
