"""Starts what is measured, and reads what a process has used so far from /proc."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.servers.telegram.remote import Remote
from tests.servers.telegram.world import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROOT: Final = Path(__file__).parents[2]
_HERE: Final = "scripts.benchmarks"
_PATIENCE: Final = 30.0
_LOOK: Final = 0.05


@contextmanager
def world() -> Iterator[Remote]:
    """Start the loopback Telegram; it ends with us."""
    with _started("telegram_world") as process:
        assert process.stdin is not None  # noqa: S101 -- asked for below
        assert process.stdout is not None  # noqa: S101 -- the same
        try:
            yield Remote(*process.stdout.readline().decode().split())
        finally:
            process.stdin.close()
            process.wait(_PATIENCE)


@contextmanager
def echo(origin: str) -> Iterator[int]:
    """Start aiogram's own bot; gives its process."""
    with _started("telegram_echo", origin) as process:
        yield process.pid
        process.kill()


@contextmanager
def model(words: int, pause: float) -> Iterator[str]:
    """Start a model that says so many words, each after a pause; gives its address."""
    with _started("telegram_model", str(words), str(pause)) as process:
        assert process.stdout is not None  # noqa: S101 -- asked for below
        yield process.stdout.readline().decode().strip()
        process.kill()


@contextmanager
def daemon(home: Path, *options: str) -> Iterator[int]:
    """Start `apx run` in a home; without options, as it is. Gives its process."""
    command = ["telegram_daemon", *options] if options else ["apx", "run"]
    with _started(*command, home=home) as process:
        yield process.pid
        process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE)


def settle(home: Path, settings: dict[str, Any]) -> None:
    """Write config.json."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.json").write_text(json.dumps(settings), encoding="utf-8")


def settings(
    origin: str, chosen: tuple[str, str], people: Sequence[int], groups: Sequence[int]
) -> dict[str, Any]:
    """Give config.json of a home that has one bot; `chosen`: model and embeddings."""
    model, embeddings = chosen
    told: dict[str, Any] = {
        "super_agent": {"model": model},
        "memory": {"embeddings": {"provider": embeddings}},
    }
    if not origin:
        return told
    bot = {
        "token": TOKEN,
        "base_url": origin,
        "access": "allowlist",
        "allow": [str(one) for one in people],
        "groups": [str(one) for one in groups],
        "group_mode": "all",
    }
    return told | {"channels": {"telegram": {"enabled": True, "bots": [bot]}}}


def polling(telegram: Remote, seconds: float = _PATIENCE) -> float:
    """Wait until updates are asked for; gives when that was."""
    end = time.monotonic() + seconds
    while not (found := telegram.calls("getUpdates")):
        if time.monotonic() > end:
            raise TimeoutError("nobody asks for updates")
        time.sleep(_LOOK)
    return found[0].at


def cpu(pid: int) -> float:
    """Give seconds of a core that a process has taken, all its threads together."""
    words = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def threads(pid: int) -> dict[int, float]:
    """Give the seconds of each thread that lives, to the nanosecond."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        words = (task / "schedstat").read_text("utf-8").split()
        found[int(task.name)] = int(words[0]) / 1e9
    return found


def memory(pid: int) -> float:
    """Give the resident size of a process in MB."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError(f"{pid} has no memory any more")


@contextmanager
def _started(
    module: str, *arguments: str, home: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    where = {"APX_HOME": str(home), "HOME": str(home.parent)} if home else {}
    name = module if module == "apx" else f"{_HERE}.{module}"
    log = (home.parent / "stderr.txt" if home else Path(os.devnull)).open("ab")
    with (
        log,
        subprocess.Popen(  # noqa: S603 -- our own modules
            [sys.executable, "-m", name, *arguments],
            cwd=_ROOT,
            env=os.environ | where,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        ) as process,
    ):
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
