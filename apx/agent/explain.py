"""Says what memory brought to an answer, and why."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from apx.domain.event import EventKind
from apx.domain.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from apx.domain.event import Event
    from apx.store.history import History


class Explainer:
    """Reads the record that every turn keeps of what was injected into its prompt."""

    def __init__(self, history: History, zone: tzinfo) -> None:
        self._history = history
        self._zone = zone

    async def recall_of(self, turn_id: int) -> Event | None:
        """Give the record of one turn."""
        events = await self._history.events_of(turn_id, EventKind.RECALL)
        return events[-1] if events else None

    async def newest(self, thread: str, audiences: Sequence[str]) -> Event | None:
        """Give the newest record, in one thread or in all (``)."""
        return await self._history.newest_with(thread, EventKind.RECALL, audiences)

    async def looked_up(self, turn_id: int) -> list[dict[str, Any]]:
        """Give what the turn's tools found, by tool."""
        events = await self._history.events_of(turn_id, EventKind.TOOL_RESULT)
        return [dict(event.body) for event in events]

    async def why_last(self, thread: str, audience: str, asker: str) -> str:
        """Explain the newest answer of a thread in words."""
        return await self.told(await self.newest(thread, [audience]), asker)

    async def told(self, event: Event | None, asker: str) -> str:
        """Explain a record in words.

        That somebody has private memories of something is theirs alone to know.
        """
        if event is None:
            return "No answer yet that memory was asked for."
        lines = [f"Turn {event.turn}, memory asked in {event.body['spent_ms']} ms:"]
        lines += [self._line(memory) for memory in event.body["memories"]]
        if not event.body["memories"]:
            lines.append("• nothing was injected")
        lines += [f"• late or failed: {name}" for name in event.body["missed"]]
        if event.body["withheld"] and event.person == asker:
            lines.append(f"• {_withheld(event.body['withheld'])} not used here")
        for result in await self.looked_up(event.turn):
            lines.append(f"Tool {result['name']}:\n{result['text']}")
        return "\n".join(lines)

    def _line(self, memory: dict[str, Any]) -> str:
        at = datetime.fromisoformat(memory["at"]).astimezone(self._zone)
        score = "" if memory["score"] is None else f", score {memory['score']}"
        place = memory["channel"] or "memory.md"
        text = excerpt(memory["shown"] or memory["text"], 160)
        untrusted = memory.get("untrusted", "")
        place += f", {untrusted}" if untrusted else ""
        origin = f"{memory['ref']} [{at:%Y-%m-%d}][{place}]"
        return f"• {origin} {text} ({memory['why']}{score})"


def _withheld(many: int) -> str:
    return f"{many} private {'memory' if many == 1 else 'memories'}"
