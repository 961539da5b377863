"""The real command in real processes, each test with a home of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Command:
    """Runs `apx` as a person does."""

    def __init__(self, home):
        self.home = home
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.endswith("_KEY")},
            "APX_HOME": str(home),
            "PYTHONPATH": str(ROOT),
            "TZ": "UTC",
            "COLUMNS": "200",
        }
        self.running = []

    def __call__(self, *words, stdin=b"", code=0, timeout=120):
        done = subprocess.run(
            [sys.executable, "-m", "apx", *words],
            input=stdin if isinstance(stdin, bytes) else stdin.encode(),
            capture_output=True,
            env=self.env,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == code, (words, done.returncode, done.stderr.decode())
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        self.err = done.stderr.decode()
        return done.stdout.decode()

    def start(self, *words, **options):
        process = subprocess.Popen(
            [sys.executable, "-m", "apx", *words],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )
        self.running.append(process)
        return process

    def daemon(self):
        """Start `apx run` and wait until it says that it runs."""
        process = self.start("run")
        line = process.stderr.readline()
        assert b"running" in line, line + process.stderr.read()
        return process

    def config(self, text):
        self.home.mkdir(mode=0o700, exist_ok=True)
        (self.home / "config.json").write_text(text)

    def end(self):
        for process in self.running:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.communicate()


@pytest.fixture
def apx(tmp_path):
    command = Command(tmp_path / "home")
    yield command
    command.end()


@pytest.fixture
def today():
    return time.strftime("%Y-%m-%d", time.gmtime())
