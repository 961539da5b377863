import pytest

from apx.config import load
from apx.domain.errors import ConfigError


@pytest.fixture
def write(tmp_path):
    def written(content):
        path = tmp_path / "config.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def test_a_byte_order_mark_is_accepted(write):
    """Some editors write one."""
    path = write(b'\xef\xbb\xbf{"memory": {"rag_top_k": 7}}')

    assert load(path, {}).config.memory.rag_top_k == 7


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty; write {} into it or remove it"),
        ("[]", "expected an object such as"),
        ("5", "got a bare value"),
        ('{"a": 1,}', "remove the comma before the closing bracket"),
        ('{"a": [1,\n]}', "remove the comma before the closing bracket"),
        ('{"a": 1 // no\n}', "line 1, column 9: expected a comma or the closing"),
        ('{\n  # no\n"a": 1}', "line 2, column 3: .* JSON has no comments"),
        ("{'a': 1}", "write double quotes"),
        ('{"a": True}', "write true, false or null"),
        ('{"a": 1', "the file ends too early"),
        ('{"a": "x', "expected the closing double quote"),
        ('{"a": "\\x"}', "no backslash such as this one"),
        ('{"a" 1}', "expected a colon after the key"),
        ("{} {}", "expected nothing more"),
        ('{"a":\nNaN}', "line 2: NaN is not JSON"),
        ('{"a": ' + "[" * 50 + "]" * 50 + "}", "nested too deeply"),
        ('{"a": ' + "[" * 9999 + "]" * 9999 + "}", "nested too deeply"),
        ('{"a": ' + "1" * 9999 + "}", "a number that is too long"),
        (" " * 1_000_001, "larger than 1000000 bytes"),
        ('{"a": "ñ"}'.encode("latin-1"), r"not UTF-8 \(line 1\)"),
        ("{}".encode("utf-16"), "the text is UTF-16; save it as UTF-8"),
    ],
)
def test_a_file_that_is_no_json_object_is_one_clear_line(write, content, words):
    """Never a traceback: where it breaks, what was expected, and a hint."""
    path = write(content)

    with pytest.raises(ConfigError, match=words) as caught:
        load(path, {})

    assert str(caught.value).startswith("config.json: ")
    assert "\n" not in str(caught.value)


def test_a_directory_in_place_of_the_file_is_told(tmp_path):
    """So is anything else that cannot be read as a file."""
    with pytest.raises(ConfigError, match="is not a file"):
        load(tmp_path, {})


def test_a_key_that_is_written_twice_is_told(write):
    """JSON lets the last one win; the person may look at the first."""
    path = write('{"memory": {"enabled": false},\n"memory": {"rag_top_k": 7}}')

    loaded = load(path, {})

    assert loaded.config.memory.enabled
    assert loaded.config.memory.rag_top_k == 7
    assert loaded.warnings == (
        "config.json: memory: written twice (lines 1 and 2); the last one counts",
    )
