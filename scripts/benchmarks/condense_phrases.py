"""What the people of generated threads say, in six languages.

The sentences were written before anybody looked at the rules that are to find them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Sentences of one language; `{words}` in braces are filled in.

    `goals` and `turns` (a new goal) say what is wanted in all, `limits` what is laid
    down. `opens`, `swaps`, `closes` speak of `tasks`; `facts` hold something exact.
    """

    goals: tuple[str, ...]
    turns: tuple[str, ...]
    limits: tuple[str, ...]
    who: tuple[str, ...]
    what: tuple[str, ...]
    tasks: tuple[str, ...]
    opens: tuple[str, ...]
    swaps: tuple[str, ...]
    closes: tuple[str, ...]
    facts: tuple[str, ...]
    dates: tuple[str, ...]
    amount: str
    hello: tuple[str, ...]
    chat: tuple[str, ...]
    answers: tuple[str, ...]
    gap: str = " "
