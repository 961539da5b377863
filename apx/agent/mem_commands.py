"""The chat commands about curated memories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apx.agent.mem_recent import Recent
from apx.agent.mem_review import Deciding
from apx.agent.mem_rights import Speaker, told
from apx.agent.mem_told import card, listed
from apx.domain.errors import InputError
from apx.domain.heard import Button
from apx.domain.text import excerpt, flatten
from apx.mem.curated import sign
from apx.mem.faults import MemFault
from apx.mem.memory import PROPOSED, TITLE, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.agent.asked import Asked, Choices, Command
    from apx.mem.curated import Curated

LONGEST: Final = 20_000
_SHOWN: Final = 10
_USAGE: Final = """\
/mem             what matters most of what is kept
/mem search WORDS
/mem show N      all of one: its number in the last list, its id or the end of it
/mem add TITLE   keep it; what stands in further lines is its text. A type may stand
                 before it: constraint, decision, failure, howto or preference
/mem review      what waits for a decision: /mem keep N, /mem drop N
/mem undo        take back what was done here last, or to ID"""
# An id without its letter and day is one that a person can type.
_DATED: Final = len("d-2026-12-31-")
_NONE: Final = "No memories yet. /mem add TITLE keeps one."
_WHAT: Final = "What shall I keep? /mem add TITLE, and its text in further lines"
_OFF: Final = "curated memories are switched off; {} in config.json turns them on"
_WRITES: Final = frozenset({"add", "keep", "drop", "undo"})
_RULE: Final = (
    "It may be a rule for every answer: then /mem undo {}, and /mem add constraint:"
    " with the same words."
)
_HOLDS_ONE: Final = "that holds a password or a key, and these are not kept as memories"
# What the door puts in place of a credential before anybody sees it.
_HIDDEN: Final = re.compile(r"\[secret(?:: [a-z0-9 ]{1,30})?\]")
_TYPED: Final = re.compile(rf"\s*({'|'.join(TYPES)})\s*[:\uff1a]\s*", re.IGNORECASE)


class MemCommands:
    """Shows, finds, keeps and proposes what its person may."""

    def __init__(self, curated: Curated) -> None:
        self._curated = curated
        self._recent = Recent()
        self._deciding = Deciding(curated, self._recent)

    def known(self) -> Mapping[str, Command]:
        """Give the command by its name."""
        return {"mem": self._mem}

    def choices(self) -> Mapping[str, Choices]:
        """Give what may be pressed under its answers."""
        return {"mem": self._buttons}

    async def _mem(self, asked: Asked) -> str:
        try:
            return await self._answer(asked)
        except MemFault as fault:
            raise InputError(told(fault, str(asked.heard.audience))) from fault

    async def _answer(self, asked: Asked) -> str:
        word, rest = _read(asked.rest)
        if word in _WRITES and self._curated.off:
            raise InputError(_OFF.format(self._curated.off))
        if word in {"keep", "drop"}:
            return await self._deciding.decide(asked, word, rest)
        if word == "undo":
            return await self._deciding.undo(asked, rest)
        if word == "review":
            return await self._deciding.review(asked)
        return await self._looked(asked, word, rest)

    async def _looked(self, asked: Asked, word: str, rest: str) -> str:
        if word == "add":
            return await self._add(asked, rest)
        if word == "show":
            return await self._show(asked, rest)
        if word == "search":
            return await self._search(asked, rest) or "Nothing found."
        return _USAGE if word else await self._search(asked, "") or _NONE

    async def _buttons(self, asked: Asked) -> tuple[Button, ...]:
        word, _ = _read(asked.rest)
        if word == "review":
            return await self._deciding.buttons(asked)
        writes = self._recent.by(asked) if word in {"add", "keep", "drop"} else ()
        return tuple(
            Button("Undo", f"mundo:{sign(name)}.{version}")
            for name, version in writes
            if len(writes) == 1
        )

    async def _search(self, asked: Asked, words: str) -> str:
        seen = asked.sight.audiences
        page = await self._curated.search(words, seen, limit=_SHOWN)
        self._recent.show(asked, [row["id"] for row in page.rows])
        return listed(page, "" if words else "; /mem search WORDS finds the others")

    async def _show(self, asked: Asked, word: str) -> str:
        if not word:
            return "Which one? /mem show N, or its id; /mem lists them."
        name = self._recent.meant(asked, word)
        return card(await self._curated.shown(name, asked.sight.audiences))

    async def _add(self, asked: Asked, text: str) -> str:
        kind, title, body = _parsed(text)
        is_rule = False
        if not kind:
            kind, is_rule = await self._curated.guess(f"{title}\n{body}")
        speaker = Speaker.asking(asked)
        fields = speaker.fields(kind) | {"title": title}
        if speaker.begins:
            await self._curated.begin()
        if speaker.is_owner:
            # Whoever says it has looked at it.
            fields["verified"] = self._curated.today()
        done = await self._curated.add(kind, fields, body)
        memory = await self._curated.shown(done.id, asked.sight.audiences)
        if speaker.is_owner and memory.status == PROPOSED:
            done = await self._curated.accept(done.id, asked.sight.audiences)
        name = f"{memory.type.name}: {memory.title}"
        if done.outcome == "no-op":
            return f"That is there already, as a {name}"
        self._recent.wrote(asked, [done])
        if not speaker.is_owner:
            return f"Proposed as a {name}\nThe owner decides about it: /mem review"
        end = done.id[_DATED:]
        more = f"\n{_RULE.format(end)}" if is_rule else ""
        return f"Kept as a {name}\n/mem undo {end} takes it back.{more}"


def _parsed(text: str) -> tuple[str, str, str]:
    """Read the type, if it is said, the title and the text of what is to be kept."""
    if not text.strip():
        raise InputError(_WHAT)
    if len(text) > LONGEST:
        raise InputError(f"a memory has at most {LONGEST} characters")
    if _HIDDEN.search(text):
        raise InputError(_HOLDS_ONE)
    named = _TYPED.match(text)
    said = (text[named.end() :] if named else text).strip()
    first, _, body = said.partition("\n")
    if not first:
        raise InputError(_WHAT)
    title = flatten(first)
    if len(title) > TITLE:
        # Some platforms send one line only.
        title, body = excerpt(title, TITLE), said
    return named[1].lower() if named else "", title, body.strip()


def _read(rest: str) -> tuple[str, str]:
    """Part the first word from what follows it, also in the next line."""
    word, *more = rest.split(maxsplit=1) or [""]
    return word.lower(), "".join(more)
