"""Whole processes measured in turns: their CPU, with all that they start."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Commands = Sequence[Sequence[str]]


@dataclass
class Case:
    """Commands that are one thing to a person, and what each round cost (seconds).

    `commands` are told the round's number, and may make ready for it.
    """

    name: str
    commands: Callable[[int], Commands]
    root: Path
    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Give what it costs, in milliseconds of CPU."""
        return statistics.median(self.cpu) * 1e3

    @property
    def worst(self) -> float:
        """Give the most that it did cost."""
        return max(self.cpu) * 1e3

    def run(self, number: int, environ: Mapping[str, str], *, counts: bool) -> None:
        """Run it in a round; the first only warms what a machine keeps at hand."""
        commands = self.commands(number)
        spent = [measured(command, environ, self.root) for command in commands]
        if counts:
            self.cpu.append(sum(cpu for cpu, _ in spent))
            self.clock.append(sum(clock for _, clock in spent))


def measured(
    command: Sequence[str], environ: Mapping[str, str], root: Path
) -> tuple[float, float]:
    """Run a command; give the seconds of CPU and of the clock that it took."""
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 -- our own commands
        command,
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environ,
    )
    assert process.stdout is not None  # noqa: S101 -- asked for above
    said = process.stdout.read()
    process.stdout.close()
    # What it waited for itself is in it: git, and what git starts.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: {said.decode('utf-8', 'replace')}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began


def surroundings(more: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a command as a person has it, but for `more`."""
    # With it, every start of Python would compile all that it imports.
    left = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "MEM_REMOTE"}
    kept = {key: value for key, value in os.environ.items() if key not in left}
    return {**kept, **more}
