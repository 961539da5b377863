"""`apx run`: the owner of the home that stays."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import typer

from apx.cli.run_troubles import Troubles
from apx.cli.start import prepared, waited

if TYPE_CHECKING:
    from pathlib import Path

    from apx.config import Config
    from apx.desk.local import LocalDesk
    from apx.wiring import House

_WHAT: Final = "apx run"
# Another command may hold the home for its short life; a daemon holds it for good.
_TRIES: Final = 10
_LOOK: Final = 2.0
# Turns that run when it ends are told of if they take longer than this.
_SHORT: Final = 0.5
# For a supervisor: a fresh process may do better (EX_TEMPFAIL of sysexits.h).
_AGAIN: Final = 75


def run() -> None:
    """Serve all channels and the background tasks, until SIGTERM or Ctrl-C.

    Turns that run then have ten seconds to end.
    """
    waited(_run(*prepared()))


async def _run(home: Path, config: Config) -> None:
    from apx.desk import lock  # noqa: PLC0415 -- `apx --help` needs none of it
    from apx.desk.open import own  # noqa: PLC0415 -- the same
    from apx.domain.errors import HomeError  # noqa: PLC0415 -- the same

    for _ in range(_TRIES):
        with lock.held(home, _WHAT) as mine:
            if mine:
                async with own(home, config, _WHAT) as desk:
                    trouble = await _serve(desk)
                if trouble:
                    print(f"apx: {trouble}; start it again", file=sys.stderr)
                    raise typer.Exit(_AGAIN)
                return
        await asyncio.sleep(0.05)
    raise HomeError(
        f"{home} is in use by {lock.holder(home)}; one process owns a home,"
        " end that one first. `apx chat` and the other commands work beside it"
    )


async def _serve(desk: LocalDesk) -> str:
    """Serve until told to end; gives why it had to end by itself, if it had."""
    ended = desk.house.is_over
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await desk.house.gateway.resume()
    print("apx is running; Ctrl-C or SIGTERM ends it", file=sys.stderr, flush=True)
    async with asyncio.TaskGroup() as group:
        watching = [
            group.create_task(_watch_config(desk.house)),
            group.create_task(_watch_channels(desk.house)),
        ]
        await ended.wait()
        for one in watching:
            one.cancel()
    _say("apx is ending")
    loop.call_later(_SHORT, _say_what_runs, desk.house)
    return "; ".join(desk.house.given_up)


def _say(text: str) -> None:
    """Print for whoever looks at the terminal, if there still is one."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def _say_what_runs(house: House) -> None:
    from apx.agent.gateway import DRAIN  # noqa: PLC0415 -- `apx --help` needs none of it

    if many := len(house.gateway.runs):
        what = "an answer that is" if many == 1 else f"{many} answers that are"
        _say(f"apx is finishing {what} being written, up to {DRAIN:.0f} seconds")


async def _watch_channels(house: House) -> None:
    """Tell the troubles of channels as they come: `apx status` is another command."""
    troubles = Troubles()
    while True:
        for line in troubles.news(house.channels, house.status.complaints):
            _say(f"apx: {line}")
        await asyncio.sleep(_LOOK)


async def _watch_config(house: House) -> None:
    """Say in the status that config.json was changed; what was read first holds."""
    from apx.config import check  # noqa: PLC0415 -- `apx --help` needs none of it
    from apx.domain.errors import ConfigError  # noqa: PLC0415 -- the same

    path = house.home / "config.json"
    began = last = _stamp(path)
    while True:
        await asyncio.sleep(_LOOK)
        if (stamp := _stamp(path)) == last:
            continue
        last = stamp
        try:
            faults = "; ".join(map(str, check(path).faults))
        except ConfigError as error:
            faults = str(error)
        if stamp == began:
            house.status.complaints.pop("config.json", None)
        else:
            house.status.complaints["config.json"] = (
                f"changed, but wrong: {faults}; what was read at the start holds"
                if faults
                else "changed: restart apx to use it"
            )


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
