"""What was shown and written last about memories, for a while and in each place."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, TypeVar

from apx.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Row

    from apx.agent.asked import Asked
    from apx.mem.deeds import Done

    Write = tuple[str, int]

T = TypeVar("T")

_REMEMBERED: Final = 500
_DIGITS: Final = 6


class Recent:
    """Knows what a number means, and what an undo takes back.

    It ends with the process: ids and buttons do not.
    """

    def __init__(self) -> None:
        self._shown: OrderedDict[str, Sequence[str]] = OrderedDict()
        self._seen: OrderedDict[str, Mapping[str, int]] = OrderedDict()
        self._writes: OrderedDict[str, Sequence[Write]] = OrderedDict()
        self._answers: OrderedDict[str, str] = OrderedDict()

    def show(self, asked: Asked, names: Sequence[str]) -> None:
        """Remember what the numbers of an answer mean where it is read."""
        _put(self._shown, _place(asked), names)

    def review(self, asked: Asked, rows: Sequence[Row]) -> None:
        """Remember what is to be decided, and as it was then."""
        self.show(asked, [row["id"] for row in rows])
        _put(self._seen, _place(asked), {row["id"]: row["version"] for row in rows})

    def reviewed(self, asked: Asked) -> Mapping[str, int]:
        """Give what was listed there to be decided, in its order, with versions."""
        return self._seen.get(_place(asked), {})

    def meant(self, asked: Asked, word: str) -> str:
        """Give the id that a number means; any other word is one itself."""
        number = word.lstrip("#").rstrip(".")
        if not (number.isascii() and number.isdecimal()):
            return word
        names = self._shown.get(_place(asked), ())
        place = int(number[:_DIGITS])
        if not 0 < place <= len(names):
            raise InputError(f"nothing was listed here as {place}: list it once more")
        return names[place - 1]

    def wrote(self, asked: Asked, done: Sequence[Done]) -> None:
        """Remember what a command wrote, so that it can be taken back."""
        if done:
            writes = [(one.id, one.version) for one in done]
            _put(self._writes, asked.heard.key, writes)
            _put(self._writes, _place(asked), writes)

    def by(self, asked: Asked) -> Sequence[Write]:
        """Give what this very command wrote."""
        return self._writes.get(asked.heard.key, ())

    def last(self, asked: Asked) -> Sequence[Write]:
        """Give what its person wrote there last."""
        return self._writes.get(_place(asked), ())

    def took_back(self, asked: Asked) -> None:
        """Have what was written there last be no more to take back."""
        self._writes.pop(_place(asked), None)

    def answered(self, asked: Asked, answer: str) -> str:
        """Remember what was answered to a command that must not be done twice."""
        _put(self._answers, asked.heard.key, answer)
        return answer

    def answer(self, asked: Asked) -> str:
        """Give what was answered to this very command, if it came before."""
        return self._answers.get(asked.heard.key, "")


def _place(asked: Asked) -> str:
    heard = asked.heard
    return f"{heard.thread} {heard.audience} {heard.person}"


def _put(kept: OrderedDict[str, T], key: str, value: T) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > _REMEMBERED:
        kept.popitem(last=False)
