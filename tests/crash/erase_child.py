"""One erasure that may end by SIGKILL at a named point, or one start after it.

    python -m tests.crash.erase_child HOME make|erase|start POINT

Makes a home that says the passage everywhere, erases it, or opens the home again and
brings to its end what was begun. Says what it acknowledged on stdout.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apx.domain.erasing import ErasePassage
from apx.memory.forgetting_places import Places
from tests.memory.homes import ALL, home

if TYPE_CHECKING:
    from tests.memory.homes import Home

PASSAGE = "the vault of Hermione 4417"
WORD = "Hermione"
BEFORE = ("asked",)
AFTER = (
    "survey",
    "files",
    "typed",
    "committed",
    "log",
    "one file",
    "index",
    "again",
    "compacted",
    "ledger",
    "last",
)
POINTS = (*BEFORE, *AFTER)


def dies(owner: Any, name: str) -> None:
    """End this very process where a method of an object is called."""

    def end(*values: Any, **more: Any) -> None:
        del values, more
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, end)


def doom(house: Home, point: str) -> None:
    """Have the process end at a point, just before what comes next."""
    nexts: dict[str, tuple[Any, str]] = {
        "asked": (house.eraser, "keep"),
        "survey": (Places, "from_files"),
        "files": (Places, "_lessened"),
        "typed": (house.eraser, "erase"),
        "committed": (Places, "follow"),
        "log": (house.memory.indexer, "catch_up"),
        "index": (house.memory.chunks, "compact"),
        "again": (house.eraser, "let_go"),
        "compacted": (house.eraser, "compact"),
        "ledger": (Places, "_empty_wals"),
        "last": (house.eraser, "finish"),
    }
    if point == "one file":
        doom_renaming(house)
    elif point:
        dies(*nexts[point])


def doom_renaming(house: Home) -> None:
    """Have the process end when a new file of the daily log is written, not named."""
    rewrite = house.daily.rewrite

    async def rewritten(*values: Any) -> int:
        dies(Path, "replace")
        return await rewrite(*values)

    vars(house.daily)["rewrite"] = rewritten


async def main(path: Path, what: str, point: str) -> None:
    async with home(path, is_new=what != "start") as house:
        if what == "make":
            await house.say_everywhere(PASSAGE)
            await house.settle()
            await house.memory.spaces.fill()
            return
        if what == "start":
            await house.forgetting.resume()
            await house.books.sync()
            await house.settle()
            return
        doom(house, point)
        await house.forgetting.erase(ErasePassage(PASSAGE, ALL))
        sys.stdout.write("erased")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
