"""A home with a bit of everything, and what is to be compared of one."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from apx.domain.ending import Ending
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, TurnState
from apx.home import DIRECTORIES, FILES
from apx.store.database import Database
from apx.store.ledger import Ledger
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
MAIN = Thread("terminal", "main")


async def talked(ledger_db, *texts):
    """Have things said and answered in a ledger."""
    async with Database.open(ledger_db, LEDGER) as database:
        ledger = Ledger(database)
        for text in texts:
            await ledger.accept(Inbound(MAIN, text, AT, text))
            turn = await ledger.begin(MAIN, AT)
            assert turn is not None
            ending = Ending(TurnState.COMPLETED, final=f"you said {text}")
            await ledger.end(turn, ending, AT)


def furnish(home: Path, *texts: str) -> Path:
    """Make a home with everything that a backup holds, and much that it does not."""
    home.mkdir(0o700, parents=True)
    asyncio.run(talked(home / "ledger.db", *texts))
    for name, text in {
        "memory.md": f"# Notes\n\n## 2026-11-30\n- [09:41][terminal] {texts[0]}\n",
        "config.json": '{"user": {"language": "es"}}\n',
        "history": f"\n# 2026\n+{texts[0]}\n",
        f"notes/{'k' * 60}/memory.md": "# Notes\n",
        "mem/.git/HEAD": "ref: refs/heads/main\n",
        f"mem/{'ñ' * 70}.md": "a name that is long in bytes",
        f"files/aa/{'a' * 64}": "\0" * 3000 + texts[0],
        "memory.db": "derived",
        "memory.db-wal": "derived",
        "index/part/0.arrays": "derived",
        "log/main/2026-11-30.jsonl": "{}\n",
        "apx.log": "what went wrong",
        "apx.lock": "",
        "ledger.db.schema-1": "of the upgrade",
        "mine.txt": "not of apx",
    }.items():
        (home / name).parent.mkdir(0o700, parents=True, exist_ok=True)
        (home / name).write_text(text)
    (home / "mem/.git/refs/tags").mkdir(parents=True)
    return home


def tree(directory):
    """Give all that is in a directory: the contents of files, none of directories."""
    return {
        str(path.relative_to(directory)): path.read_bytes() if path.is_file() else None
        for path in sorted(directory.rglob("*"))
    }


def own(home: Path) -> dict[str, bytes | None]:
    """Give what a home is made from; the ledger's log belongs to it, unless empty."""
    tops = {*FILES, *DIRECTORIES, "ledger.db-wal"}
    found = tree(home)
    if not found.get("ledger.db-wal"):
        found.pop("ledger.db-wal", None)
    return {name: what for name, what in found.items() if name.split("/")[0] in tops}


@pytest.fixture
def home(tmp_path):
    return furnish(tmp_path / "home", "tea is at five", "the cat is called Möhre")


@pytest.fixture
def other(tmp_path):
    return furnish(tmp_path / "other", "something else")


@pytest.fixture
def copied(tmp_path):
    """Copy a directory to a name of its own."""

    def copy(directory, name):
        return shutil.copytree(directory, tmp_path / name, symlinks=True)

    return copy
