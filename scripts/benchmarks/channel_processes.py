"""Starts what is measured, and reads what a process has used so far from /proc."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.servers.telegram.remote import Remote

T = TypeVar("T")

_ROOT: Final = Path(__file__).parents[2]
_HERE: Final = "scripts.benchmarks"
_PATIENCE: Final = 30.0
_LOOK: Final = 0.05


@dataclass(frozen=True, slots=True)
class Platform:
    """What differs between platforms; `rival` makes the smallest bot there is.

    `section` is what config.json says of a bot whose people may talk to it. The modules
    `<name>_world`, `<name>_echo` and `<name>_daemon` are processes.
    """

    name: str
    rival: str
    remote: type[Remote]
    section: Callable[[str, Sequence[int]], dict[str, Any]]

    @contextmanager
    def world(self) -> Iterator[Remote]:
        """Start the loopback server; it ends with us."""
        with _started(f"{self.name}_world") as process:
            assert process.stdin is not None  # noqa: S101 -- asked for below
            assert process.stdout is not None  # noqa: S101 -- the same
            try:
                yield self.remote(*process.stdout.readline().decode().split())
            finally:
                process.stdin.close()
                process.wait(_PATIENCE)

    @contextmanager
    def echo(self, origin: str) -> Iterator[int]:
        """Start the rival's bot; gives its process."""
        with _started(f"{self.name}_echo", origin) as process:
            yield process.pid
            process.kill()

    @contextmanager
    def daemon(self, home: Path, *options: str) -> Iterator[int]:
        """Start `apx run` in a home; without options, as it is. Gives its process."""
        command = [f"{self.name}_daemon", *options] if options else ["apx", "run"]
        with _started(*command, home=home) as process:
            yield process.pid
            process.send_signal(signal.SIGTERM)
            process.wait(_PATIENCE)

    def settings(
        self, origin: str, people: Sequence[int], chosen: tuple[str, str]
    ) -> dict[str, Any]:
        """Give config.json of a home with one bot; `chosen`: model and embeddings."""
        bot = self.section(origin, people)
        return settings(chosen) | {"channels": {self.name: {"enabled": True} | bot}}


@contextmanager
def model(words: int, pause: float) -> Iterator[str]:
    """Start a model that says so many words, each after a pause; gives its address."""
    with _started("channel_model", str(words), str(pause)) as process:
        assert process.stdout is not None  # noqa: S101 -- asked for below
        yield process.stdout.readline().decode().strip()
        process.kill()


def settings(chosen: tuple[str, str]) -> dict[str, Any]:
    """Give config.json of a home that is on no platform."""
    name, embeddings = chosen
    return {
        "super_agent": {"model": name},
        "memory": {"embeddings": {"provider": embeddings}},
    }


def settle(home: Path, settings: dict[str, Any]) -> None:
    """Write config.json."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.json").write_text(json.dumps(settings), encoding="utf-8")


def hearing(remote: Remote, began: float, seconds: float = _PATIENCE) -> float:
    """Wait until a bot that was started then hears; gives after how long that was."""
    return float(awaited(lambda: remote.heard_since(began), seconds)) - began


def awaited(look: Callable[[], T], seconds: float = _PATIENCE) -> T:
    """Look again and again until there is something to be seen, and give it."""
    end = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > end:
            raise TimeoutError("it never came")
        time.sleep(_LOOK)
    return found


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
