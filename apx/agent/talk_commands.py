"""The chat commands about the conversation itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from apx.agent.compacted import told, told_undone
from apx.domain.event import Event, EventKind
from apx.domain.person import Role
from apx.domain.text import excerpt
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.agent.asked import Asked, Command
    from apx.agent.condensing import Condensing
    from apx.agent.explain import Explainer
    from apx.domain.turn import Turn
    from apx.store.history import History
    from apx.store.ledger import Ledger

_SHOWN: Final = 10

Told = Callable[[], Awaitable[str]]
ToldOf = Callable[[str, Role], Awaitable[str]]


class TalkCommands:
    """Begins afresh, stops, retries, condenses; says what runs and why."""

    def __init__(  # noqa: PLR0913 -- these commands reach into every room
        self,
        *,
        ledger: Ledger,
        history: History,
        condensing: Condensing,
        explainer: Explainer,
        status: Told,
        model: Told,
        usage: ToldOf,
    ) -> None:
        self._ledger = ledger
        self._history = history
        self._condensing = condensing
        self._explainer = explainer
        self._status = status
        self._model = model
        self._usage = usage

    def known(self) -> Mapping[str, Command]:
        """Give the commands by name."""
        return {
            "new": self._new,
            "stop": self._stop,
            "retry": self._retry,
            "status": self._show_status,
            "usage": self._show_usage,
            "compact": self._compact,
            "why": self._why,
            "threads": self._threads,
        }

    async def _new(self, asked: Asked) -> str:
        await self._condensing.leave(asked.heard.thread)
        await self._ledger.record(
            Event(
                kind=EventKind.FRESH,
                op=f"fresh/{asked.heard.key}",
                at=asked.heard.at,
                thread=str(asked.heard.thread),
                person=asked.heard.person,
                audience=str(asked.heard.audience),
            )
        )
        return "A fresh start. What was said before stays in memory."

    async def _stop(self, asked: Asked) -> str:
        if asked.run is not None:
            if not _may_stop(asked):
                return "Only who asked, or the owner, can stop that answer."
            asked.run.stop()
        elif not self._condensing.stop(asked.heard.thread):
            return "Nothing is running here."
        return "Stopped."

    async def _retry(self, asked: Asked) -> str:
        turn = await self._newest(asked)
        is_running = turn is not None and turn.state is TurnState.RUNNING
        if asked.run is not None or is_running:
            return "An answer is being written; /stop it first."
        if turn is None or turn.state is TurnState.COMPLETED:
            return "The last request was answered; there is nothing to retry."
        if turn.person != asked.heard.person:
            return "The last request was somebody else's."
        if await self._ledger.repeats(turn.id):
            return "The last request waits to be run again already."
        await self._ledger.retry(turn, asked.heard.key, asked.heard.at)
        return f"Again: {excerpt(turn.asked, 100)}"

    async def _newest(self, asked: Asked) -> Turn | None:
        """Read the newest turn, if it was for the same eyes as what is asked now.

        The account behind a private chat may have been linked or parted since.
        """
        turn = await self._ledger.newest(asked.heard.thread)
        is_theirs = turn is not None and turn.audience == str(asked.heard.audience)
        return turn if is_theirs else None

    async def _show_status(self, asked: Asked) -> str:
        if asked.heard.role is not Role.OWNER or asked.heard.audience.thread:
            return f"{await self._model()} answers."
        return await self._status()

    async def _show_usage(self, asked: Asked) -> str:
        if asked.heard.audience.thread:
            return "Ask me that in a private chat."
        return await self._usage(asked.heard.person, asked.heard.role)

    async def _compact(self, asked: Asked) -> str:
        thread = asked.heard.thread
        if asked.run is not None:
            return "An answer is being written; /compact after it."
        if await self._newest(asked) is None:
            return "There is nothing to condense yet."
        if asked.rest.strip().lower() == "undo":
            undone = await self._condensing.undo(thread, f"undo/{asked.heard.key}")
            return told_undone(undone)
        return told(await self._condensing.now(thread, asked.rest))

    async def _why(self, asked: Asked) -> str:
        heard = asked.heard
        return await self._explainer.why_last(
            str(heard.thread), str(heard.audience), heard.person
        )

    async def _threads(self, asked: Asked) -> str:
        found = await self._history.threads(_SHOWN, asked.sight.audiences)
        lines = [
            f"{turn.thread} · {turns} turns · {excerpt(turn.asked, 60)}"
            for turns, turn in found
        ]
        return "\n".join(lines) or "No conversations yet."


def _may_stop(asked: Asked) -> bool:
    run = asked.run
    is_owner = asked.heard.role is Role.OWNER
    return run is None or is_owner or run.turn.person == asked.heard.person
