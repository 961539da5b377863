"""Says in words what came of condensing a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apx.domain.history import View
    from apx.memory.condenser import Outcome

_THOUSAND: Final = 1000


def told(outcome: Outcome | None) -> str:
    """Say how long the thread was and is, or why it stayed as it was."""
    if outcome is None:
        return "Stopped: nothing was condensed."
    undo = ["/compact undo takes it back."] if outcome.made else []
    return "\n".join([told_draft(outcome), *undo])


def told_draft(outcome: Outcome) -> str:
    """Say the same of what was not written down."""
    made, before, after = outcome.made, outcome.before, outcome.after
    if made is None:
        return _untouched(outcome)
    found = f"{outcome.facts} fact{'s' if outcome.facts > 1 else ''} found"
    facts = f", {found} (/memory, /memory review)" if outcome.facts else ""
    sizes = (
        f"{_tokens(outcome.tokens_before)} -> {_tokens(outcome.tokens_after)} tokens"
    )
    lines = [f"{seen(before)} -> {seen(after)} messages, {sizes}{facts}."]
    if made.degraded:
        why = "; ".join(outcome.reasons) or "no model is configured that condenses"
        lines.append(f"By rule, without a model ({why}).")
    return "\n".join(lines)


def _untouched(outcome: Outcome) -> str:
    count = outcome.before.messages
    if outcome.reasons:
        why = "; ".join(outcome.reasons)
        return f"Nothing was condensed, the older messages stay as they are: {why}."
    if not count:
        return "Nothing to condense: nothing was said here since the last /new."
    return (
        f"Nothing to condense: all {count} messages are among the newest, which stay"
        " as they are."
    )


def in_shell(text: str, thread: str) -> str:
    """Say it in the words of the shell instead of those of a chat."""
    return text.replace("/compact undo", f"`apx compact {thread} --undo`").replace(
        "/memory, /memory review", "`apx memory notes`, `apx memory review`"
    )


@dataclass(frozen=True, slots=True)
class Undone:
    """Which condensation was taken back, 0 for none; whether the rest is too long."""

    number: int
    is_too_long: bool


def told_undone(undone: Undone) -> str:
    """Say whether a condensation was taken back."""
    if not undone.number:
        return "There is nothing to undo here."
    again = (
        " It is longer than the model reads: the next answer condenses it again."
        if undone.is_too_long
        else ""
    )
    return f"Undone: the conversation is shown as it was before.{again}"


def seen(view: View) -> int:
    """Count what a model sees: a condensation is one message."""
    return view.messages + (view.condensation is not None)


def _tokens(count: int) -> str:
    return f"{round(count / _THOUSAND)}k" if count >= _THOUSAND else str(count)
