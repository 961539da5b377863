"""What is looked for among the memories."""

from __future__ import annotations

from apx.mem.fold import fold, pieces, straight
from apx.mem.ids import same
from apx.mem.memory import ACTIVE

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, TypedDict, Unpack

    class Filters(TypedDict, total=False):
        """How a search is narrowed; what is not named does not matter."""

        any: bool
        regex: bool
        type: str | None
        tags: Sequence[str]
        scope: str | None
        sees: Callable[[str], bool] | None
        min_priority: int | None
        status: str
        limit: int | None


ALL: Final = "all"

# Instead of what folds to nothing: it is in no memory, not in every one.
_NOTHING: Final = "\n\n\n"
# What questions hang on their words.
_AROUND: Final = "\"'`.,;:!?()[]{}<>«»“”‘’„…¿¡。、，；：！？「」『』（）"  # noqa: RUF001 -- the marks of many languages


class Wanted:
    """Which memories are wanted, how many of them, and which come first.

    `words` and `phrases` are folded: all of them must be in a memory, or with `any`
    one. `regex` is a pattern instead. `sees` says of a scope whether it may be read.
    """

    __slots__ = (
        "any",
        "limit",
        "min_priority",
        "phrases",
        "regex",
        "scope",
        "sees",
        "status",
        "tags",
        "type",
        "words",
    )

    def __init__(
        self,
        words: tuple[str, ...] = (),
        phrases: tuple[str, ...] = (),
        pattern: str = "",
        **filters: Unpack[Filters],
    ) -> None:
        self.words = words
        self.phrases = phrases
        self.regex = pattern
        self.any = filters.get("any", False)
        self.type = filters.get("type")
        self.tags = tuple(same(tag) for tag in filters.get("tags", ()))
        self.scope = filters.get("scope")
        self.sees = filters.get("sees")
        self.min_priority = filters.get("min_priority")
        self.status = filters.get("status", ACTIVE)
        self.limit = filters.get("limit")

    @property
    def is_said(self) -> bool:
        """Whether words or a pattern must be in a memory."""
        return bool(self.words or self.phrases or self.regex)


def parsed(query: str = "", **filters: Unpack[Filters]) -> Wanted:
    """Read a query as a person wrote it; an empty one wants every memory."""
    if filters.get("regex"):
        return Wanted(pattern=query, **filters)
    words: list[str] = []
    phrases: list[str] = []
    for piece, is_phrase in _pieces(straight(query)):
        if is_phrase:
            phrases += [fold(piece) or _NOTHING] if piece.strip() else []
        elif filters.get("any"):
            words += _loosely(piece)
        else:
            words.append(fold(piece) or _NOTHING)
    return Wanted(_once(words), _once(phrases), **filters)


def _pieces(query: str) -> list[tuple[str, bool]]:
    """Split a query into words, and phrases between quotes that stand apart.

    The quotes of `5" disk` and `say"so"` are letters of words.
    """
    found = []
    rest = query.strip()
    while rest:
        end = rest.find('"', 1) if rest[0] == '"' else -1
        if end > 0 and not rest[end + 1 : end + 2].strip():
            found.append((rest[1:end], True))
            rest = rest[end + 1 :].lstrip()
        else:
            word, *others = rest.split(None, 1)
            found.append((word, False))
            rest = "".join(others)
    return found


def _loosely(word: str) -> list[str]:
    """Give what of a question's word may stand in an answer."""
    return pieces(fold(word.strip(_AROUND) or word) or _NOTHING)


def _once(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
