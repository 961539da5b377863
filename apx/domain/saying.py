"""A person's message with all that came along, as a model is shown it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from apx.domain.budget import within
from apx.domain.person import Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.text import estimate_tokens
from apx.domain.untrusted import block, harmless, named

if TYPE_CHECKING:
    from apx.domain.attachment import Attachment
    from apx.domain.turn import Turn


@dataclass(frozen=True, slots=True)
class Saying:
    """What was said, by whom, and the other people's words that came with it.

    `speaker` is the name that a room shows, empty in private.
    """

    text: str
    speaker: str = ""
    role: Role = Role.OWNER
    quoted: tuple[Quoted, ...] = ()
    files: tuple[Attachment, ...] = ()

    @classmethod
    def of(cls, turn: Turn) -> Self:
        """Give what was said in a turn."""
        return cls(turn.request, turn.speaker, turn.role, turn.quoted, turn.files)

    @property
    def is_guests(self) -> bool:
        """Whether a guest said it."""
        return self.role is Role.GUEST

    @property
    def is_untrusted(self) -> bool:
        """Whether any of it is to be read as data."""
        is_others = any(file.is_others for file in self.files)
        return bool(self.quoted) or self.is_guests or is_others

    @property
    def own(self) -> str:
        """The words that may be believed to be its person's wish; none of a guest."""
        return "" if self.is_guests else self.text

    def written(self, tokens: int | None = None) -> str:
        """Write the person's words, and behind them the others' in blocks of data.

        Where there is little room the blocks are cut first, the longest most.
        """
        first, quoted = self._first(None), (*_others(self.files), *self.quoted)
        whole = "\n\n".join(filter(None, [first, *map(block, quoted)]))
        if tokens is None or estimate_tokens(whole) <= tokens:
            return whole
        first = self._first(tokens)
        blocks = _shared(quoted, tokens - estimate_tokens(first))
        return "\n\n".join(filter(None, [first, *blocks]))

    def _first(self, tokens: int | None) -> str:
        if self.is_guests:
            by = self.speaker or str(Role.GUEST)
            return block(Quoted(Provenance.GUEST, by, self.text), tokens)
        before = f"{named(self.speaker)}: " if self.speaker else ""
        mine = [file for file in self.files if not file.is_others]
        lines = [harmless(self.text), *map(listed, mine)]
        text = before + "\n".join(filter(None, lines))
        return text if tokens is None else within(text, tokens)


def _others(files: tuple[Attachment, ...]) -> tuple[Quoted, ...]:
    """Name what others attached, where only their words stand."""
    lines = [listed(file) for file in files if file.is_others]
    if not lines:
        return ()
    return (Quoted(Provenance.ATTACHED, "", "\n".join(lines)),)


def listed(file: Attachment) -> str:
    """Name an attachment, and what of it is not there."""
    title = f' "{named(file.title)}"' if file.title else ""
    return f"[{file.medium}{title}{f': {harmless(file.note)}' if file.note else ''}]"


def _shared(quoted: tuple[Quoted, ...], tokens: int) -> list[str]:
    """Write blocks in so many tokens; what is longer than an equal share is cut."""
    blocks = [""] * len(quoted)
    spare = tokens
    order = sorted(range(len(quoted)), key=lambda place: len(quoted[place].text))
    for done, place in enumerate(order):
        share = spare // (len(order) - done) - 1
        blocks[place] = block(quoted[place], share)
        spare -= estimate_tokens(blocks[place]) + 1
    return blocks
