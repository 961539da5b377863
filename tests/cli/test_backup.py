"""`apx backup` and `apx restore`, and who may read what apx writes."""

import contextlib
import json
import os
import pty
import shutil
import stat
import subprocess
import sys
import tarfile

import pytest

from tests.backup.conftest import own, tree
from tests.cli.conftest import Command

WORD = "correct horse, Batterie"


@pytest.fixture
def elsewhere(tmp_path):
    """Another machine, with nothing on it."""
    command = Command(tmp_path / "elsewhere")
    yield command
    command.end()


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret"
    path.write_text(f"{WORD}\nanother line\n")
    return str(path)


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    """A home with a conversation, notes and settings, which nobody changes."""
    apx = Command(tmp_path_factory.mktemp("life") / "home")
    apx("exec", "remember that the staging server moved to 10.0.1.5")
    apx("exec", "remember that tea is at five")
    apx("exec", "the cat is called Möhre")
    apx("config", "set", "memory.recall.top_k", "3")
    return apx.home


@pytest.fixture
def lived(apx, life):
    """Another such home, for each test."""
    shutil.copytree(life, apx.home)
    return apx


ASKED = (
    ("memory", "notes"),
    ("memory", "search", "Möhre"),
    ("threads", "list"),
    ("threads", "show", "terminal:main"),
    ("threads", "search", "staging"),
    ("config", "get", "memory.recall.top_k"),
    ("exec", "--thread", "new", "what is the staging server?"),
)


def test_an_empty_machine_gives_the_same_answers(lived, elsewhere, tmp_path, secret):
    """After it was carried there in a locked file."""
    words = ["--passphrase-file", secret]
    said = lived("backup", str(tmp_path / "b"), *words, "--encrypt")
    assert "3 turns and 2 notes" in said

    said = elsewhere("restore", str(tmp_path / "b"), *words)

    assert "3 turns and 2 notes" in said
    assert "ok" in elsewhere("threads", "verify")
    for question in ASKED:
        assert elsewhere(*question) == lived(*question), question


def test_a_program_is_told_in_json(lived, elsewhere, tmp_path, secret):
    target, key = tmp_path / "b", ("--passphrase-file", secret)

    made = json.loads(lived("backup", str(target), *key, "--json"))
    first = json.loads(elsewhere("restore", str(target), *key, "--json"))
    again = json.loads(elsewhere("restore", str(target), *key, "--json", "--yes"))

    assert made["file"] == str(target)
    assert made["bytes"] == target.stat().st_size
    # The passphrase was given: nobody wants it in the clear then.
    assert made["encrypted"]
    for told in (made, first, again):
        assert (told["turns"], told["notes"]) == (3, 2)
        assert told["made_at"] == made["made_at"]
    assert first["before"] == ""
    assert again["before"].startswith(str(elsewhere.home / "backups"))


def test_a_daemon_goes_on_while_it_is_backed_up(lived, elsewhere, tmp_path):
    """What it keeps in its log and not yet in the ledger is in the backup."""
    daemon = lived.daemon()
    lived("exec", "remember that the bus leaves at nine")

    lived("backup", str(tmp_path / "b"))
    elsewhere("restore", str(tmp_path / "b"))

    assert "nine" in elsewhere("memory", "notes")
    assert daemon.poll() is None
    before = own(lived.home)
    lived("restore", str(tmp_path / "b"), "--yes", code=1)
    assert f"apx run (process {daemon.pid})" in lived.err
    assert own(lived.home) == before


def test_what_is_refused_says_why_and_changes_nothing(
    lived, elsewhere, tmp_path, secret
):
    """1 is a failure, 2 a mistake in what was asked."""
    good, empty, wrong = tmp_path / "good", tmp_path / "empty", tmp_path / "wrong"
    empty.write_text("\nsecond line\n")
    wrong.write_text("something else\n")
    lived("backup", str(good), "--encrypt", "--passphrase-file", secret)
    elsewhere("exec", "remember that this is elsewhere")
    before, content = own(elsewhere.home), good.read_bytes()
    for code, said, words in (
        (2, "say --force", ["backup", str(good)]),
        (2, "--passphrase-file", ["backup", str(tmp_path / "x"), "--encrypt"]),
        (2, "is empty", ["backup", f"{good}x", "--passphrase-file", str(empty)]),
        (2, "No such file", ["backup", f"{good}x", "--passphrase-file", f"{good}y"]),
        (2, "is in the home", ["backup", str(elsewhere.home / "b")]),
        (2, "no such file", ["restore", str(tmp_path / "x"), "--yes"]),
        (2, "--passphrase-file", ["restore", str(good), "--yes"]),
        (2, "--yes", ["restore", str(good), "--passphrase-file", secret]),
        (
            1,
            "wrong passphrase",
            ["restore", str(good), "--passphrase-file", str(wrong)],
        ),
        (1, "no backup of apx", ["restore", secret, "--yes"]),
        (2, "Missing argument", ["restore"]),
    ):
        elsewhere(*words, code=code)

        assert said in elsewhere.err, words
        assert own(elsewhere.home) == before
        assert not list(elsewhere.home.glob(".[rb]*"))
    assert good.read_bytes() == content
    assert {path.name for path in tmp_path.iterdir()} == {
        *("home", "elsewhere", "secret", "good", "empty", "wrong")
    }


