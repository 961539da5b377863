"""What runs in a home, what is degraded, and why."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from apx.domain.person import OWNER, Role
from apx.wiring.curating import told as curated_told
from apx.wiring.memory_status import embedding_trouble, memory_report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from apx.agent.condensing import Condensing
    from apx.agent.spending import Budgets
    from apx.config import Config
    from apx.ports import Channel
    from apx.wiring.models import Models
    from apx.wiring.remembering import Remembering


_MANY: Final = 100
_SECRETS: Final = (
    "the ledger may hold passwords and keys, from when privacy.keep_secrets was on or"
    " from an older version: `apx memory forget` erases one"
)
_SHOWN: Final = 5
_LATELY: Final = timedelta(days=7)
_DONE: Final = frozenset({"sent", "expired"})


@dataclass(slots=True)
class Status:
    """Counts and complaints, read when somebody asks."""

    what: str
    home: Path
    since: datetime
    config: Config
    remembering: Remembering
    models: Models
    condensing: Condensing
    budgets: Budgets
    channels: Mapping[str, Channel]
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
            "given_up": await rooms.outbox.given_up(rooms.clock() - _LATELY),
            "notes": await rooms.books.sync(),
            "chunks": await rooms.recall.chunks.size(),
            "events": await rooms.history.last_seq(),
            "indexed": indexed,
            "degraded": await rooms.condensations.degraded(_MANY),
            "spaces": [asdict(s) for s in await rooms.recall.spaces.progress()],
            "usage": [asdict(one) for one in await self.budgets.report()],
            "curated": await rooms.curating.counts(),
            "problems": self.problems(),
            "may_hold_secrets": await rooms.ledger.may_hold_secrets(),
        }

    def problems(self) -> dict[str, str]:
        """Name what is degraded."""
        notes = self.remembering.books.trouble
        recall = self.remembering.recall
        daily = self.remembering.daily.trouble
        log = {"daily log": daily} if daily else {}
        threads = self.condensing.trouble
        used_up = self.budgets.trouble
        troubles = embedding_trouble(recall).items()
        vectors = {name: why for name, why in troubles if why != used_up}
        budget = {"budget": used_up} if used_up else {}
        return {
            **self.models.failures,
            **notes,
            **log,
            **recall.embedders.failures,
            **vectors,
            **self.remembering.curating.trouble,
            **budget,
            **threads,
            **self.complaints,
            **_of_channels(self.channels),
        }

    async def memory(self) -> dict[str, Any]:
        """Report how much is remembered, and how it can be found."""
        return await memory_report(self.remembering, self.home)

    async def told(self) -> str:
        """Say it in words."""
        report = await self.report()
        turns = ", ".join(f"{many} {state}" for state, many in report["turns"].items())
        outbox = report["outbox"]
        waiting = sum(n for state, n in outbox.items() if state not in _DONE)
        stays = report["owner"] in {"apx run", "apx chat"}
        owner = f"{report['owner']} (process {report['pid']}) since {report['since']}"
        lines = [
            owner if stays else "nothing runs; each command opens the home for itself",
            f"channels: {', '.join(self.channels)}",
            f"model: {report['model']}",
            f"turns: {turns or 'none yet'}",
            f"requests waiting to be answered: {report['waiting']}",
            f"replies waiting to be delivered: {waiting}",
            *_given_up(report["given_up"]),
            f"notes: {report['notes']}",
            *curated_told(report["curated"]),
            f"index: {report['chunks']} chunks,"
            f" {report['events'] - report['indexed']} log entries still to be read",
            *map(_filled, report["spaces"]),
            *_by_rule(report["degraded"]),
            await self.budgets.told(OWNER, Role.OWNER),
            *([_SECRETS] if self._tells_of_secrets(report) else []),
        ]
        problems = [f"⚠ {name}: {why}" for name, why in report["problems"].items()]
        is_well = not problems and not report["degraded"]
        return "\n".join([*lines, *(["no problems"] if is_well else problems)])

    def _tells_of_secrets(self, report: dict[str, Any]) -> bool:
        """Whether the log has more than the person wants by now."""
        is_wanted = self.config.privacy.keep_secrets
        return bool(report["may_hold_secrets"]) and not is_wanted


def _of_channels(channels: Mapping[str, Channel]) -> dict[str, str]:
    """Name what is wrong with each channel, by its bot."""
    return {
        f"{name}, {what}": why
        for name, channel in channels.items()
        for what, why in channel.problems.items()
    }


def _filled(space: dict[str, Any]) -> str:
    """Say how far a space is: `reindex 340/2000` while it is not complete."""
    is_done = space["done"] + space["refused"] >= space["total"]
    aside = "vectors kept for a switch back" if is_done else "vectors, not in use yet"
    state = "vectors" if space["is_serving"] else aside
    far = f"{space['done']}/{space['total']}"
    return f"{state}: {space['identity']}, " + (far if is_done else f"reindex {far}")


def _given_up(lately: Sequence[tuple[str, str]]) -> list[str]:
    """Say which replies of the last days will not arrive any more."""
    if not lately:
        return []
    lines = [f"  {thread}: {why}" for thread, why in lately[:_SHOWN]]
    return [f"replies of this week that could not be delivered: {len(lately)}", *lines]


def _by_rule(threads: Sequence[str]) -> list[str]:
    """Say which threads stand condensed without a model."""
    if not threads:
        return []
    shown = ", ".join(threads[:_SHOWN]) + (", …" if len(threads) > _SHOWN else "")
    return [f"condensed by rule, as no model did it: {shown}"]
