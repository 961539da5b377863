import json
import logging
import resource
import stat
import subprocess
import sys
from contextlib import contextmanager

import pytest
import structlog

from apx import logs
from apx.domain.errors import InputError
from apx.domain.message import Message, Role
from apx.domain.thread import Thread

LOG = structlog.get_logger("apx.tests")
SECRET = "hunter2-hunter2"  # noqa: S105  made up


@contextmanager
def no_more_room(size):
    """Let no file grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "apx.log"
    logs.configure(path, secrets=[SECRET])
    yield path
    logs.close()


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_holds_time_level_and_fields(path):
    """In UTC; a thread is written as people name it."""
    LOG.info("turn ended", turn=4, thread=Thread("terminal", "main"), spent=0.5)

    (line,) = lines(path)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "apx.tests",
        "event": "turn ended",
        "turn": 4,
        "thread": "terminal:main",
        "spent": 0.5,
    }


def test_nothing_is_printed_before_the_log_is_open():
    """A command may open no log; pytest's own handler would hide it, so: outside."""
    program = (
        "import logging, structlog, apx.logs\n"
        "structlog.get_logger('apx').error('lost')\n"
        "logging.getLogger('httpx').error('lost')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert (done.stdout, done.stderr) == ("", "")


def test_no_credential_reaches_the_file(path):
    """Neither those of config.json nor what has the shape of one, in any place."""
    shaped = "gh" + "p_" + "a1B2" * 9

    LOG.info("asked", url=f"https://x/{SECRET}/y", more=[{shaped: shaped}])
    logging.getLogger("aiogram").error("refused: %s", SECRET)
    LOG.info(SECRET)

    text = path.read_text()
    assert len(lines(path)) == 3
    assert SECRET not in text
    assert shaped not in text


def test_a_credential_is_found_in_a_url(path):
    """Where its colon and slash are written as %3A and %2F."""
    logs.configure(path, secrets=["12:ab/cdef"])

    LOG.info("asked", url="https://x/12%3Aab%2Fcdef/y")

    assert lines(path)[0]["url"] == "https://x/[secret]/y"


def test_libraries_are_heard_at_warnings_only(path):
    """At INFO they log URLs, and with them tokens."""
    noisy = logging.getLogger("somebody.else")
    noisy.setLevel(logging.DEBUG)
    noisy.info("GET /secret")
    noisy.warning("slow")

    assert [line["event"] for line in lines(path)] == ["slow"]


def fail():
    try:
        {"a": 1}["what the person wrote"]
    except KeyError as error:
        raise ValueError("and wrote again") from error


def test_a_foreign_error_is_logged_without_its_message(path):
    """Its message may quote a person; its kind and its frames do not."""
    try:
        fail()
    except ValueError:
        LOG.exception("turn failed", turn=4)

    (line,) = lines(path)
    assert "wrote" not in path.read_text()
    assert [known["error"] for known in line["exception"]] == ["ValueError", "KeyError"]
    assert line["exception"][0]["frames"][-1].endswith(" fail")


def test_our_own_error_is_logged_with_its_message(path):
    """We write those ourselves, about things and never about contents."""
    LOG.warning("refused", exc_info=InputError("thread 'x': no such thread"))

    known = lines(path)[0]["exception"][0]["error"]
    assert known == "InputError: thread 'x': no such thread"


@pytest.mark.parametrize("quoted", [str, repr])
def test_a_library_that_quotes_an_error_quotes_its_kind(path, quoted):
    """Such as asyncio, of a task whose error nobody asked for."""
    error = ValueError("what the person wrote")

    logging.getLogger("aiogram").error("failed: %s", error)
    logging.getLogger("asyncio").error(f"failed: {quoted(error)}", exc_info=error)  # noqa: G004  as asyncio does

    assert "wrote" not in path.read_text()
    assert [line["event"] for line in lines(path)] == ["failed: ValueError"] * 2


def test_a_value_that_may_hold_a_conversation_is_named_by_its_kind(path):
    """A caller who logs a whole message by mistake does no harm."""
    LOG.info("asked", message=Message(Role.USER, "private"), raw=b"private")

    assert "private" not in path.read_text()
    assert lines(path)[0]["message"] == "<Message>"


def test_the_files_are_private_also_after_a_rotation(path):
    """And there are never more than four."""
    for number in range(600):
        LOG.info("filler", number=number, text="x" * 40_000)

    kept = sorted(found.name for found in path.parent.iterdir())
    assert kept == ["apx.log", "apx.log.1", "apx.log.2", "apx.log.3"]
    for found in path.parent.iterdir():
        assert stat.S_IMODE(found.stat().st_mode) == 0o600
        assert found.stat().st_size <= 5_000_000


def test_a_log_that_cannot_be_written_breaks_nothing(tmp_path, capfd):
    """Nor does it fill the terminal: the conversation goes on."""
    logs.configure(tmp_path / "missing" / "apx.log", secrets=[])
    LOG.error("lost")
    logs.configure(tmp_path, secrets=[])
    LOG.error("lost")
    logs.close()

    assert capfd.readouterr() == ("", "")


def test_a_full_disk_breaks_nothing(path, capfd):
    """The lines are lost and the program lives; later ones are kept again."""
    LOG.info("before")
    with no_more_room(path.stat().st_size + 20):
        LOG.error("lost")
        LOG.error("lost")
    LOG.info("after")

    assert capfd.readouterr() == ("", "")
    assert json.loads(path.read_text().splitlines()[-1])["event"] == "after"


def test_closing_on_a_full_disk_breaks_nothing(path, capfd):
    """The program ends as it would have."""
    LOG.info("before")
    with no_more_room(path.stat().st_size + 20):
        LOG.error("lost")
        logs.close()

    assert capfd.readouterr() == ("", "")
