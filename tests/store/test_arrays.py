"""Files of arrays: whole or not there, and nothing that was not written."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from apx.domain.errors import StoreError
from apx.store import arrays

KINDS = [np.int8, np.uint8, np.uint16, np.int32, np.int64, np.uint64, np.float32]
ARRAYS = st.dictionaries(
    st.text(min_size=1, max_size=5),
    st.sampled_from(KINDS).flatmap(
        lambda kind: hnp.arrays(kind, hnp.array_shapes(max_dims=2, min_side=0))
    ),
    max_size=5,
)
FEW = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@FEW
@given(ARRAYS)
def test_what_was_saved_is_loaded(tmp_path, content):
    """Of any kind and shape, also empty, and none at all."""
    path = tmp_path / "a" / "b"
    arrays.save(path, {"what": "all"}, content)

    loaded = arrays.load(path)

    assert loaded is not None
    tag, found = loaded
    assert tag == {"what": "all"}
    assert found.keys() == content.keys()
    for name, array in content.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    content = {"one": np.arange(50, dtype=np.int32), "two": np.ones((3, 4), np.float32)}
    arrays.save(path, {"what": "two"}, content)
    return path


def test_a_file_cut_anywhere_is_not_there(file):
    """A copy that broke off, a disk that was full."""
    whole = file.read_bytes()

    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        assert arrays.load(file) is None, size


@FEW
@given(st.data())
def test_a_file_whose_head_changed_is_not_there(file, data):
    """A wrong length or shape there would be read as wrong arrays."""
    whole = bytearray(file.read_bytes())
    head = whole.index(b"}}") + 2
    place = data.draw(st.integers(0, head - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    other = file.with_name("other")
    other.write_bytes(whole)

    assert arrays.load(other) is None


@pytest.mark.parametrize("content", [b"", b"garbage", b"apx arrays 2\n", b"\0" * 5000])
def test_what_is_no_file_of_arrays_is_not_there(tmp_path, content):
    """Somebody put it there."""
    path = tmp_path / "odd"
    path.write_bytes(content)

    assert arrays.load(path) is None
    assert arrays.load(tmp_path) is None
    assert arrays.load(tmp_path / "nothing") is None


def test_what_was_loaded_cannot_be_changed(file):
    """Many readers look at the same memory."""
    loaded = arrays.load(file)
    assert loaded is not None

    with pytest.raises(ValueError, match="read-only"):
        loaded[1]["one"][0] = 1


def test_a_loaded_file_may_be_removed_and_replaced(file):
    """A save removes what readers still look at."""
    loaded = arrays.load(file)
    assert loaded is not None
    arrays.save(file, {}, {"one": np.zeros(9, np.int32)})
    file.unlink()

    assert loaded[1]["one"].tolist() == list(range(50))


def test_a_place_that_cannot_be_written_is_an_error_of_ours(tmp_path):
    """The caller goes on without the file, and nothing half lies about."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be written"):
        arrays.save(tmp_path / "file" / "below", {}, {})
    (tmp_path / "taken").mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        arrays.save(tmp_path / "taken", {}, {})
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "taken"]
