"""What a model may look up in the curated memories, keep there, or change."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Final, TypeVar

from apx.agent.mem_rights import Speaker, told
from apx.agent.tools.memory_arguments import Add, Search, Show, Update
from apx.agent.tools.typed import Arguments, TypedTool
from apx.domain.errors import InputError
from apx.domain.text import bounded, flatten
from apx.domain.tool import Effect, Scene, ToolOutcome
from apx.domain.untrusted import harmless
from apx.mem.curated import is_foreign
from apx.mem.faults import MemFault
from apx.mem.memory import PROPOSED

if TYPE_CHECKING:
    from sqlite3 import Row

    from apx.mem.actions import Done
    from apx.mem.curated import Curated
    from apx.mem.memory import Memory

_SHOWN: Final = 8 * 1024
_NONE: Final = "there are no curated memories here"
_NOT_THEIRS: Final = (
    "not changed: only the owner changes what is kept, in a private chat and in their"
    " own words; others what they proposed themselves"
)
_DOUBTFUL: Final = (
    "; its confidence is 0.3 at most until it has check, repeat, failure and dead_end"
)
_PROPOSED: Final = (
    "not kept yet: proposed as {id}. It counts once the owner keeps it with /mem review"
)
_HOWTO: Final = "howto"

A = TypeVar("A", bound=Arguments)


class _MemoryTool(TypedTool[A]):
    """Tells the model what went wrong, without what its reader may not know."""

    def __init__(self, curated: Curated) -> None:
        self._curated = curated

    async def act(self, given: A, scene: Scene) -> ToolOutcome:
        """Do it; what cannot be done is told as it is."""
        try:
            return await self._done(given, scene)
        except MemFault as fault:
            return ToolOutcome(_explained(fault, scene), ok=False)
        except InputError as error:
            return ToolOutcome(f"not done: {error}", ok=False)

    @abstractmethod
    async def _done(self, given: A, scene: Scene) -> ToolOutcome: ...


class MemorySearch(_MemoryTool[Search]):
    """Searches the curated memories."""

    name = "memory_search"
    description = (
        "Search what was kept, by words. Look before you decide or repeat work."
    )
    arguments = Search

    async def _done(self, given: Search, scene: Scene) -> ToolOutcome:
        """Give one a line; those with some of the words if none has all of them."""
        seen = scene.sight.audiences
        kind, limit = given.type or None, given.limit
        page = await self._curated.search(given.query, seen, limit=limit, type=kind)
        head = ""
        if not page.total and given.query:
            page = await self._curated.search(
                given.query, seen, limit=limit, type=kind, any=True
            )
            head = "none has all of these words; some of them:\n"
        if not page.total:
            return ToolOutcome("nothing found" if self._curated.is_there() else _NONE)
        lines = [_line(row) for row in page.rows]
        if page.total > len(lines):
            lines.append(f"({len(lines)} of {page.total})")
        untrusted = any(is_foreign(row["source"] or "") for row in page.rows)
        return ToolOutcome(head + "\n".join(lines), is_untrusted=untrusted)


class MemoryShow(_MemoryTool[Show]):
    """Shows a curated memory."""

    name = "memory_show"
    description = "Show all of one, by id or the end of it."
    arguments = Show

    async def _done(self, given: Show, scene: Scene) -> ToolOutcome:
        """Give its fields, then its body."""
        memory = await self._curated.shown(given.id, scene.sight.audiences)
        source = memory.text("source")
        # A proposal is nobody's word yet but its writer's.
        untrusted = is_foreign(source) or memory.status == PROPOSED
        return ToolOutcome(_written(memory), is_untrusted=untrusted)


class MemoryAdd(_MemoryTool[Add]):
    """Keeps a curated memory."""

    name = "memory_add"
    description = (
        "Keep what holds for long: title is the fact, body why. A fact of the day or"
        " the person is a note (remember); what matters only now is kept nowhere. A"
        " howto is a procedure with a check that passed, a way to repeat it, a failure"
        " that it met and a dead_end, else its confidence (0-1) is 0.3. priority:"
        " 0-100. Never passwords or keys."
    )
    effect = Effect.HOME
    arguments = Add

    async def _done(self, given: Add, scene: Scene) -> ToolOutcome:
        """Keep it, or propose it; its id proves that."""
        speaker = Speaker.of(scene, given.words(given.title, given.body))
        fields = {**given.given(), **speaker.fields(given.type), "title": given.title}
        doubtful = given.type == _HOWTO and not given.is_proven
        if doubtful:
            fields["confidence"] = given.doubted()
        if speaker.begins:
            await self._curated.begin()
        done = await self._curated.add(given.type, fields, given.proven(given.body))
        if not speaker.is_owner:
            return ToolOutcome(_PROPOSED.format(id=done.id), ok=False)
        await self._keep(done, scene)
        was = " already" if done.outcome == "no-op" else ""
        return ToolOutcome(f"kept{was} as {done.id}{_DOUBTFUL if doubtful else ''}")

    async def _keep(self, done: Done, scene: Scene) -> None:
        """Have what somebody had proposed in the same words be active now."""
        memory = await self._curated.shown(done.id, scene.sight.audiences)
        if memory.status == PROPOSED:
            await self._curated.accept(done.id, scene.sight.audiences)


class MemoryUpdate(_MemoryTool[Update]):
    """Changes a curated memory."""

    name = "memory_update"
    description = (
        "Change one when the person says that it is different now; leave out what"
        " stays. body: all of it; archived: it holds no more."
    )
    effect = Effect.HOME
    arguments = Update

    async def _done(self, given: Update, scene: Scene) -> ToolOutcome:
        """Change it, if it is theirs to change."""
        seen = scene.sight.audiences
        memory = await self._curated.shown(given.id, seen)
        words = given.words(given.title, given.body)
        # What is changed must be what the person speaks of, not only what it becomes:
        # others' words could put their wish in the place of any memory.
        speaker = Speaker.of(scene, f"{memory.title}\n{words}")
        if not speaker.may_change(memory):
            return ToolOutcome(_NOT_THEIRS, ok=False)
        if given.archived:
            await self._curated.archive(memory.id, seen)
            return ToolOutcome(f"archived {memory.id}: {memory.title}")
        fields = given.given() | ({"title": given.title} if given.title else {})
        is_howto = memory.type.name == _HOWTO
        if "confidence" in fields and is_howto and not given.is_proven:
            fields["confidence"] = given.doubted()
        body = given.proven(given.body or (memory.said if given.proof else ""))
        done = await self._curated.update(memory.id, seen, fields, body or None)
        return ToolOutcome(f"{done.outcome}: {done.id}, version {done.version}")


def _line(row: Row) -> str:
    """Write what was found on one line."""
    more = row["abstract"] or row["start"]
    text = f"{row['title']} \u2014 {more}" if more else row["title"]
    return f"{row['id']} ({row['type']}, priority {row['priority']}) {_plain(text)}"


def _plain(text: str) -> str:
    return flatten(harmless(text))


def _written(memory: Memory) -> str:
    """Write a memory as a model reads it: its fields, then its text."""
    names = ("scope", "created", "updated", "verified", "abstract")
    known = [(name, memory.text(name)) for name in names]
    lines = [
        f"{memory.id} (version {memory.version})",
        f"title: {_plain(memory.title)}",
        f"{memory.status} {memory.type.name}, priority {memory.priority},"
        f" confidence {memory.confidence:g}",
        *(f"{name}: {_plain(text)}" for name, text in known if text),
        *([f"tags: {_plain(', '.join(memory.tags))}"] if memory.tags else []),
    ]
    return bounded("\n".join(lines) + "\n\n" + harmless(memory.said), _SHOWN)


def _explained(fault: MemFault, scene: Scene) -> str:
    """Say what a model can do about it, or pass on."""
    text = told(fault, scene.audience)
    more = {
        "secret": "; tell the person that passwords and keys are not kept",
        "exists": "; memory_update changes it",
    }
    return f"not done: {text}{more.get(fault.code, '')}"
