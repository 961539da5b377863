"""What the tests of memory share."""

import pytest

from tests.memory.rooms import Embedders, rooms


@pytest.fixture
def open_rooms(tmp_path, history):
    return lambda *known, **options: rooms(
        tmp_path,
        history,
        Embedders(**{f"e{n}": e for n, e in enumerate(known)}),
        **options,
    )
