"""What the commands of `apx mem` cost as whole processes, beside Python and git.

The commands take turns, so that a busy moment of the machine hits all alike. CPU is
user and system time of a process and of all that it starts and waits for. The stores
are made anew: many languages, 700 days, a packed history of a hundred commits.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.benchmarks import mem_cases as cases
from scripts.benchmarks.mem_cases import Cases
from scripts.benchmarks.mem_place import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scripts.benchmarks.mem_measure import Case

_SIZES: Final = (100, 1000, 5000)
_TIMES_SQLITE: Final = 3
_TIMES_COMMIT: Final = 2
_DEDUP: Final = 5000.0


def sizes(text: str) -> list[int]:
    """Read what was given for --sizes."""
    return [int(one) for one in text.split(",")]


def table(every: Mapping[str, Case]) -> Iterator[str]:
    """Say what each case cost, and how often the time of others that is."""
    sqlite, commit = (every[name].median for name in (cases.SQLITE, cases.GIT_ADD))
    yield f"{'':28}{'CPU ms':>9}{'worst':>9}{'clock':>9}{'x sqlite':>10}{'x git':>8}"
    for case in every.values():
        clock = sorted(case.clock)[len(case.clock) // 2] * 1e3
        figures = f"{case.median:9.1f}{case.worst:9.1f}{clock:9.1f}"
        ratios = f"{case.median / sqlite:10.2f}{case.median / commit:8.2f}"
        yield f"{case.name:28}{figures}{ratios}"


def bounds(every: Mapping[str, Case]) -> Iterator[str]:
    """Say whether what was promised holds, by the medians."""
    for name, times, other in (
        (cases.LIST, _TIMES_SQLITE, cases.SQLITE),
        (cases.SEARCH, _TIMES_SQLITE, cases.SQLITE),
        (cases.ADD, _TIMES_COMMIT, cases.GIT_ADD),
        (cases.ADD, _TIMES_COMMIT, cases.GIT_COMMIT),
    ):
        most = times * every[other].median
        yield _judged(name, every[name].median, most, f"{times} x {other}")
    yield _judged(cases.DEDUP, every[cases.DEDUP].median, _DEDUP, "5 s")


def _judged(name: str, found: float, most: float, what: str) -> str:
    holds = "yes" if found <= most else "NO"
    return f"{name:20}{found:8.1f} ms of {most:7.1f} ({what}): {holds}"


def measured(size: int, runs: int) -> list[Case]:
    """Measure a store of so many memories."""
    with tempfile.TemporaryDirectory() as folder:
        every = Cases(Place(Path(folder), size))
        for number in range(runs + 1):
            every.round(number)
    return every.all


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=sizes, default=list(_SIZES))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="100 memories, 3 runs")
    given = parser.parse_args(argv)
    many, runs = ([100], 3) if given.quick else (given.sizes, given.runs)
    for size in many:
        every = {case.name: case for case in measured(size, runs)}
        print(f"{size} memories, {runs} runs")
        print("\n".join(table(every)), end="\n\n")
        print("\n".join(bounds(every)), end="\n\n")


if __name__ == "__main__":
    main()
