"""Proposes durable facts as notes, and makes notes of those that are accepted."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError
from apx.domain.note import NewNote, Origin
from apx.store.candidates import CandidateState, NewCandidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.history import PastTurn
    from apx.domain.note import Note
    from apx.domain.thread import Thread
    from apx.memory.books import NoteBooks
    from apx.ports import Clock
    from apx.store.candidates import Candidate, Candidates

_ALL: Final = 10_000


class Proposals:
    """The facts that wait for a person; use one beside its note book.

    With `auto_promote` they become notes at once, and nobody is asked.
    """

    def __init__(
        self, store: Candidates, book: NoteBooks, auto_promote: bool, clock: Clock
    ) -> None:
        self._store = store
        self._book = book
        self._auto_promote = auto_promote
        self._clock = clock
        # An answer is several steps; a second one must find the first one whole.
        self._lock = asyncio.Lock()

    async def propose(self, thread: Thread, turns: Sequence[PastTurn]) -> int:
        """Propose the durable facts of what persons said; gives how many are new.

        What others wrote, or a guest said, is never proposed.
        """
        said = [past for past in turns if past.count and past.is_own]
        facts = await asyncio.to_thread(_facts, thread, said)
        new = await self._store.propose(facts, self._clock())
        if self._auto_promote and said:
            await self._promote(facts)
        return len(new)

    async def suggest(self, new: NewCandidate) -> bool:
        """Have a text wait that a model wants noted and its person did not say.

        It is never promoted without a person's yes. False if it is known already.
        """
        suggested = replace(new, suggested=True)
        return bool(await self._store.propose([suggested], self._clock()))

    async def waiting(self, audiences: Sequence[str], limit: int) -> list[Candidate]:
        """Give the newest candidates of these audiences, the newest last."""
        return await self._store.open(audiences, limit)

    async def accept(self, candidate_id: int) -> Note:
        """Make a note of a candidate that was `waiting` for who accepts it."""
        async with self._lock:
            candidate = await self._waiting(candidate_id)
            return await self._keep(candidate, Origin.COMMAND)

    async def reject(self, candidate_id: int) -> Candidate:
        """Drop a candidate; its words are never proposed again."""
        async with self._lock:
            candidate = await self._waiting(candidate_id)
            await self._end(candidate, CandidateState.DROPPED)
            return candidate

    async def _promote(self, new: Sequence[NewCandidate]) -> None:
        """Keep what waits of these facts, also from a run that broke off."""
        facts = {(fact.turn, fact.text) for fact in new}
        audiences = sorted({fact.audience for fact in new})
        async with self._lock:
            for candidate in await self._store.open(audiences, _ALL):
                said = (candidate.turn, candidate.text) in facts
                is_fact = said and not candidate.suggested
                if is_fact and _states_only(candidate.text):
                    await self._keep(candidate, Origin.PROMOTED)

    async def _waiting(self, candidate_id: int) -> Candidate:
        found = await self._store.find(candidate_id)
        if found is None:
            raise InputError(f"candidate {candidate_id}: there is none")
        if found.state is not CandidateState.OPEN:
            raise InputError(f"candidate {candidate_id} was {found.state} already")
        return found

    async def _keep(self, candidate: Candidate, origin: Origin) -> Note:
        """Note it first: whoever breaks off in between asks a second time."""
        note = await self._book.add(_note(candidate, origin))
        await self._end(candidate, CandidateState.KEPT)
        return note

    async def _end(self, candidate: Candidate, state: CandidateState) -> None:
        await self._store.end(candidate.id, state, self._clock())


def _facts(thread: Thread, said: Sequence[PastTurn]) -> list[NewCandidate]:
    from apx.domain.durable import durable  # noqa: PLC0415 -- few turns need it

    return [
        NewCandidate(
            text=text,
            at=past.turn.began_at,
            thread=thread,
            turn=past.turn.id,
            person=past.turn.person,
            audience=past.turn.audience,
        )
        for past in said
        for text in durable(past.turn.request)
    ]


def _states_only(text: str) -> bool:
    """Whether a text tells a fact and asks for nothing: it may have been pasted."""
    from apx.domain.standing import Standing, statements  # noqa: PLC0415 -- as above

    return all(told.kind is not Standing.INSTRUCTION for told in statements(text))


def _note(candidate: Candidate, origin: Origin) -> NewNote:
    # The same operation must say the same, and the origin is a part of it.
    asked = "" if origin is Origin.COMMAND else f"/{origin}"
    return NewNote(
        op=f"note/candidate/{candidate.id}{asked}",
        text=candidate.text,
        at=candidate.at,
        channel=candidate.thread.channel,
        thread=str(candidate.thread),
        turn=candidate.turn,
        person=candidate.person,
        audience=candidate.audience,
        origin=origin,
    )
