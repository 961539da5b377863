"""Owns what each conversation was shown lately: it is not repeated."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apx.domain.recall import Query

TURNS: Final = 5
_THREADS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Shown:
    turn: int
    asked: int
    ids: frozenset[str]

    def is_of(self, turn: int, asked: int) -> bool:
        """Whether it is the same turn: run again, or asked once more by a retry."""
        return (turn > 0 and self.turn == turn) or self.asked == asked


class Lately:
    """The last turns of each thread, for the life of the process."""

    def __init__(self) -> None:
        self._threads: OrderedDict[str, deque[_Shown]] = OrderedDict()

    def hidden(self, query: Query) -> frozenset[str]:
        """Give what the last turns before this one were shown."""
        turn, asked = _named(query)
        past = list(self._threads.get(str(query.thread), ()))
        if past and past[-1].is_of(turn, asked):
            past.pop()
        return frozenset().union(*(one.ids for one in past[-TURNS:]))

    def note(self, query: Query, ids: Iterable[str]) -> None:
        """Remember what this turn is shown; run again, it counts once."""
        turn, asked = _named(query)
        thread = str(query.thread)
        past = self._threads.setdefault(thread, deque(maxlen=TURNS + 1))
        self._threads.move_to_end(thread)
        if past and past[-1].is_of(turn, asked):
            past.pop()
        past.append(_Shown(turn, asked, frozenset(ids)))
        while len(self._threads) > _THREADS:
            self._threads.popitem(last=False)


def _named(query: Query) -> tuple[int, int]:
    """Tell a turn from others: its id is the highest that its prompt knows."""
    return max(query.known_turns, default=0), hash(query.text)
