"""kill -9 at every step of a turn: nothing acknowledged is lost, nothing doubled."""

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from apx.store.verify import verify
from tests.crash.child import OUTSIDE_POINTS, POINTS

ROOT = Path(__file__).parents[2]
ASK = "note the tea"
ANSWER = f"half of the answer to {ASK}"


def live(home, point, *messages):
    """Run one life to its end; give its exit code and what it acknowledged."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.child", str(home), point, *messages],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode, done.stdout.split()[1::2]


def lines(path):
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def turns(home):
    with sqlite3.connect(home / "ledger.db") as connection:
        rows = connection.execute("select state, partial, retry_of from turn")
        found = rows.fetchall()
    connection.close()
    return found


@pytest.mark.parametrize("point", POINTS)
async def test_a_message_is_answered_once(tmp_path, point):
    """Or, where it died while sending, once more with the mark of a repeat."""
    code, acknowledged = live(tmp_path, point, ASK, "1")
    assert code == -signal.SIGKILL

    # The platform offers again what was not acknowledged; and what was, too.
    live(tmp_path, "never", ASK, "1")
    live(tmp_path, "never", ASK, "1")

    delivered = lines(tmp_path / "delivered")
    assert [part["text"] for part in delivered if not part["repeat"]] in ([ANSWER], [])
    expected = [ANSWER, ANSWER] if point == "after send" else [ANSWER]
    assert [part["text"] for part in delivered] == expected
    assert [p["repeat"] for p in delivered] == {
        "after send": [False, True],
        "before send": [True],
    }.get(point, [False])
    assert acknowledged in ([], ["1"])
    states = [state for state, _, _ in turns(tmp_path)]
    assert states.count("completed") == 1
    assert "running" not in states
    assert (tmp_path / "memory.md").read_text().count(ASK) == 1
    assert await verify(tmp_path / "ledger.db") == []


async def test_what_was_shown_before_the_crash_is_kept(tmp_path):
    """The beginning of the answer is in the log, and marked as not whole."""
    live(tmp_path, "mid stream", ASK, "1")
    live(tmp_path, "never")

    [first, second] = turns(tmp_path)
    assert first == ("interrupted", "half of ", None)
    assert second[0] == "completed"
    assert second[2] is not None


@pytest.mark.parametrize("point", OUTSIDE_POINTS)
async def test_what_acts_outside_is_not_run_again(tmp_path, point):
    """The person is told and offered /retry."""
    live(tmp_path, point, "send it", "1")
    sent = lines(tmp_path / "sent")

    live(tmp_path, "never")
    live(tmp_path, "never", "send it", "1")

    assert lines(tmp_path / "sent") == sent
    [told] = lines(tmp_path / "delivered")
    assert "send" in told["text"]
    assert "/retry" in told["text"]
    assert ("outcome unknown" in told["text"]) is (point == "in outside")

    live(tmp_path, "never", "/retry", "2")
    assert len(lines(tmp_path / "sent")) == len(sent) + 1
    assert await verify(tmp_path / "ledger.db") == []
