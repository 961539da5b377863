"""What others do about a long thread: the newest messages only; a rolling summary.

The rolling summary is a plain one of our own making: one prompt, no parts, no check of
what comes back, nothing kept word for word. It may be as long as apx's record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.budget import cost, within
from apx.domain.errors import ProviderError
from apx.domain.fitting import shown_of
from apx.domain.message import Message, Options, Role, TextDelta
from scripts.benchmarks.condense_ledger import RULES, SETTING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.history import PastTurn
    from apx.ports import ChatModel

_PROMPT: Final = """\
You keep a running summary of a conversation. Extend the summary so far with the new
lines and give back the new summary, in the language of the conversation, in at most
{words} words."""
_TOLD: Final = "Summary so far:\n{summary}\n\nNew lines:\n{lines}"
_SHOWN: Final = "Summary of the conversation so far:\n{summary}"
_WORDS: Final = 2  # of three tokens
_TOKENS: Final = 3


@dataclass(slots=True)
class Rolling:
    """A summary that a model is asked to extend, again and again."""

    model: ChatModel
    summary: str = ""

    async def fold(self, turns: Sequence[PastTurn], tokens: int) -> None:
        """Have turns summed up; if the model fails they are gone, as it is done."""
        lines = [line for past in turns for line in _lines(past)]
        told = _TOLD.format(summary=self.summary, lines="\n".join(lines))
        asked = _PROMPT.format(words=tokens * _WORDS // _TOKENS)
        prompt = [Message(Role.SYSTEM, asked), Message(Role.USER, told)]
        texts = []
        try:
            async for delta in self.model.stream(prompt, (), Options(deadline=60.0)):
                texts += [delta.text] if isinstance(delta, TextDelta) else []
        except ProviderError:
            return
        self.summary = within("".join(texts), tokens)

    def prompt(self, kept: Sequence[PastTurn], room: int) -> list[Message]:
        """Give what a model would be sent: the summary, then the newest messages."""
        if not self.summary:
            return last(kept, room)
        told = Message(Role.SYSTEM, _SHOWN.format(summary=self.summary))
        system, *shown = last(kept, room - cost([told]))
        return [system, told, *shown]


def last(past: Sequence[PastTurn], room: int) -> list[Message]:
    """Give what a model would be sent of the newest messages alone, as many as fit."""
    kept: list[Message] = []
    for turn in reversed(past[-RULES.keep_recent // 2 :]):
        shown = shown_of(turn, room)
        room -= cost(shown)
        if room < 0:
            break
        kept[:0] = shown
    return [Message(Role.SYSTEM, SETTING.instructions), *kept]


def _lines(past: PastTurn) -> list[str]:
    said = past.turn.request.replace("\n", " ")
    return [f"Human: {said}", f"AI: {past.answer}"]
