"""What runs in a home, what is degraded, and why."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from apx.config import Config
    from apx.wiring.models import Models
    from apx.wiring.remembering import Remembering


@dataclass(slots=True)
class Status:
    """Counts and complaints, read when somebody asks."""

    what: str
    since: datetime
    config: Config
    remembering: Remembering
    models: Models
    complaints: dict[str, str] = field(default_factory=dict)

    async def report(self) -> dict[str, Any]:
        """Give all of it as JSON takes it."""
        rooms = self.remembering
        indexed = await rooms.recall.chunks.cursor()
        return {
            "owner": self.what,
            "pid": os.getpid(),
            "since": self.since.astimezone(rooms.zone).isoformat(timespec="minutes"),
            "model": await self.models.name(),
            "turns": await rooms.history.turn_counts(),
            "waiting": len(await rooms.ledger.waiting()),
            "outbox": await rooms.outbox.counts(),
            "notes": len(await rooms.book.sync()),
            "chunks": await rooms.recall.chunks.size(),
            "events": await rooms.history.last_seq(),
            "indexed": indexed,
            "problems": self.problems(),
        }

    def problems(self) -> dict[str, str]:
        """Name what is degraded."""
        trouble = self.remembering.book.trouble
        notes = {"memory.md": trouble} if trouble else {}
        return {**self.models.failures, **notes, **self.complaints}

    async def told(self) -> str:
        """Say it in words."""
        report = await self.report()
        turns = ", ".join(f"{many} {state}" for state, many in report["turns"].items())
        waiting = sum(
            many for state, many in report["outbox"].items() if state != "sent"
        )
        stays = report["owner"] in {"apx run", "apx chat"}
        owner = f"{report['owner']} (process {report['pid']}) since {report['since']}"
        lines = [
            owner if stays else "nothing runs; each command opens the home for itself",
            f"model: {report['model']}",
            f"turns: {turns or 'none yet'}",
            f"requests waiting to be answered: {report['waiting']}",
            f"replies waiting to be delivered: {waiting}",
            f"notes: {report['notes']}",
            f"index: {report['chunks']} chunks,"
            f" {report['events'] - report['indexed']} log entries still to be read",
        ]
        problems = [f"⚠ {name}: {why}" for name, why in report["problems"].items()]
        return "\n".join(lines + (problems or ["no problems"]))
