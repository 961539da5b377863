"""What one attempt at a turn has in its hands, and what it may say beside the reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.domain.message import FinishReason, Usage
from apx.domain.recall import Kind
from apx.domain.saying import Saying
from apx.domain.untrusted import named

if TYPE_CHECKING:
    from apx.agent.run import Run
    from apx.agent.speech import Speech
    from apx.agent.toolbox import Bench, Toolbox
    from apx.domain.attachment import Attachment
    from apx.domain.history import View
    from apx.domain.message import Image, Reply
    from apx.domain.recall import Recall
    from apx.ports import ChatModel

OFFLINE: Final = "offline"
_MASKED: Final = "[secret: "
_WAS_MASKED: Final = (
    "What looked like a password or a key in your message was masked: neither the model"
    " nor my memory has it."
)


@dataclass(slots=True)
class Work:
    """One attempt at a turn."""

    run: Run
    speech: Speech
    bench: Bench
    toolbox: Toolbox
    model: ChatModel
    remark: str
    view: View
    recall: Recall
    limit: int
    images: tuple[Image, ...] = ()
    usage: Usage = field(default_factory=Usage)
    is_cut: bool = False
    sent: int = 0

    @property
    def has_read(self) -> bool:
        """Whether the model was shown other people's words themselves.

        A name in a room is none, nor is what the assistant made of them before: else
        in the end all that it ever says would be somebody else's.
        """
        shown = [past for past in self.view.past if past.count]
        return (
            Saying.of(self.run.turn).is_untrusted
            or self.toolbox.has_read
            or any(Saying.of(past.turn).is_untrusted for past in shown)
            or any(memory.kind is Kind.QUOTE for memory in self.recall.memories)
        )

    def whole(self, reply: Reply) -> str:
        """Say in the reply what the person could not tell from it."""
        remarks = []
        if self.is_cut:
            remarks.append("Your message is longer than this model reads: it was cut.")
        if reply.reason is FinishReason.LENGTH:
            remarks.append("The model stopped here: its reply got too long.")
        if self.speech.model == OFFLINE and self.model.name != OFFLINE:
            remarks = [f"{self.model.name} did not answer; see `apx status`."]
        if _MASKED in self.run.request:
            remarks.append(_WAS_MASKED)
        remarks += map(_not_read, filter(_has_note, self.run.turn.files))
        remarks = list(filter(None, [*remarks, self.remark]))
        return "\n\n".join([reply.text, *(f"({remark})" for remark in remarks)])


def _has_note(file: Attachment) -> bool:
    return bool(file.note)


def _not_read(file: Attachment) -> str:
    """Say what of an attachment the model was not shown."""
    return f"{named(file.title) if file.title else f'The {file.medium}'}: {file.note}"
