"""The chat commands, the same on every channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.agent.compacted import told, told_undone
from apx.agent.review import reviewed
from apx.agent.tools.notes import LONGEST, choose, listed
from apx.domain.errors import InputError
from apx.domain.event import Event, EventKind
from apx.domain.note import NewNote, Origin
from apx.domain.recall import Query
from apx.domain.text import excerpt, flatten
from apx.domain.turn import Inbound, TurnState
from apx.memory.merge import bullet
from apx.memory.past import over_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

    from apx.agent.condensing import Condensing
    from apx.agent.explain import Explainer
    from apx.agent.run import Run
    from apx.domain.recall import Memory
    from apx.domain.thread import Thread
    from apx.memory.candidates import Proposals
    from apx.memory.notes import NoteBook
    from apx.ports import Clock, Source
    from apx.store.history import History
    from apx.store.ledger import Ledger

Answer = Awaitable[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A command as it was given: its words, and the turn that ran when it came."""

    heard: Inbound
    rest: str
    run: Run | None


HELP: Final = """\
/new             start afresh; what was said stays in memory
/stop            stop the answer that is being written
/retry           run the last request again that got no answer
/status          what runs, and what does not
/model           which model answers
/compact         condense this conversation; WORDS say what to keep
/compact undo    show it whole again
/memory          the newest notes; /memory search WORDS looks everywhere
/memory history  what was so before, too; WORDS say of what
/memory review   facts that may become notes: /memory accept or reject ID
/remember TEXT   save a note
/forget ID       forget a note (or words of it)
/why             what memory brought to the last answer
/threads         the conversations in all channels
/help            this list"""

_LATER: Final = frozenset({"undo", "link", "unlink"})
_REVIEWING: Final = frozenset({"review", "accept", "reject"})
_SHOWN: Final = 10


class Commands:
    """Knows the commands and what each needs."""

    def __init__(  # noqa: PLR0913 -- commands reach into every room
        self,
        *,
        ledger: Ledger,
        history: History,
        book: NoteBook,
        proposals: Proposals,
        condensing: Condensing,
        recalled: Source,
        explainer: Explainer,
        status: Callable[[], Answer],
        model: Callable[[], Answer],
        zone: tzinfo,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._history = history
        self._book = book
        self._proposals = proposals
        self._condensing = condensing
        self._recalled = recalled
        self._explainer = explainer
        self._status = status
        self._model = model
        self._zone = zone
        self._clock = clock
        self._known: Mapping[str, Callable[[Asked], Answer]] = {
            "new": self._new,
            "stop": self._stop,
            "retry": self._retry,
            "status": self._show_status,
            "model": self._show_model,
            "compact": self._compact,
            "memory": self._memory,
            "remember": self._remember,
            "forget": self._forget,
            "why": self._why,
            "threads": self._threads,
            "help": self._help,
        }

    async def answer(self, heard: Inbound, run: Run | None) -> str | None:
        """Do what a command says; nothing for any other text."""
        word, *rest = heard.text.split(maxsplit=1)
        name = word[1:].partition("@")[0].lower() if word.startswith("/") else ""
        if name in _LATER:
            return f"/{name} is not part of this version of apx yet."
        command = self._known.get(name)
        return await command(Asked(heard, "".join(rest), run)) if command else None

    def stop(self, thread: Thread) -> bool:
        """Stop a command that takes long; false if none is under way."""
        return self._condensing.stop(thread)

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
            asked.run.stop()
        elif not self.stop(asked.heard.thread):
            return "Nothing is running here."
        return "Stopped."

    async def _retry(self, asked: Asked) -> str:
        turn = await self._ledger.newest(asked.heard.thread)
        if asked.run is not None:
            return "An answer is being written; /stop it first."
        if turn is None or turn.state is TurnState.COMPLETED:
            return "The last request was answered; there is nothing to retry."
        if await self._ledger.repeats(turn.id):
            return "The last request waits to be run again already."
        await self._ledger.retry(turn, asked.heard.key, asked.heard.at)
        return f"Again: {excerpt(turn.request, 100)}"

    async def _show_status(self, _: Asked) -> str:
        return await self._status()

    async def _show_model(self, _: Asked) -> str:
        name = await self._model()
        return (
            f"{name} answers. To change it:"
            " apx config set super_agent.model ollama:NAME (or openai:…, gemini:…)"
        )

    async def _compact(self, asked: Asked) -> str:
        thread = asked.heard.thread
        if asked.run is not None:
            return "An answer is being written; /compact after it."
        if asked.rest.strip().lower() == "undo":
            undone = await self._condensing.undo(thread, f"undo/{asked.heard.key}")
            return told_undone(undone)
        return told(await self._condensing.now(thread, asked.rest))

    async def _memory(self, asked: Asked) -> str:
        word, _, words = asked.rest.partition(" ")
        if word in _REVIEWING:
            return await reviewed(
                self._proposals, asked.rest, self._visible(asked), self._zone
            )
        if word == "search":
            return await self._search(asked, words)
        if word == "history":
            return await self._told_before(asked, words)
        notes = await self._book.latest(_SHOWN)
        return listed(notes, self._zone) or "No notes yet."

    async def _search(self, asked: Asked, words: str) -> str:
        found = await self._recalled.fetch(self._query(asked, words))
        return self._listed(found.memories) or "Nothing found."

    async def _told_before(self, asked: Asked, words: str) -> str:
        found = await over_time(self._recalled, self._query(asked, words))
        return self._listed(found) or "Nothing found."

    def _query(self, asked: Asked, words: str) -> Query:
        audiences = self._visible(asked)
        return Query(words, asked.heard.thread, audiences, asked.heard.at, _SHOWN)

    def _visible(self, asked: Asked) -> tuple[str, str]:
        return (str(asked.heard.audience), "shared")

    def _listed(self, hits: Iterable[Memory]) -> str:
        return "\n".join(f"{bullet(hit, self._zone)} ({hit.ref})" for hit in hits)

    async def _remember(self, asked: Asked) -> str:
        if not asked.rest:
            return "What shall I remember? /remember TEXT"
        if len(asked.rest) > LONGEST:
            raise InputError(f"a note has at most {LONGEST} characters")
        note = await self._book.add(
            NewNote(
                op=f"note/{asked.heard.key}",
                text=flatten(asked.rest),
                at=asked.heard.at,
                channel=asked.heard.thread.channel,
                thread=str(asked.heard.thread),
                turn=0,
                person=asked.heard.person,
                audience=str(asked.heard.audience),
                origin=Origin.COMMAND,
            )
        )
        return f"Saved as note {note.id}: {note.text}"

    async def _forget(self, asked: Asked) -> str:
        chosen = choose(await self._book.sync(), asked.rest) if asked.rest else []
        if not chosen:
            return "No note matches. /memory lists them with their numbers."
        if len(chosen) > 1:
            return f"Several notes match:\n{listed(chosen[-_SHOWN:], self._zone)}"
        await self._book.forget(chosen[0].id)
        return f"Forgot note {chosen[0].id}: {chosen[0].text}"

    async def _why(self, asked: Asked) -> str:
        return await self._explainer.why_last(str(asked.heard.thread))

    async def _threads(self, asked: Asked) -> str:
        lines = [
            f"{turn.thread} · {turns} turns · {excerpt(turn.request, 60)}"
            for turns, turn in await self._history.threads(_SHOWN)
            if turn.audience in self._visible(asked)
        ]
        return "\n".join(lines) or "No conversations yet."

    async def _help(self, _: Asked) -> str:
        return HELP
