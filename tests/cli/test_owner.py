"""One process owns a home; the others reach it, or take over."""

import concurrent.futures
import os
import signal
import sqlite3
import time

import pytest


def test_a_second_daemon_exits_and_names_the_first(apx):
    """Within a second or so; nothing is shared by accident."""
    daemon = apx.daemon()
    began = time.monotonic()

    apx("run", code=1)

    assert time.monotonic() - began < 20
    assert f"apx run (process {daemon.pid})" in apx.err


def test_commands_work_beside_a_daemon(apx):
    """Through its socket, with the same answers."""
    apx.daemon()

    apx("exec", "remember that tea is at five")
    assert "five" in apx("exec", "--thread", "b", "when is tea?")
    assert "five" in apx("chat", stdin="when is tea?")
    assert "apx run" in apx("status")
    assert "five" in apx("memory", "search", "tea")
    assert "terminal:b" in apx("threads", "list")
    assert "ok" in apx("threads", "verify")
    apx("exec", "", code=2)
    assert "empty" in apx.err


def test_a_message_of_a_megabyte_through_the_socket(apx):
    """The socket has no smaller idea of a message than the pipe."""
    apx.daemon()
    text = "é" * 600_000 + " marzipan"

    apx("chat", stdin=text)

    assert "marzipan" in apx("memory", "search", "marzipan")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_daemon_ends_when_told(apx, number):
    """With exit code 0, and leaves the home usable."""
    daemon = apx.daemon()
    apx("exec", "remember that tea is at five")

    daemon.send_signal(number)

    assert daemon.wait(20) == 0
    assert not (apx.home / "apx.sock").exists()
    assert "five" in apx("exec", "when is tea?")


def test_a_killed_daemon_leaves_nothing_in_the_way(apx):
    """The kernel frees the lock; the socket's file means nothing without it."""
    daemon = apx.daemon()
    daemon.kill()
    daemon.wait()
    assert (apx.home / "apx.sock").exists()

    apx("exec", "remember that tea is at five")
    apx.daemon()
    assert "five" in apx("exec", "when is tea?")


def test_many_commands_at_once(apx):
    """Whoever comes first owns the home, the others wait or ask it."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        said = [
            pool.submit(
                apx, "exec", f"remember that item{n} costs {n}", "--thread", f"t{n}"
            )
            for n in range(6)
        ]
        for one in said:
            assert "item" in one.result()

    notes = apx("memory", "notes")
    assert all(f"item{n} costs {n}" in notes for n in range(6))
    assert "ok" in apx("threads", "verify")


def test_a_changed_config_is_told(apx):
    """The daemon goes on with what it read, and says so."""
    apx.daemon()
    apx("config", "set", "memory.broker_budget_ms", "500")
    deadline = time.monotonic() + 40
    while "restart" not in (status := apx("status")):
        assert time.monotonic() < deadline, status


def newer(home):
    with sqlite3.connect(home / "ledger.db") as connection:
        connection.execute("pragma user_version = 99")
    connection.close()


def garbage(home):
    (home / "ledger.db").write_bytes(b"no database" * 1000)


def directory(home):
    (home / "ledger.db").mkdir()


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [(newer, "newer apx"), (garbage, "backup"), (directory, "ledger.db")],
)
def test_a_ledger_that_cannot_be_used_is_named(apx, harm, complaint):
    """One line, exit code 1, and the file is left as it is."""
    apx.config("{}")
    harm(apx.home)

    for words in (("exec", "hi"), ("chat",), ("memory", "notes"), ("run",)):
        apx(*words, stdin="hi", code=1)
        assert complaint in apx.err
        assert apx.err.count("\n") == 1


@pytest.mark.parametrize("place", ["/dev/null/home", "/proc/apx"])
def test_a_home_that_cannot_be_made_is_named(apx, place):
    """With the variable that moves it."""
    apx.env["APX_HOME"] = place

    apx("exec", "hi", code=1)

    assert "APX_HOME" in apx.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to a read-only home")
def test_a_read_only_home_is_named(apx):
    """One clear line."""
    apx.config("{}")
    apx.home.chmod(0o500)
    try:
        apx("exec", "hi", code=1)
    finally:
        apx.home.chmod(0o700)
    assert "read-only" in apx.err


@pytest.mark.parametrize(
    "config",
    [
        '{"memory": {"broker_budget_ms": "soon"}}',
        '{"super_agent": {"model": "llama3"}}',
        '{"memory": ',
        "[]",
    ],
)
def test_a_broken_config_stops_every_command(apx, config):
    """With exit code 2 and no traceback."""
    apx.config(config)

    for words in (
        ("exec", "hi"),
        ("chat",),
        ("run",),
        ("status",),
        ("memory", "notes"),
    ):
        apx(*words, code=2)
        assert "config.json" in apx.err


def test_an_unknown_key_is_a_warning(apx):
    """And the answer comes all the same."""
    apx.config('{"memory": {"broker_budget": 800}}')

    assert apx("exec", "hi")
    assert "broker_budget_ms" in apx.err


@pytest.mark.parametrize("thread", ["telegram:1", "discord:x", "a:b"])
def test_a_thread_of_another_channel_is_refused(apx, thread):
    """A slip of the tongue harms neither the owner nor the ledger."""
    daemon = apx.daemon()

    apx("exec", "--thread", thread, "hi", code=2)
    assert "terminal" in apx.err
    apx("chat", "--thread", thread, stdin="hi", code=2)

    assert daemon.poll() is None
    assert apx("threads", "list") == ""
    assert "fine" in apx("memory", "remember", "all is fine")


def test_a_stopped_owner_is_named(apx):
    """Instead of a silence without end."""
    daemon = apx.daemon()
    daemon.send_signal(signal.SIGSTOP)
    try:
        apx("memory", "notes", code=1)
        assert f"process {daemon.pid}" in apx.err
        assert "does not answer" in apx.err
    finally:
        daemon.send_signal(signal.SIGCONT)

    assert "no notes" in apx("memory", "notes")


@pytest.mark.parametrize("name", ["apx.sock", "apx.lock"])
def test_a_directory_in_the_way_is_named(apx, name):
    """One line, no traceback."""
    (apx.home / name).mkdir(parents=True)

    apx("exec", "hi", code=1)

    assert name in apx.err
    assert apx.err.count("\n") == 1
