"""kill -9 at random moments of real commands: what was acknowledged is there."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apx.store.verify import verify

ROOT = Path(__file__).parents[2]
KILLS = 200 if os.environ.get("APX_LONG") else 12


def start(home, messages):
    words = [word for message in messages for word in message]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash.child", str(home), "never", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed(home, messages, seconds):
    """Run a life and end it after a while; give what it had acknowledged by then."""
    process = start(home, messages)
    try:
        out, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
    return out.split()[1::2]


def rows(home, sql):
    connection = sqlite3.connect(home / "ledger.db")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.mark.timeout(900)
async def test_nothing_acknowledged_is_lost(tmp_path):
    """Every message is answered, in one turn; only marked parts come twice."""
    luck = random.Random(20261130)  # noqa: S311 -- a test that can be repeated
    acknowledged: set[str] = set()
    everything: dict[str, str] = {}
    whole = 60.0
    for life in range(KILLS + 1):
        messages = [(f"note item {life} {n}", f"{life}-{n}") for n in range(3)]
        everything.update({name: text for text, name in messages})
        # The first life comes to its end: so long one takes here, its start included.
        seconds = whole * (luck.uniform(0.3, 1.5) if life else 1)
        began = time.monotonic()
        acknowledged.update(killed(tmp_path, messages, seconds))
        whole = whole if life else time.monotonic() - began

    last = start(tmp_path, [])
    _, err = last.communicate(timeout=60)
    assert last.returncode == 0, err

    requests = rows(tmp_path, "select key, turn from request where retry_of is null")
    turns = dict(requests)
    assert {f"terminal:main/{name}" for name in acknowledged} <= turns.keys()
    assert None not in turns.values()
    assert rows(tmp_path, "select 1 from turn where state = 'running'") == []
    assert await verify(tmp_path / "ledger.db") == []
    check_delivered(tmp_path, acknowledged, everything)
    check_notes(tmp_path)


def check_delivered(home, acknowledged, everything):
    """Each acknowledged message was answered, or its sender was told why not."""
    lines = (home / "delivered").read_text().splitlines()
    parts = [json.loads(line) for line in lines]
    said = "\n".join(part["text"] for part in parts)
    told = rows(home, "select request from turn where state = 'interrupted'")
    unanswered = "\n".join(request for (request,) in told)
    for name in acknowledged:
        assert everything[name] in said or everything[name] in unanswered, name
    first = [part["text"] for part in parts if not part["repeat"]]
    answers = [text for text in first if "interrupted" not in text]
    assert len(answers) == len(set(answers))


def check_notes(home):
    """No note is in the file twice, and none is only in the ledger."""
    kept = [
        text for (text,) in rows(home, "select text from note where state = 'live'")
    ]
    lines = [
        line.partition("] ")[2]
        for line in (home / "memory.md").read_text().splitlines()
        if line.startswith("- ")
    ]
    assert sorted(lines) == sorted(kept)
    assert len(set(kept)) == len(kept)
