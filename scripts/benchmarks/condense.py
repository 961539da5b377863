"""What of a long thread is still in the prompt when it was condensed, beside others.

Goals and limits must be there word for word, open tasks by their names, exact things
in any usual form; of tasks that are over and still named it must be said. Generated
threads are shown in windows of 8k and 32k tokens, one after the other; the public
conversations in both. Summarisers are scripted: a decent one, an unhelpful one, one
that fails.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

import structlog

from scripts.benchmarks import condense_cost, condense_public, condense_real
from scripts.benchmarks import condense_table as table
from scripts.benchmarks.condense_models import KINDS
from scripts.benchmarks.condense_run import Findings, Job, led
from scripts.benchmarks.condense_threads import LANGUAGES, talks
from scripts.benchmarks.recall_data import data_directory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scripts.benchmarks.condense_truth import Talk

By = dict[tuple[str, int], Findings]

DATA: Final = "locomo-0-4.json"
WINDOWS: Final = (8_192, 32_768)
THREADS: Final = 240
QUICK: Final = 12
_LONG: Final = 100_000
_QUICK_LONG: Final = 2_000
# Threads that one process leads at a time.
_PIECE: Final = 10


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} threads, alone")
    parser.add_argument("--misses", action="store_true", help="print what apx lost")
    parser.add_argument("--real", action="store_true", help="a small real model, too")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    options = arguments()
    if isinstance(sys.stdout, TextIOWrapper):  # each table when it is there
        sys.stdout.reconfigure(line_buffering=True)
    count = QUICK if options.quick else options.threads
    generated = found(generated_jobs(talks(count)))
    shown(generated, "generated threads", misses=options.misses)
    file = data_directory() / DATA
    if not file.is_file():
        print(f"{file}: not there; name its directory by APX_DATA", file=sys.stderr)
    elif not options.quick:
        public = found(public_jobs(condense_public.read(file)))
        shown(public, "public conversations", misses=options.misses)
    asyncio.run(condense_cost.printed(_QUICK_LONG if options.quick else _LONG))
    if options.real:
        asyncio.run(condense_real.printed())


def shown(by: By, title: str, *, misses: bool) -> None:
    """Print all tables of some threads."""
    table.printed(by, title)
    if misses:
        table.misses(by, title)


def generated_jobs(every: Sequence[Talk]) -> list[Job]:
    """Have each thread led in one of the windows; each language comes in both."""
    places = [
        [
            talk
            for talk in every
            if talk.number // len(LANGUAGES) % len(WINDOWS) == place
        ]
        for place in range(len(WINDOWS))
    ]
    return [
        Job(chosen[first : first + _PIECE], kind, window)
        for window, chosen in zip(WINDOWS, places, strict=True)
        for kind in KINDS
        for first in range(0, len(chosen), _PIECE)
    ]


def public_jobs(every: Sequence[Talk]) -> list[Job]:
    """Have each conversation led in each window."""
    return [
        Job([talk], kind, window)
        for window in WINDOWS
        for kind in KINDS
        for talk in every
    ]


def found(jobs: Iterable[Job]) -> By:
    """Lead threads through all their condensations, on two processors."""
    every = list(jobs)
    gathered: By = {}
    workers = min(2, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, initializer=quiet) as pool:
        for job, findings in zip(every, pool.map(_led, every), strict=True):
            gathered.setdefault((job.kind, job.window), Findings()).add(findings)
    return gathered


def quiet() -> None:
    """Have nothing of what is refused told twice."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())


def _led(job: Job) -> Findings:
    return asyncio.run(led(job))


if __name__ == "__main__":
    main()
