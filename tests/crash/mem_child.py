"""One process that writes to a curated store, and may end by SIGKILL at a system call.

    python -m tests.crash.mem_child ROOT batch CALL NUMBER
    python -m tests.crash.mem_child ROOT add NAME
    python -m tests.crash.mem_child ROOT update ID TIMES

`batch` updates one memory, adds one and removes one in a single commit. It dies just
before its NUMBERth CALL, in the middle of its NUMBERth write (`half`), or just after it
started its NUMBERth program, which lives on (`started`); else it says which calls there
were. Each process says `done` for each commit.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apx.mem.memory import Memory
from apx.mem.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = ("open", "fsync", "rename", "link", "unlink", "mkdir", "posix_spawn", "waitpid")
# What a batch updates, adds and removes.
OLD, NEW, GONE = (f"d-2026-12-01-{word}" for word in ("old", "new", "gone"))


class Fate:
    """Stands before the system calls by which a store changes."""

    def __init__(self, call: str, number: int) -> None:
        self.calls: Counter[str] = Counter()
        self._end = call, number
        self._write = os.write
        self._spawn = os.posix_spawn
        self._wait = os.waitpid
        self._waited: set[int] = set()

    def watch(self) -> None:
        """Kill this very process at the call that was named."""
        watched = {name: self._before(name, getattr(os, name)) for name in CALLS}
        vars(os).update(watched, write=self.write, posix_spawn=self.spawn)
        vars(os).update(waitpid=self.wait)

    def write(self, handle: int, data: Any) -> int:
        """Write, or only the half of it."""
        self._pass("write")
        if self._is_end("half"):
            self._write(handle, data[: len(data) // 2])
            die()
        return self._write(handle, data)

    def spawn(self, *values: Any, **options: Any) -> int:
        """Start a program, or leave it behind just started."""
        self._pass("posix_spawn")
        number = self._spawn(*values, **options)
        self._pass("started")
        return number

    def wait(self, number: int, options: int) -> tuple[int, int]:
        """Look whether a program ended, which counts once: how often is chance."""
        if number not in self._waited:
            self._waited.add(number)
            self._pass("waitpid")
        return self._wait(number, options)

    def _before(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def passed(*values: Any, **options: Any) -> Any:
            self._pass(name)
            return call(*values, **options)

        return passed

    def _pass(self, name: str) -> None:
        if self._is_end(name):
            die()

    def _is_end(self, name: str) -> bool:
        self.calls[name] += 1
        return (name, self.calls[name]) == self._end


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def memory(name: str, body: bytes, version: int = 1) -> Memory:
    return Memory(
        {"id": name, "type": "decision", "title": name, "version": version}, body
    )


def says(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def batch(store: Store) -> None:
    """Change three memories at once."""
    with store.writing() as writing:
        old = writing.read(OLD)
        version = old.version + 1
        writing.put(old.changed(version=version).saying(b"%d\n" % version))
        writing.put(memory(NEW, b"%d\n" % version))
        if Path(store.root, memory(GONE, b"").path).exists():
            writing.remove(memory(GONE, b""))
        writing.commit("mem: batch")


def add(store: Store, name: str) -> None:
    with store.writing() as writing:
        writing.put(memory(f"d-2026-12-01-{name}", f"{name}\n".encode()))
        writing.commit(f"mem(decision): add {name}")


def update(store: Store, name: str) -> None:
    """Add this process's line to a memory."""
    with store.writing() as writing:
        found = writing.read(name)
        body = found.body + f"{os.getpid()}\n".encode()
        writing.put(found.changed(version=found.version + 1).saying(body))
        writing.commit(f"mem(decision): update {name}")


def main(root: str, what: str, *words: str) -> None:
    store = Store(root)
    if what == "batch":
        fate = Fate(words[0], int(words[1]))
        fate.watch()
        batch(store)
        says(json.dumps(fate.calls))
    elif what == "add":
        for number in range(int(words[1])):
            add(store, f"{words[0]}-{number}")
            says("done")
    else:
        for _ in range(int(words[1])):
            update(store, words[0])
            says("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
