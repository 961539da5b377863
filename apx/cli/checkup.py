"""What `apx doctor` looks at, one line each."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from typing import TYPE_CHECKING, Final

from apx.config import check
from apx.desk import client, lock
from apx.domain.errors import ApxError, ProviderError, ProviderMisconfigured
from apx.domain.message import Message, Options, Role
from apx.home import home
from apx.store.verify import verify
from apx.wiring.models import Models

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.config import Config
    from apx.ports import ChatModel

_SPARE: Final = 200_000_000
_DEADLINE: Final = 60.0
_OLLAMA: Final = 11434


async def checkup() -> bool:
    """Print what is well and what is not, and what to do; true if all is well."""
    well = True
    async for is_well, text in _looks():
        print(f"{'ok  ' if is_well else 'FAIL'} {text}", flush=True)
        well = well and is_well
    return well


async def _looks() -> AsyncIterator[tuple[bool, str]]:
    where = home()
    yield True, f"home {where}"
    free = shutil.disk_usage(where).free
    yield free > _SPARE, f"disk: {free // 1_000_000} MB free"
    yield True, f"python {sys.version.split()[0]}, sqlite {sqlite3.sqlite_version}"
    yield await _owner(where)
    yield await _ledger(where)
    verdict = check(where / "config.json")
    for warning in verdict.warnings:
        yield True, f"config.json: note: {warning}"
    if verdict.config is None:
        for fault in verdict.faults:
            yield False, str(fault)
        return
    yield True, "config.json: no faults"
    async for look in _models(verdict.config):
        yield look


async def _owner(where: Path) -> tuple[bool, str]:
    if await client.answers(where):
        return True, f"owner: {lock.holder(where)}"
    return True, "owner: none runs; each command opens the home for itself"


async def _ledger(where: Path) -> tuple[bool, str]:
    path = where / "ledger.db"
    if not path.exists():
        return True, "ledger.db: none yet"
    try:
        wrong = await verify(path)
    except ApxError as error:
        return False, str(error)
    return not wrong, "ledger.db: " + ("; ".join(wrong) or "whole")


async def _models(config: Config) -> AsyncIterator[tuple[bool, str]]:
    async with Models(config) as models:
        try:
            usual = await models.get()
        except ApxError as error:
            yield False, str(error)
            return
        for name, why in models.failures.items():
            yield False, f"{name}: {why}"
        if usual.name == "offline":
            yield True, f"model: offline; {await _advice(config)}"
        else:
            yield await _try(usual)


async def _try(model: ChatModel) -> tuple[bool, str]:
    """Ask for one word; a model that is being loaded may take a minute."""
    prompt = [Message(Role.USER, "Answer with the word ok.")]
    options = Options(deadline=_DEADLINE, max_tokens=200)
    try:
        async for _ in model.stream(prompt, (), options):
            pass
    except ProviderMisconfigured as error:
        return False, f"model {model.name}: {error} (config.json: {error.key})"
    except ProviderError as error:
        return False, f"model {model.name}: {error}"
    return True, f"model {model.name}: answers"


async def _advice(config: Config) -> str:
    if config.super_agent.model != "auto":
        return "super_agent.model says so"
    try:
        async with asyncio.timeout(1):
            _, writer = await asyncio.open_connection("127.0.0.1", _OLLAMA)
    except OSError:
        return "no engine is named in config.json"
    writer.close()
    return (
        "an Ollama runs here; use it with"
        " `apx config set engines.ollama.base_url http://127.0.0.1:11434`"
    )
