"""`apx memory reindex`: vectors brought up to date, while one watches."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final

from apx.cli.start import desk

if TYPE_CHECKING:
    from apx.desk.open import Desk

_WHAT: Final = "apx memory reindex"
_LOOK: Final = 0.25


async def estimated(full: bool, provider: str) -> dict[str, Any]:
    """Say what a reindex would embed."""
    async with desk(_WHAT) as opened:
        return await _need(opened, full=full, provider=provider)


async def reindexed(full: bool, provider: str) -> dict[str, Any]:
    """Reindex to the end, with a bar on a terminal; gives the last state."""
    async with desk(_WHAT) as opened:
        need = await _need(opened, full=full, provider=provider)
        if not need["identity"]:
            return need
        await opened.call("reindex", full=full, provider=provider)
        try:
            state = await _watched(opened, need["chunks"])
        except asyncio.CancelledError:
            # Who owns the home would go on, and a provider would be paid for it.
            await opened.call("reindex_stop")
            print("apx: stopped; what was embedded stays", file=sys.stderr)
            raise
        return {**need, **state}


async def _need(opened: Desk, *, full: bool, provider: str) -> dict[str, Any]:
    need: dict[str, Any] = await opened.call(
        "reindex_estimate", full=full, provider=provider
    )
    return need


async def _watched(opened: Desk, total: int) -> dict[str, Any]:
    from rich.console import Console  # noqa: PLC0415 -- `apx --help` needs none of it
    from rich.progress import (  # noqa: PLC0415 -- the same
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    shows = total > 0 and sys.stderr.isatty()
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]} a second"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=Console(stderr=True), disable=not shows, transient=True
    ) as bar:
        task = bar.add_task("", total=total, rate="0")
        while True:
            state: dict[str, Any] = await opened.call("reindex_state")
            speed = bar.tasks[task].speed or 0
            bar.update(task, completed=state["embedded"], rate=f"{speed:,.0f}")
            if not state["running"]:
                return state
            await asyncio.sleep(_LOOK)


def told(done: dict[str, Any], *, dry: bool) -> str:
    """Say in words what was done, or would be."""
    who = done["identity"]
    if not who:
        why = "; ".join(done["failures"].values()) or "none is configured"
        return f"nobody embeds: {why}"
    if trouble := done.get("trouble"):
        return f"{done['embedded']} embedded with {who}, then it ended: {trouble}"
    if not done["chunks"]:
        return f"nothing to do: every chunk has its vector of {who}"
    if not dry:
        return f"{done['embedded']} chunks embedded with {who}"
    cost = _cost(who, done["dollars"])
    tokens = f"about {done['tokens']:,} tokens"
    return f"{done['chunks']:,} chunks would be embedded with {who}: {tokens}, {cost}"


def _cost(who: str, dollars: float | None) -> str:
    if dollars is not None:
        return f"about {dollars:.4f} US dollars"
    free = who.startswith(("local:", "tf:", "ollama:"))
    return "free of charge" if free else "at a price that apx does not know"
