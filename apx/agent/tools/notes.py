"""Keeping, listing and forgetting notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from apx.agent.tools.typed import Arguments, Nothing, TypedTool
from apx.domain.note import NewNote, Origin
from apx.domain.person import Audience
from apx.domain.recall import Kind, Memory
from apx.domain.text import content_terms, excerpt, flatten, normal, terms
from apx.domain.tool import Effect, Scene, ToolOutcome
from apx.domain.untrusted import is_own
from apx.memory.merge import bullet
from apx.store.candidates import NewCandidate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from apx.domain.note import Note
    from apx.memory.books import NoteBooks
    from apx.memory.candidates import Proposals

LONGEST: Final = 4000
_LISTED: Final = 50
_SHORTEST: Final = 2


class _Text(Arguments):
    text: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="The fact, complete and understandable without the conversation.",
    )


class _What(Arguments):
    what: str = Field(
        min_length=1, description="The note's number, or words that it holds."
    )


class Remember(TypedTool[_Text]):
    """Writes a note."""

    name = "remember"
    description = (
        "Save a fact as a note, for ever and for every channel. Use it when the person"
        " asks to remember something, or tells a lasting fact about themselves."
    )
    effect = Effect.HOME
    arguments = _Text

    def __init__(self, books: NoteBooks, proposals: Proposals) -> None:
        self._books = books
        self._proposals = proposals

    async def act(self, given: _Text, scene: Scene) -> ToolOutcome:
        """Save it; the note's number proves that it was saved.

        What a model may have from other people's words waits for the person's yes.
        """
        if scene.tainted and not _is_wished("REMEMBER", given.text, scene.words):
            return await self._suggested(given.text, scene)
        note = await self._books.add(
            NewNote(
                op=scene.op,
                text=flatten(given.text),
                at=scene.at,
                channel=scene.thread.channel,
                thread=str(scene.thread),
                turn=scene.turn,
                person=scene.person,
                audience=scene.audience,
                origin=Origin.TOOL,
            )
        )
        return ToolOutcome(f"saved as note {note.id}: {note.text}")

    async def _suggested(self, text: str, scene: Scene) -> ToolOutcome:
        if not scene.words:
            return ToolOutcome("not saved: a guest's words become no note", ok=False)
        await self._proposals.suggest(
            NewCandidate(
                text=flatten(text),
                at=scene.at,
                thread=scene.thread,
                turn=scene.turn,
                person=scene.person,
                audience=scene.audience,
            )
        )
        return ToolOutcome(
            "not saved yet: these may be other people's words. The person can keep"
            " them as a note with /memory review",
            ok=False,
        )


class ListNotes(TypedTool[Nothing]):
    """Lists the notes."""

    name = "list_notes"
    description = "List the newest notes with their numbers."
    arguments = Nothing

    def __init__(self, books: NoteBooks, zone: tzinfo) -> None:
        self._books = books
        self._zone = zone

    async def act(self, given: Nothing, scene: Scene) -> ToolOutcome:  # noqa: ARG002 -- the port's shape
        """List those that may be seen here, newest last."""
        notes = await self._books.latest(scene.sight.audiences, _LISTED)
        return ToolOutcome(listed(notes, self._zone) or "no notes")


class ForgetNote(TypedTool[_What]):
    """Forgets a note."""

    name = "forget_note"
    description = "Forget a note, when the person asks for it."
    effect = Effect.HOME
    arguments = _What

    def __init__(self, books: NoteBooks, zone: tzinfo) -> None:
        self._books = books
        self._zone = zone

    async def act(self, given: _What, scene: Scene) -> ToolOutcome:
        """Forget the one note of the person that is meant; ask back if several are."""
        if scene.tainted and not _is_wished("FORGET", given.what, scene.words):
            return ToolOutcome("not done: the person can /forget it", ok=False)
        notes = await self._books.every(scene.sight.audiences)
        mine = [note for note in notes if is_theirs(note, scene.person)]
        chosen = choose(mine, given.what)
        if not chosen:
            return ToolOutcome("no note matches", ok=False)
        if len(chosen) > 1:
            several = listed(chosen[-_LISTED:], self._zone)
            return ToolOutcome(f"several notes match:\n{several}", ok=False)
        await self._books.forget(chosen[0])
        return ToolOutcome(f"forgot note {chosen[0].id}: {chosen[0].text}")


def is_theirs(note: Note, person: str) -> bool:
    """Whether a note is a person's to change: their own, or written by them."""
    return note.audience == str(Audience.private(person)) or note.person == person


def choose(notes: Sequence[Note], what: str) -> list[Note]:
    """Find the notes that a number or some words mean; a part of a word means none."""
    wanted = normal(what)
    number = wanted.removeprefix("note").strip(" #")
    if number.isdecimal():
        return [note for note in notes if note.id == int(number)]
    same = [note for note in notes if normal(note.text) == wanted]
    words = set(content_terms(wanted))
    if same or not words or len(wanted) < _SHORTEST:
        return same
    return [note for note in notes if words <= set(terms(note.text))]


def _is_wished(wish: str, text: str, words: str) -> bool:
    """Whether a person asks for it themselves, and with these words.

    Who asks whether a mail that says it is a fraud has said the words, too.
    """
    # Later: few turns have other people's words in them.
    from apx.domain.intent import Wish, read  # noqa: PLC0415 -- as said

    return is_own(text, words) and read(words).kind is Wish[wish]


def listed(notes: Sequence[Note], zone: tzinfo) -> str:
    """Write notes one a line, with date, channel and number."""
    return "\n".join(
        bullet(
            Memory(Kind.NOTE, excerpt(n.text, 300), n.at, n.channel, f"note {n.id}"),
            zone,
        )
        + f" (note {n.id})"
        for n in notes
    )
