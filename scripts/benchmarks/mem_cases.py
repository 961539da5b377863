"""What the benchmark of `apx mem` runs in each round, in which order."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from scripts.benchmarks.mem_measure import Case, measured, surroundings
from scripts.benchmarks.mem_words import body, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.benchmarks.mem_measure import Commands
    from scripts.benchmarks.mem_place import Place

PYTHON: Final = "python -I -c pass"
SQLITE: Final = 'python -c "import sqlite3"'
LIST: Final = "list"
SEARCH: Final = "search, two words"
ADD: Final = "add"
DEDUP: Final = "dedup, dry"
GIT_ADD: Final = "git add + git commit"
GIT_COMMIT: Final = "git commit -- file"

# A file that changed within the last two seconds is read again: what is to be measured
# as a store at rest must have rested.
_REST: Final = 2.2
_APX: Final = (str(Path(sys.executable).with_name("apx")), "mem")


class Cases:
    """The cases of a store, those that write behind those that read."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._luck = Random(1)  # noqa: S311 -- the same each time
        self._environ = surroundings(place.environ)
        self.reading = list(self._reads())
        self.writing = list(self._writes())

    @property
    def all(self) -> list[Case]:
        """Give all of them."""
        return self.reading + self.writing

    def round(self, number: int) -> None:
        """Run each once; the first round counts for nothing."""
        time.sleep(_REST)
        measured((*_APX, "list"), self._environ, self._place.store)
        for case in self.all:
            case.run(number, self._environ, counts=number > 0)

    def _reads(self) -> Iterator[Case]:
        place = self._place
        yield self._case(PYTHON, sys.executable, "-I", "-c", "pass")
        yield self._case(SQLITE, sys.executable, "-c", "import sqlite3")
        yield self._case("git --version", "git", "--version")
        yield self._case(LIST, *_APX, "list")
        yield self._case(SEARCH, *_APX, "search", "deploy cache")
        yield self._case("search --any", *_APX, "search", "--any", "deploy cache token")
        yield self._case("search --inject", *_APX, "search", "--inject", "deploy cache")
        yield self._case("search, one in Chinese", *_APX, "search", "网关")
        yield self._case("home view", *_APX)
        yield self._case("show", *_APX, "show", place.ids[len(place.ids) // 2])
        yield self._case(DEDUP, *_APX, "dedup")
        yield Case("sync, no news", self._sync, place.synced)

    def _writes(self) -> Iterator[Case]:
        place = self._place
        yield Case(GIT_ADD, self._git_add, place.plain)
        yield Case(GIT_COMMIT, self._git_commit, place.plain)
        yield Case(ADD, self._add, place.store)
        yield self._case("list, after a write", *_APX, "list")
        yield Case("add, after a write", self._add, place.store)
        yield Case("update", self._update, place.store)
        yield Case("list, cache made anew", self._cold, place.store)

    def _case(self, name: str, *words: str) -> Case:
        return Case(name, lambda _: (words,), self._place.store)

    def _sync(self, _: int) -> Commands:
        store = f"MEM_DIR={self._place.synced}"
        return (("env", store, *_APX, "sync"),)

    def _add(self, number: int) -> Commands:
        said = title(self._luck, number)
        words = ("--type", "decision", "--title", said, "--tags", "deploy,ci")
        return ((*_APX, "add", *words, "--body", body(self._luck)),)

    def _update(self, number: int) -> Commands:
        name = self._luck.choice(self._place.ids)
        return ((*_APX, "update", name, "--body", f"{number}: {body(self._luck)}"),)

    def _cold(self, _: int) -> Commands:
        shutil.rmtree(self._place.store / ".cache")
        return ((*_APX, "list"),)

    def _git_add(self, number: int) -> Commands:
        path = f"objects/decisions/d-2026-12-01-new-{number}.md"
        self._written(path)
        say = ("commit", "--quiet", "-m", f"mem(decision): add {number}")
        return (("git", "add", path), ("git", *say))

    def _git_commit(self, number: int) -> Commands:
        folder = self._place.plain / "objects/decisions"
        path = f"objects/decisions/{self._luck.choice(sorted(folder.iterdir())).name}"
        self._written(path)
        say = ("commit", "--quiet", "-m", f"mem(decision): update {number}")
        return (("git", *say, "--", path),)

    def _written(self, path: str) -> None:
        text = f"---\ntitle: {title(self._luck, 0)}\n---\n\n{body(self._luck)}"
        (self._place.plain / path).write_text(text, "utf-8")
