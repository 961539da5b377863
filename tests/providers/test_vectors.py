"""What a vector must be before it is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderUnavailable,
    TextsRefused,
)
from apx.providers.failure import Asked
from apx.providers.vectors import in_order, true_vectors

ASKED = Asked("ollama", "tiny", model_key="memory.embeddings.ollama.model")


def test_true_rows_get_length_one():
    """Whatever length the provider gave them."""
    rows = [[3.0, 4.0], [1e30, 0.0], [0.0, -1e-30]]
    vectors = true_vectors(rows, ASKED, count=3, dims=2)

    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [[0.6, 0.8], [1.0, 0.0], [0.0, -1.0]])


@pytest.mark.parametrize(
    ("rows", "count", "error"),
    [
        ([[1, 0]], 2, TextsRefused),
        ([[1, 0], [1, 0]], 1, ProviderUnavailable),
        ([], 1, ProviderUnavailable),
        ([[1, 0, 0]], 1, ProviderMisconfigured),
        ([[]], 1, ProviderMisconfigured),
        ([[0, 0]], 1, TextsRefused),
        ([[float("nan"), 1]], 1, TextsRefused),
        ([[float("inf"), 1]], 1, TextsRefused),
        ([[1, 0], [1]], 2, ProviderUnavailable),
        ([["x", 0]], 1, ProviderUnavailable),
        ([[None, 0]], 1, TextsRefused),
        ([1, 2], 2, TextsRefused),
        (3, 1, ProviderUnavailable),
    ],
)
def test_untrue_rows_never_pass(rows: Any, count: int, error: type[Exception]):
    """A wrong vector is found for every query, or for none, and nobody sees why."""
    with pytest.raises(error):
        true_vectors(rows, ASKED, count=count, dims=2)


def test_the_index_orders_the_rows():
    """A provider may answer in any order."""
    assert in_order([2, 0, 1], ["c", "a", "b"]) == ["a", "b", "c"]
    assert in_order([0, 0, 0], ["a", "b", "c"]) == ["a", "b", "c"]
    assert in_order([None, None], ["a", "b"]) == ["a", "b"]
