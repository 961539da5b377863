"""What `apx doctor` looks at, one line each."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apx import logs
from apx.cli.checkup_channels import channels
from apx.cli.checkup_vectors import vectors
from apx.config import Config, check
from apx.desk import client, lock
from apx.domain.errors import ApxError, ConfigError, HomeError, ProviderError
from apx.domain.message import Message, Options, Role
from apx.home import home
from apx.store.verify import verify
from apx.wiring.condensing import condensing_names
from apx.wiring.models import Models

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

_SPARE: Final = 200_000_000
# A model that is being loaded takes a while; a person at a prompt has no minute.
_DEADLINE: Final = 30.0
_OLLAMA: Final = 11434
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Mark(StrEnum):
    """How a line begins; only `FAIL` is something to mend."""

    OK = "ok  "
    WAIT = "... "
    NOTE = "note"
    FAIL = "FAIL"


Look = tuple[Mark, str]


async def checkup() -> bool:
    """Print what is well and what is not, and what to do; true if all is well."""
    well = True
    async for mark, text in _looks():
        print(f"{mark} {text}", flush=True)
        well = well and mark is not Mark.FAIL
    return well


async def _looks() -> AsyncIterator[Look]:
    try:
        where = home()
    except HomeError as error:
        yield Mark.FAIL, str(error)
        return
    yield Mark.OK, f"home {where}"
    free = shutil.disk_usage(where).free
    yield _judged(f"disk: {free // 1_000_000} MB free", well=free > _SPARE)
    yield Mark.OK, f"python {sys.version.split()[0]}, sqlite {sqlite3.sqlite_version}"
    yield await _owner(where)
    yield await _ledger(where)
    config, said = _config(where / "config.json")
    for look in (*said, *_open_to_others(where, config)):
        yield look
    if config is not None:
        logs.configure(where / "apx.log", secrets=config.secrets())
        if config.configured_engines():
            yield Mark.NOTE, "the calls that this makes are not counted in usage"
        async for well, text in vectors(config, where):
            yield (Mark.NOTE, text) if well is None else _judged(text, well=well)
        async for well, text in channels(config):
            yield (Mark.NOTE, text) if well is None else _judged(text, well=well)
        async for look in _models(config):
            yield look


def _judged(text: str, *, well: bool) -> Look:
    return Mark.OK if well else Mark.FAIL, text


async def _owner(where: Path) -> Look:
    if await client.answers(where):
        return Mark.OK, f"owner: {lock.holder(where)}"
    if lock.is_held(where):
        return Mark.FAIL, (
            f"{lock.holder(where)} holds the home but does not answer: "
            "end it or, if it was stopped, let it go on"
        )
    return Mark.OK, "owner: none runs; each command opens the home for itself"


async def _ledger(where: Path) -> Look:
    path = where / "ledger.db"
    if not path.exists():
        return Mark.OK, "ledger.db: none yet"
    try:
        wrong = await verify(path)
    except ApxError as error:
        return Mark.FAIL, str(error)
    return _judged("ledger.db: " + ("; ".join(wrong) or "whole"), well=not wrong)


def _config(path: Path) -> tuple[Config | None, list[Look]]:
    try:
        verdict = check(path)
    except ConfigError as error:
        return None, [(Mark.FAIL, str(error))]
    looks = [(Mark.NOTE, warning) for warning in verdict.warnings]
    looks += [(Mark.FAIL, str(fault)) for fault in verdict.faults]
    if verdict.config is not None:
        looks.append((Mark.OK, f"{path.name}: no faults"))
    return verdict.config, looks


def _open_to_others(where: Path, config: Config | None) -> Iterator[Look]:
    """Find what other people of this machine may read."""
    mode = where.stat().st_mode
    if mode & _OTHERS:
        yield Mark.FAIL, f"home {where}: others may look into it: `chmod 700 {where}`"
    private = [where / "memory.md", where / "ledger.db"]
    if _holds_a_credential(where / "config.json", config):
        private.append(where / "config.json")
    for path in private:
        # Nobody gets at what is in a closed home, unless it is a link out of there.
        reachable = mode & _OTHERS or path.is_symlink()
        if reachable and path.exists() and path.stat().st_mode & _OTHERS:
            yield Mark.FAIL, f"{path}: others may read it: `chmod 600 {path}`"


def _holds_a_credential(path: Path, config: Config | None) -> bool:
    """Tell whether one stands in the file itself; of a faulty file, believe so."""
    if config is None or not path.exists():
        return config is None
    text = path.read_text("utf-8")
    return any(secret in text for secret in config.secrets())


async def _models(config: Config) -> AsyncIterator[Look]:
    """Ask the models in the order of a turn, and say which one answers."""
    agent = config.super_agent
    async with Models(config) as models:
        try:
            usual = await models.get()
        except ApxError as error:
            yield Mark.FAIL, str(error)
            return
        for name, why in models.failures.items():
            yield Mark.FAIL, f"{name}: {why}"
        last = ["offline"] if agent.model == "auto" else []
        answering = None
        asked = list(dict.fromkeys([usual.name, *agent.fallback_models, *last]))
        for name in asked:
            if name == "offline":
                answering = answering or name
                break
            yield Mark.WAIT, f"asking {name}, for at most {_DEADLINE:.0f} s"
            failure = await _failure(models, name)
            yield _judged(failure or f"{name}: answers", well=not failure)
            answering = answering or (None if failure else name)
        async for look in _condensing(config, models, asked):
            yield look
    yield await _answering(config, answering)


async def _condensing(
    config: Config, models: Models, asked: list[str]
) -> AsyncIterator[Look]:
    """Ask those models that only condense."""
    for name in condensing_names(config):
        if name and name != "offline" and name not in asked:
            yield Mark.WAIT, f"asking {name}, for at most {_DEADLINE:.0f} s"
            failure = await _failure(models, name)
            told = failure or f"{name}: answers, and condenses"
            yield _judged(told, well=not failure)


async def _failure(models: Models, name: str) -> str:
    """Ask for one word; give what went wrong."""
    prompt = [Message(Role.USER, "Answer with the word ok.")]
    options = Options(deadline=_DEADLINE, max_tokens=200)
    try:
        model = await models.get(name)
        async for _ in model.stream(prompt, (), options):
            pass
    except ProviderError as error:
        said, key = str(error), getattr(error, "key", "")
        named = said if said.startswith(name) else f"{name}: {said}"
        return named if key in said else f"{named} (config.json: {key})"
    return ""


async def _answering(config: Config, name: str | None) -> Look:
    if name is None:
        return Mark.FAIL, "model: none answers, and so no turn can be completed"
    if name != "offline":
        return Mark.OK, f"model: {name}"
    keyless = config.engines.model_fields_set - {"ollama"}
    is_auto = config.super_agent.model == "auto"
    if is_auto and keyless and not config.configured_engines():
        keys = " or ".join(f"engines.{engine}.api_key" for engine in sorted(keyless))
        return Mark.FAIL, f"model: offline, because {keys} is empty"
    return Mark.OK, f"model: offline; {await _advice(config)}"


async def _advice(config: Config) -> str:
    if config.super_agent.model != "auto":
        return "super_agent says so"
    if engines := config.configured_engines():
        return f"no model of {', '.join(engines)} answers"
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
