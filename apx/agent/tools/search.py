"""Looking things up: in memory, in what was said, in the list of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from apx.agent.tools.typed import Arguments, Nothing, TypedTool
from apx.domain.recall import Query
from apx.domain.text import excerpt
from apx.domain.thread import Thread
from apx.domain.tool import Scene, ToolOutcome
from apx.memory.merge import bullet

if TYPE_CHECKING:
    from datetime import tzinfo

    from apx.ports import Source
    from apx.store.history import History
    from apx.store.search import MessageSearch


_LISTED: Final = 50


class _Recall(Arguments):
    query: str = Field(min_length=1, description="What to look for, in plain words.")
    limit: int = Field(default=0, ge=0, le=50, description="0 is the usual number.")


class _Search(Arguments):
    text: str = Field(
        min_length=1, description="The exact words; case and accents do not matter."
    )
    thread: str = Field(
        default="", description="One thread only, such as terminal:main."
    )
    limit: int = Field(default=10, ge=1, le=50)


class RecallSearch(TypedTool[_Recall]):
    """Searches memory by relevance."""

    name = "recall_search"
    description = (
        "Search the notes and everything ever said in any channel for what is relevant"
        " to a question."
    )
    arguments = _Recall

    def __init__(self, recalled: Source, zone: tzinfo, usual: int = 5) -> None:
        self._recalled = recalled
        self._zone = zone
        self._usual = usual

    async def act(self, given: _Recall, scene: Scene) -> ToolOutcome:
        """Give the best hits, each with date, channel and where it stands."""
        query = Query(
            text=given.query,
            thread=scene.thread,
            audiences=scene.sight.audiences,
            at=scene.at,
            limit=given.limit or self._usual,
            known_turns=frozenset({scene.turn}),
        )
        hits = (await self._recalled.fetch(query)).memories
        lines = [f"{bullet(hit, self._zone)} ({hit.ref})" for hit in hits]
        untrusted = any(hit.untrusted for hit in hits)
        text = "\n".join(lines) or "nothing found"
        return ToolOutcome(text, is_untrusted=untrusted)


class SearchMessages(TypedTool[_Search]):
    """Searches messages literally."""

    name = "search_messages"
    description = "Find messages that contain exactly these words, newest first."
    arguments = _Search

    def __init__(self, search: MessageSearch, zone: tzinfo) -> None:
        self._search = search
        self._zone = zone

    async def act(self, given: _Search, scene: Scene) -> ToolOutcome:
        """Give the messages, each with its time, thread and which side said it."""
        thread = Thread.parse(given.thread) if given.thread else None
        found = await self._search.search(
            given.text, scene.sight.audiences, thread, given.limit
        )
        lines = [
            f"• [{hit.at.astimezone(self._zone):%Y-%m-%d %H:%M}][{hit.thread}]"
            f" {hit.field}: {excerpt(hit.text, 300)} (turn {hit.turn})"
            for hit in found
            if hit.turn != scene.turn
        ]
        text = "\n".join(lines) or "nothing found"
        return ToolOutcome(text, is_untrusted=any(hit.is_untrusted for hit in found))


class ListThreads(TypedTool[Nothing]):
    """Lists the conversations."""

    name = "list_threads"
    description = "List the conversations in all channels, newest first."
    arguments = Nothing

    def __init__(self, history: History, zone: tzinfo) -> None:
        self._history = history
        self._zone = zone

    async def act(self, given: Nothing, scene: Scene) -> ToolOutcome:  # noqa: ARG002 -- the port's shape
        """Give each with its number of turns and its last request."""
        found = await self._history.threads(_LISTED, scene.sight.audiences)
        lines = [
            f"{turn.thread}: {turns} turns, last"
            f" {turn.began_at.astimezone(self._zone):%Y-%m-%d %H:%M}:"
            f" {excerpt(turn.asked, 100)}"
            for turns, turn in found
        ]
        text = "\n".join(lines) or "no conversations"
        untrusted = any(turn.provenance for _, turn in found)
        return ToolOutcome(text, is_untrusted=untrusted)


class CurrentTime(TypedTool[Nothing]):
    """Tells the time."""

    name = "current_time"
    description = "Tell the person's local date and time."
    arguments = Nothing

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    async def act(self, given: Nothing, scene: Scene) -> ToolOutcome:  # noqa: ARG002 -- the port's shape
        """Give date, weekday, time and zone."""
        here = scene.at.astimezone(self._zone)
        return ToolOutcome(f"{here:%A %Y-%m-%d %H:%M:%S} {here.tzname()}")
