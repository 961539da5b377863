"""What every command does first: find the home, read config.json, open the log."""

from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from apx.config import Config, Loaded
    from apx.desk.open import Desk

# Short commands own a home for a moment; after so many of them something is wrong.
_OWNERS: Final = 20
_THREADS: Final = 32


def prepared() -> tuple[Path, Config]:
    """Give the home and its config; say on stderr what is odd about the latter."""
    where, loaded = _read()
    for warning in loaded.warnings:
        print(f"apx: {warning}", file=sys.stderr)
    return where, loaded.config


def _read() -> tuple[Path, Loaded]:
    from apx import logs  # noqa: PLC0415 -- `apx --help` needs none of it
    from apx.config import load  # noqa: PLC0415 -- the same
    from apx.home import home  # noqa: PLC0415 -- the same

    where = home()
    _settle(where)
    loaded = load(where / "config.json")
    logs.configure(where / "apx.log", secrets=loaded.config.secrets())
    return where, loaded


def _settle(where: Path) -> None:
    """Have a restore finished that was interrupted: config.json is a part of it."""
    from apx.backup import swap  # noqa: PLC0415 -- as above
    from apx.desk import lock  # noqa: PLC0415 -- the same

    if swap.is_due(where):
        with lock.held(where, "apx restore") as mine:
            if mine and swap.is_due(where):
                swap.finish(where)


@asynccontextmanager
async def desk(what: str) -> AsyncIterator[Desk]:
    """Reach the owner of the home, or be it; be quiet about oddities of config.json."""
    from apx.desk.open import open_desk  # noqa: PLC0415 -- as above

    home, loaded = _read()
    async with open_desk(home, loaded.config, what) as opened:
        yield opened


def ask(command: str, call: str, **args: Any) -> Any:  # noqa: ANN401 -- JSON
    """Ask the owner of the home one thing."""
    return waited(_asked(command, call, args))


async def _asked(command: str, call: str, args: dict[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    from apx.desk.errors import OwnerLeft  # noqa: PLC0415 -- `apx --help` needs none of it

    for _ in range(_OWNERS):
        async with desk(command) as opened:
            try:
                return await opened.call(call, **args)
            except OwnerLeft:
                continue
    raise OwnerLeft("the owner of the home keeps going away; apx.log may say why")


def waited(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 -- what the work gives
    """Run async work to its end."""
    return asyncio.run(_with_threads(work))


async def _with_threads(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 -- the same
    """Have threads enough: a name server that hangs keeps one a call given up."""
    threads = ThreadPoolExecutor(_THREADS, "apx")
    asyncio.get_running_loop().set_default_executor(threads)
    return await work


def print_json(value: object) -> None:
    """Print for programs."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
