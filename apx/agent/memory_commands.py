"""The chat commands about what is remembered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apx.agent.review import reviewed
from apx.agent.tools.notes import LONGEST, choose, listed
from apx.domain.erased_text import told
from apx.domain.errors import InputError
from apx.domain.heard import Button
from apx.domain.note import NewNote, Origin
from apx.domain.person import SHARED, Audience, Role
from apx.domain.recall import Query
from apx.domain.text import flatten
from apx.memory.merge import bullet
from apx.memory.past import over_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

    from apx.agent.asked import Asked, Choices, Command
    from apx.domain.note import Note
    from apx.domain.recall import Memory
    from apx.memory.books import NoteBooks
    from apx.memory.candidates import Proposals
    from apx.memory.forgetting import Forgetting
    from apx.ports import Source

_REVIEWING: Final = frozenset({"review", "accept", "reject"})
_SHOWN: Final = 10
_NO_OPTIONS: Final = (
    "In a chat /forget acts at once and takes no options. In a shell, apx memory"
    " forget --dry-run TEXT says first what would go."
)
# Its id is made of its title; what else says that would stay.
_CURATED: Final = re.compile(r"[cdfhp]-\d{4}-\d\d-\d\d-\S+")
_BY_WORDS: Final = (
    "That is a curated memory, which is forgotten by its words: /forget TEXT."
    " /mem show {} tells them."
)


class MemoryCommands:
    """Shows, searches, keeps, forgets and shares what its person may see."""

    def __init__(
        self,
        books: NoteBooks,
        proposals: Proposals,
        recalled: Source,
        forgetting: Forgetting,
        zone: tzinfo,
    ) -> None:
        self._books = books
        self._forgetting = forgetting
        self._proposals = proposals
        self._recalled = recalled
        self._zone = zone

    def known(self) -> Mapping[str, Command]:
        """Give the commands by name."""
        return {
            "memory": self._memory,
            "remember": self._remember,
            "forget": self._forget,
            "share": self._share,
        }

    async def _memory(self, asked: Asked) -> str:
        word, _, words = asked.rest.partition(" ")
        if word in _REVIEWING:
            return await reviewed(
                self._proposals, asked.rest, asked.sight.audiences, self._zone
            )
        if word == "search":
            return await self._search(asked, words)
        if word == "history":
            return await self._told_before(asked, words)
        notes = await self._books.latest(asked.sight.audiences, _SHOWN)
        return listed(notes, self._zone) or "No notes yet."

    async def _search(self, asked: Asked, words: str) -> str:
        found = await self._recalled.fetch(_query(asked, words))
        return self._listed(found.memories) or "Nothing found."

    async def _told_before(self, asked: Asked, words: str) -> str:
        found = await over_time(self._recalled, _query(asked, words))
        return self._listed(found) or "Nothing found."

    def _listed(self, hits: Iterable[Memory]) -> str:
        return "\n".join(f"{bullet(hit, self._zone)} ({hit.ref})" for hit in hits)

    async def _remember(self, asked: Asked) -> str:
        if not asked.rest:
            return "What shall I remember? /remember TEXT"
        if len(asked.rest) > LONGEST:
            raise InputError(f"a note has at most {LONGEST} characters")
        note = await self._books.add(
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

    def choices(self) -> Mapping[str, Choices]:
        """Give what may be pressed under the answers."""
        return {"memory": self._review_buttons}

    async def _review_buttons(self, asked: Asked) -> tuple[Button, ...]:
        if not asked.rest.lower().startswith("review"):
            return ()
        waiting = await self._proposals.waiting(asked.sight.audiences, _SHOWN)
        return tuple(
            Button(f"{label} {one.id}", f"{word}:{one.id}")
            for one in waiting
            for label, word in (("Keep", "accept"), ("Drop", "reject"))
        )

    async def _forget(self, asked: Asked) -> str:
        from apx.domain.passage import is_quoted  # noqa: PLC0415 -- it loads what forgets

        text = asked.rest.strip()
        if unclear := _unclear(text):
            return unclear
        chosen = []
        if not is_quoted(text):
            chosen = choose(await self._theirs(asked), text)
        if len(chosen) > 1:
            return f"Several notes match:\n{listed(chosen[-_SHOWN:], self._zone)}"
        if not chosen:
            return await self._forget_words(asked, text)
        if chosen[0].audience in _erasable(asked):
            return await self._erased(asked, chosen[0].text)
        await self._books.forget(chosen[0])
        return f"Forgot note {chosen[0].id}. What was said of it here stays."

    async def _forget_words(self, asked: Asked, text: str) -> str:
        from apx.domain.passage import (  # noqa: PLC0415 -- as above
            is_quoted,
            is_telling,
        )

        if is_quoted(text):
            return await self._erased(asked, text[1:-1])
        if text.isdecimal() or not is_telling(text):
            return (
                "No note matches. To erase these very words wherever they stand:"
                f' /forget "{text}"'
            )
        return await self._erased(asked, text)

    async def _erased(self, asked: Asked, text: str) -> str:
        from apx.domain.erasing import ErasePassage  # noqa: PLC0415 -- as above

        person = "" if asked.heard.role is Role.OWNER else asked.heard.person
        wish = ErasePassage(text, _erasable(asked), person=person)
        return told(await self._forgetting.erase(wish))

    async def _share(self, asked: Asked) -> str:
        if not asked.rest:
            return "Which note? /share ID; /memory lists them."
        notes = await self._theirs(asked)
        chosen = [note for note in choose(notes, asked.rest) if not _is_shared(note)]
        if len(chosen) != 1:
            return "No single note of yours matches; /memory lists them by number."
        await self._books.move(chosen[0], str(SHARED))
        return f"Everybody here may know note {chosen[0].id} now: {chosen[0].text}"

    async def _theirs(self, asked: Asked) -> list[Note]:
        """Give the notes that a person sees here and may change."""
        notes = await self._books.every(asked.sight.audiences)
        is_owner = asked.heard.role is Role.OWNER
        person = asked.heard.person
        return [
            note
            for note in notes
            if is_owner or Audience(note.audience).is_private or note.person == person
        ]


def _unclear(text: str) -> str:
    """Say how to ask for what is no text to forget; nothing if it is one."""
    if not text:
        return "What shall I forget? /forget ID, or /forget TEXT"
    if text.startswith("--"):
        return _NO_OPTIONS
    return _BY_WORDS.format(text) if _CURATED.fullmatch(text) else ""


def _erasable(asked: Asked) -> tuple[str, ...]:
    """Name the audiences in which a person may erase what was said.

    Nobody erases the words of others: but the owner all that the owner sees.
    """
    if asked.heard.role is Role.OWNER:
        return asked.sight.audiences
    others = (a for a in asked.sight.audiences if not Audience(a).is_private)
    return (str(Audience.private(asked.heard.person)), *others)


def _is_shared(note: Note) -> bool:
    return note.audience == str(SHARED)


def _query(asked: Asked, words: str) -> Query:
    return Query(
        words, asked.heard.thread, asked.sight.audiences, asked.heard.at, _SHOWN
    )
