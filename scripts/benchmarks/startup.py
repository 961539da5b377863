"""CPU and memory of short commands, beside a Python that does nothing.

The commands take turns, so that a busy moment of the machine hits all alike. CPU is
user and system time of the whole process, memory its largest resident size.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON = sys.executable
COMMANDS = {
    "python -c pass": [PYTHON, "-c", "pass"],
    "apx --help": [PYTHON, "-m", "apx", "--help"],
    "apx exec, new home": [PYTHON, "-m", "apx", "exec", "remember that tea is at 5"],
    "apx exec, question": [PYTHON, "-m", "apx", "exec", "when is tea?"],
    "apx memory search": [PYTHON, "-m", "apx", "memory", "search", "tea"],
    "echo hi | apx chat": [PYTHON, "-m", "apx", "chat"],
}


def measured(command: list[str], home: str) -> tuple[float, float]:
    """Run a command; give its CPU seconds and its memory in MB."""
    process = subprocess.Popen(  # noqa: S603 -- our own commands
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "APX_HOME": home},
    )
    assert process.stdin is not None  # noqa: S101 -- asked for above
    process.stdin.write(b"hi\n")
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        assert process.stderr is not None  # noqa: S101 -- asked for above
        sys.exit(f"{command}: {process.stderr.read().decode()}")
    process.stderr.close()  # type: ignore[union-attr]  # asked for above
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for number in range(runs + 1):
        with tempfile.TemporaryDirectory() as home:
            for name, command in COMMANDS.items():
                figures = measured(command, str(Path(home) / "apx"))
                if number:  # the first round only warms the disk's cache
                    found[name].append(figures)
    base = statistics.median(cpu for cpu, _ in found["python -c pass"])
    print(f"{'':22}{'CPU s':>8}{'worst':>8}{'ratio':>8}{'MB':>8}   ({runs} runs)")
    for name, figures in found.items():
        cpu = statistics.median(cpu for cpu, _ in figures)
        worst = max(cpu for cpu, _ in figures)
        memory = statistics.median(memory for _, memory in figures)
        ratio = cpu / base
        print(f"{name:22}{cpu:8.3f}{worst:8.3f}{ratio:8.1f}{memory:8.1f}")


if __name__ == "__main__":
    main()
