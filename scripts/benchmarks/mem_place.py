"""The stores that the benchmark of `apx mem` measures: made anew, with history."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from apx.mem import ids
from apx.mem.memory import TYPES, Memory
from apx.mem.store import Store
from scripts.benchmarks import mem_words as words

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES: Final = {
    "constraint": 8,
    "decision": 35,
    "failure": 20,
    "howto": 25,
    "preference": 12,
}
_STATES: Final = {"active": 88, "archived": 7, "proposed": 5}
_LAST: Final = date(2026, 11, 30)
_DAYS: Final = 700
_COMMITS: Final = 100
_ROOT: Final = Path(__file__).parents[2]


class Place:
    """A store with so many memories, a remote of it, copies for other programs."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.plain = folder / "plain"
        self.synced = folder / "synced"
        self.environ = environ(folder)
        os.environ.update(self.environ)
        self.ids = made(self.store, size)
        _git(self.store, "gc", "--quiet")
        _git(folder, "clone", "--quiet", "--bare", str(self.store), "remote")
        for copy in (self.plain, self.synced):
            shutil.copytree(self.store, copy, symlinks=True)
            _git(copy, "status", "--porcelain")
        _git(self.synced, "remote", "add", "origin", str(folder / "remote"))


def environ(folder: Path) -> dict[str, str]:
    """Give what children find around them: nothing of whoever measures."""
    config = folder / "gitconfig"
    config.write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    return {
        "HOME": str(folder),
        "APX_HOME": str(folder / "home"),
        "MEM_DIR": str(folder / "store"),
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_NOSYSTEM": "1",
        # The code beside this file, whichever is installed.
        "PYTHONPATH": str(_ROOT),
    }


def made(root: Path, size: int) -> list[str]:
    """Make a store; give its ids."""
    store, luck = Store(str(root)), Random(size)  # noqa: S311 -- the same each time
    store.init()
    taken: set[str] = set()
    memories = [memory(luck, number, taken) for number in range(size)]
    share = max(1, size // _COMMITS)
    for start in range(0, size, share):
        with store.writing() as writing:
            for one in memories[start : start + share]:
                writing.put(one)
            writing.commit(f"mem: add {share} memories")
    return [one.id for one in memories]


def memory(luck: Random, number: int, taken: set[str]) -> Memory:
    """Make a memory that looks like one that somebody made."""
    kind = TYPES[luck.choices(list(_TYPES), list(_TYPES.values()))[0]]
    title = words.title(luck, number)
    day = _LAST - timedelta(days=luck.randrange(_DAYS))
    name = ids.new(kind, day.isoformat(), title, taken.__contains__)
    taken.add(name)
    fields = {
        "id": name,
        "type": kind.name,
        "title": title,
        "status": luck.choices(list(_STATES), list(_STATES.values()))[0],
        "priority": luck.choice((kind.priority, kind.priority, luck.randrange(101))),
        "confidence": luck.choice((0.5, 0.7, 0.8, 0.9)),
        "version": luck.choice((1, 1, 1, 2, 3)),
        "created": day.isoformat(),
        "updated": day.isoformat(),
        **dict(_more(luck, day)),
    }
    return Memory(fields, words.body(luck).encode())


def _more(luck: Random, day: date) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    if scope := words.scope(luck):
        yield "scope", scope
    if tags := words.tags(luck):
        yield "tags", tags
    if luck.random() < 0.4:  # noqa: PLR2004 -- a good part
        yield "verified", min(_LAST, day + timedelta(days=30)).isoformat()
    if luck.random() < 0.5:  # noqa: PLR2004 -- each second
        yield "abstract", f"In short: {words.title(luck, 0)}"[:120]


def _git(root: Path, *given: str) -> None:
    subprocess.run(  # noqa: S603 -- our own words
        ["git", "-C", str(root), *given],  # noqa: S607 -- whichever git there is
        check=True,
        stdout=subprocess.DEVNULL,
    )