class Typist:
    """A person at a terminal who answers what they are asked."""

    def __init__(self, apx, *words):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "apx", *words],
            env=apx.env,
            stdin=slave,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        apx.running.append(self.process)
        os.close(slave)
        self.said = b""

    def answer(self, question, text):
        while not self.said.endswith(question.encode()):
            assert self.process.stderr
            char = self.process.stderr.read(1)
            assert char, self.said
            self.said += char
        os.write(self.master, f"{text}\n".encode())

    def end(self):
        out, err = self.process.communicate(timeout=40)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that it is empty
            shown = os.read(self.master, 9999)
        os.close(self.master)
        return self.process.returncode, out.decode(), (self.said + err).decode(), shown


def test_a_person_is_asked(lived, elsewhere, tmp_path):
    """For the passphrase, unseen, and whether what is there shall be replaced."""
    target = str(tmp_path / "b")
    typist = Typist(lived, "backup", target, "--encrypt")
    typist.answer("Passphrase: ", WORD)
    typist.answer("The same again: ", WORD)
    code, out, err, shown = typist.end()
    assert code == 0, err
    assert "3 turns" in out
    assert WORD.encode() not in shown
    assert WORD not in out + err

    elsewhere("exec", "remember that this is elsewhere")
    before = own(elsewhere.home)
    for answer, wanted in (("n", 1), ("y", 0)):
        assert own(elsewhere.home) == before
        typist = Typist(elsewhere, "restore", target)
        typist.answer("Passphrase: ", WORD)
        typist.answer("[y/N] ", answer)
        code, _, err, _ = typist.end()
        assert code == wanted, err
        assert "3 turns and 2 notes" in err
        assert "1 turn and 1 note" in err
    assert "Möhre" in elsewhere("threads", "search", "Möhre")


def test_two_different_passphrases_make_no_backup(lived, tmp_path):
    """What was mistyped once could never be opened."""
    typist = Typist(lived, "backup", str(tmp_path / "b"), "--encrypt")
    typist.answer("Passphrase: ", WORD)
    typist.answer("The same again: ", f"{WORD}!")
    code, _, err, _ = typist.end()

    assert code == 2
    assert "two different passphrases" in err
    assert not (tmp_path / "b").exists()


def modes(directory):
    """Give what in a directory is not for its owner alone."""
    found = {}
    for path in [directory, *directory.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        if (mode := stat.S_IMODE(path.lstat().st_mode)) != wanted:
            found[path.name] = oct(mode)
    return found


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_all_that_is_written_is_private_whatever_the_umask(
    apx, elsewhere, tmp_path, mask
):
    """Databases and their logs, notes, index, lock, socket, backups."""
    before = os.umask(mask)
    try:
        apx("exec", "remember that tea is at five")
        apx("chat", stdin="when is tea?\nremember that the cat is called Möhre\n")
        apx("config", "set", "user.language", "en")
        apx.daemon()
        apx("exec", "and now?")
        assert {"apx.sock", "ledger.db-wal"} <= set(tree(apx.home))
        assert modes(apx.home) == {}
        apx("backup", str(tmp_path / "b"))
        elsewhere("exec", "remember that this is elsewhere")
        elsewhere("restore", str(tmp_path / "b"), "--yes")
        elsewhere("exec", "when is tea?")
    finally:
        os.umask(before)

    assert modes(apx.home) == {}
    assert modes(elsewhere.home) == {}
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    with tarfile.open(tmp_path / "b") as tar:
        assert "ledger.db" in tar.getnames()
