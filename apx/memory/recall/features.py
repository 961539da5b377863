"""Owns the numbers by which candidates are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall.columns import Mark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from apx.memory.recall.columns import Columns
    from apx.memory.recall.evidence import Evidence
    from apx.memory.recall.likeness import Likeness

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]
    Table = Mapping[str, Floats]

_LONG: Final = 40
_DATES: Final = 5.0
_LEAST: Final = 3.0


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of one shelf, with what was read for each: [n].

    `share` is how much of the question's words a candidate holds, 0 to 1; `dated`
    how rare the dates are that the question names and it bears. `speakers` are the
    names that the question may mean.
    """

    docs: Ints
    columns: Columns
    evidence: Evidence
    share: Floats
    dated: Floats
    likeness: Likeness
    speakers: npt.NDArray[np.uint64]


def features(found: Sequence[Found], top: float) -> Table:
    """Give each feature for all candidates, shelf after shelf: float32 [n].

    What BM25 gives is divided by the best window of the question, so that weights
    mean the same for short and long questions; but not by less than three times `top`,
    the rarity of a new word, so that one common word does not outvote the vectors.
    """
    best = max(float(one.evidence.windows["w2"].max()) for one in found)
    scale = np.float32(1 / max(best, _LEAST * top))
    names = found[0].evidence.windows
    table = {name: scale * _window(found, name) for name in names}
    table["block"] = scale * _all(found, lambda f: f.evidence.block)
    table["answers"] = table["p1"] * _all(found, lambda f: f.evidence.answers)
    table["length"] = _all(found, lambda f: _content(f) / np.float32(_LONG))
    table["question"] = _all(found, lambda f: _marked(f, Mark.QUESTION))
    table["note"] = _all(found, lambda f: _marked(f, Mark.NOTE))
    table["person"] = _all(found, lambda f: _marked(f, Mark.PERSON))
    table["speaker"] = _all(found, _named)
    table["dated"] = _all(found, lambda f: f.dated / np.float32(_DATES))
    table["turn"] = _all(found, lambda f: f.likeness.turn)
    table["around"] = _all(found, lambda f: f.likeness.around)
    return table


def _window(found: Sequence[Found], name: str) -> Floats:
    return _all(found, lambda one: one.evidence.windows[name])


def _all(found: Sequence[Found], give: Callable[[Found], Floats]) -> Floats:
    every: Floats = np.concatenate([give(one) for one in found], dtype=np.float32)
    return every


def _content(found: Found) -> Floats:
    content = found.columns["content"][found.docs]
    capped: Floats = np.minimum(content, _LONG).astype(np.float32)
    return capped


def _marked(found: Found, mark: Mark) -> Floats:
    marks = found.columns["marks"][found.docs]
    has: Floats = ((marks & mark) > 0).astype(np.float32)
    return has


def _named(found: Found) -> Floats:
    """Whether the question names who said it."""
    speakers = found.columns["speaker"][found.docs]
    named: Floats = np.isin(speakers, found.speakers).astype(np.float32)
    return named
