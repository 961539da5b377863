"""What was spent, in words for people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apx.domain.usage import Expense

_SHOWN: Final = 8
_HOME: Final = "the home"


def told(expenses: Sequence[Expense], when: str = "today") -> str:
    """Say what was spent, in all and by purpose, model and person."""
    calls = sum(one.calls for one in expenses)
    if not calls:
        return f"{when}: nothing was spent"
    tokens = sum(one.tokens for one in expenses)
    lines = [
        f"{when}: {counted(tokens)}{_cached(expenses)} in {many(calls)}"
        f" call{'' if calls == 1 else 's'}",
        _by("purpose", expenses, lambda one: one.purpose),
        _by("model", expenses, lambda one: one.model),
    ]
    if len({one.person for one in expenses}) > 1:
        lines.append(_by("person", expenses, lambda one: one.person or _HOME))
    if unknown := sum(one.unknown for one in expenses):
        lines.append(f"{many(unknown)} of these calls were estimated: nobody told more")
    return "\n".join(lines)


def used(name: str, spent: int, most: int) -> str:
    """Say how much of a bound is used; nothing where there is none."""
    return f"{name}: {many(spent)} of {counted(most)} today" if most else ""


def counted(tokens: int) -> str:
    """Write a number of tokens."""
    return f"{many(tokens)} token{'' if tokens == 1 else 's'}"


def are_used_up(tokens: int) -> str:
    """Say that a bound of so many tokens is reached."""
    return "is used up" if tokens == 1 else "are used up"


def many(number: int) -> str:
    """Write a number so that it can be read at a glance."""
    return f"{number:,}"


def _cached(expenses: Sequence[Expense]) -> str:
    prompt = sum(one.prompt for one in expenses)
    cached = sum(one.cached for one in expenses)
    return (
        f" ({100 * cached // prompt} % of what was read was cached)" if cached else ""
    )


def _by(what: str, expenses: Sequence[Expense], name: Callable[[Expense], str]) -> str:
    sums: Counter[str] = Counter()
    for one in expenses:
        sums[name(one)] += one.tokens
    shown = [f"{whose} {many(tokens)}" for whose, tokens in sums.most_common(_SHOWN)]
    more = ", …" if len(sums) > _SHOWN else ""
    return f"by {what}: {', '.join(shown)}{more}"
