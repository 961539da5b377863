import json
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from apx.config import load, put
from apx.config.keys import known
from apx.domain.errors import ConfigError, InputError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config.json"


def test_the_first_key_makes_a_private_file_that_holds_nothing_else(path):
    """Defaults are not frozen into the file."""
    put(path, "super_agent.model", "ollama:llama3.2", {})

    assert json.loads(path.read_text()) == {"super_agent": {"model": "ollama:llama3.2"}}
    assert path.read_text().splitlines()[1] == '  "super_agent": {'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


MIXED = """\ufeff{
    "zzz": [1.50, {"unknown":   1e3}],
    "engines": {"openai": {"api_key": "${KEY:-k}"}},
    "memory": {
        "enabled": true
    },
    "user": {},
    "memory": {
        "rag_top_k": 7
    }
}
"""


@pytest.mark.parametrize(
    ("key", "value", "before", "after"),
    [
        ("memory.rag_top_k", "9", '_k": 7', '_k": 9'),
        # Of a section that is written twice, the last one counts.
        (
            "memory.enabled",
            "false",
            '"rag_top_k": 7',
            '"rag_top_k": 7,\n        "enabled": false',
        ),
        (
            "memory.keep_first",
            "1",
            '"rag_top_k": 7',
            '"rag_top_k": 7,\n        "keep_first": 1',
        ),
        (
            "engines.openai.base_url",
            "http://h/v1",
            '"${KEY:-k}"',
            '"${KEY:-k}", "base_url": "http://h/v1"',
        ),
        ("user.language", "5", "{}", '{\n      "language": "5"\n    }'),
        (
            "consolidation.enabled",
            "true",
            '"rag_top_k": 7\n    }',
            '"rag_top_k": 7\n    },\n    "consolidation": '
            '{\n      "enabled": true\n    }',
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_all_the_rest_of_the_file_stays_to_the_letter(
    path, key, value, before, after, newline
):
    """Order, blanks, unknown keys, references and all: it is the person's file."""
    path.write_text(MIXED, newline=newline)

    put(path, key, value, {})

    expected = MIXED.replace(before, after)
    written = path.read_bytes().decode()
    assert written.replace("\r\n", "\n") == expected
    assert written.count(newline) == written.count("\n")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("user.language", "5", "5"),
        ("user.language", "null", "null"),
        ("user.language", '"es"', "es"),
        ("user.language", "español", "español"),
        ("engines.ollama.keep_alive", "-1m", "-1m"),
        ("memory.recall.min_score", "1", 1),
        ("super_agent.fallback_models", '["offline"]', ["offline"]),
        ("channels.terminal", '{"enabled": false}', {"enabled": False}),
        ("engines.openai.api_key", "${KEY}", "${KEY}"),
    ],
)
def test_a_value_is_json_unless_the_key_wants_text(path, key, text, value):
    """So that nobody has to quote quotes in a shell."""
    assert put(path, key, text, {"KEY": "k"}) == value

    written = json.loads(path.read_text())
    for part in key.split("."):
        written = written[part]
    assert written == value


@pytest.mark.parametrize(
    ("before", "key", "value", "error"),
    [
        (None, "memory.rag_top_k", "many", 'got "many", expected a whole number'),
        (None, "memory.keep_recent", "60", "less than memory.compact_threshold"),
        (None, "user.language", "${MISSING}", "MISSING is not set"),
        (None, "memory", "5", "expected an object"),
        ("{", "memory.enabled", "true", "line 1"),
        ('{"memory": 5}', "memory.enabled", "true", "memory: expected an object"),
        ('{"user": 5}', "memory.enabled", "true", "user: got 5"),
    ],
)
def test_what_a_check_would_refuse_is_not_written(path, before, key, value, error):
    """The file stays as it is, to the byte, and none is made."""
    if before is not None:
        path.write_text(before)

    with pytest.raises(ConfigError, match=error):
        put(path, key, value, {})

    assert (path.read_text() if path.exists() else None) == before
    assert [found.name for found in path.parent.iterdir()] == (
        [path.name] * bool(before)
    )


@pytest.mark.parametrize("key", ["memory.rag_topk", "memory", "", "a..b", "memory.*"])
def test_an_unknown_key_is_refused(path, key):
    """A typo that is written is found by nobody."""
    if key == "memory":
        put(path, key, "{}", {})
        return
    with pytest.raises(InputError, match="no such key"):
        put(path, key, "1", {})

    assert not path.exists()


def test_a_credential_may_name_a_variable_of_another_terminal(path):
    """The one that runs apx has it; the file holds only the name."""
    put(path, "engines.openai.api_key", "${MISSING}", {})

    written = json.loads(path.read_text())
    assert written == {"engines": {"openai": {"api_key": "${MISSING}"}}}


def test_every_default_that_is_written_passes_the_check(path):
    """Key by key, into one file."""
    leaves = [key for key in known().values() if key.path and "*" not in key.path]
    for key in leaves:
        if not key.is_section:
            text = key.default if key.is_text else json.dumps(key.default)
            put(path, ".".join(key.path), text, {})

    assert load(path, {}).warnings == ()


def test_writers_at_once_lose_no_key(path):
    """Each reads what the one before it wrote."""
    keys = ["memory.rag_top_k", "memory.keep_first", "memory.recall.top_k"]
    keys += ["super_agent.max_iterations", "memory.active_threads.max_lines"]
    with ThreadPoolExecutor(5) as pool:
        for _ in range(10):
            list(pool.map(lambda key: put(path, key, "3", {}), keys))
            written = load(path, {}).config
            path.unlink()

            assert written.memory.rag_top_k == written.memory.keep_first == 3
            assert written.memory.recall.top_k == 3
            assert written.super_agent.max_iterations == 3
            assert written.memory.active_threads.max_lines == 3
