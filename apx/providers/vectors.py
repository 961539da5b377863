"""Owns what every vector of a provider must be: whole, finite and of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderUnavailable,
    TextsRefused,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from apx.domain.errors import ProviderError
    from apx.ports import Vectors
    from apx.providers.failure import Asked

Row = TypeVar("Row")

_ROWS_OF_NUMBERS: Final = 2


def true_vectors(rows: ArrayLike, asked: Asked, *, count: int, dims: int) -> Vectors:
    """Give the rows with length 1, or raise for what is no answer to `count` texts.

    With `dims` 0 any number of dimensions will do. A row that is not finite, or zero,
    refuses its batch: alone, its text is the only one refused.
    """
    vectors = _table(rows, asked)
    if len(vectors) != count:
        raise _miscounted(asked, len(vectors), count)
    found = vectors.shape[1]
    if found == 0 or dims not in {0, found}:
        raise _misshapen(asked, found, dims)
    # Numbers that overflow the squares of float32 are still true.
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise TextsRefused(
            f"{asked.name} gave a vector that is zero or not a number",
            provider=asked.name,
        )
    unit: Vectors = (vectors / lengths[:, None]).astype(np.float32)
    return unit


def in_order(indexes: Sequence[object], rows: Sequence[Row]) -> list[Row]:
    """Sort rows by their index, unless the indexes are no numbering at all."""
    if set(indexes) != set(range(len(rows))):
        return list(rows)
    placed = dict(zip(indexes, rows, strict=True))
    return [placed[index] for index in range(len(rows))]


def _table(rows: ArrayLike, asked: Asked) -> NDArray[np.float64]:
    try:
        vectors = np.asarray(rows, dtype=np.float64)
    except (ValueError, TypeError) as error:
        # Rows of several lengths, or no numbers.
        raise ProviderUnavailable(
            f"{asked.name} sent vectors that cannot be read", provider=asked.name
        ) from error
    return vectors if vectors.ndim == _ROWS_OF_NUMBERS else np.empty((0, 0))


def _miscounted(asked: Asked, found: int, count: int) -> ProviderError:
    said = f"{asked.name} gave {found} vectors for {count} texts"
    # Some servers answer only the first of several; for one alone it is a fault.
    if count > 1:
        return TextsRefused(said, provider=asked.name)
    return ProviderUnavailable(said, provider=asked.name)


def _misshapen(asked: Asked, found: int, dims: int) -> ProviderMisconfigured:
    return ProviderMisconfigured(
        f"{asked.name} gives vectors of {found} numbers and gave {dims} before: "
        f"its model has changed; restart, or change {asked.model_key}",
        provider=asked.name,
        key=asked.model_key,
    )
