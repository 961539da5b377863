import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.config import Config, load
from apx.config.document import parse
from apx.config.keys import known
from apx.config.verdict import judge
from apx.domain.errors import ConfigError

# In parts, so that nobody takes it for a real one.
LEAKED = "sk" + "-proj-" + "a1B2" * 10


def judged(key, value, **environ):
    """Judge a config that sets one key."""
    for part in reversed(key.split(".")):
        value = {part: value}
    return judge(parse("config.json", json.dumps(value)), environ)


def test_every_wrong_key_is_told_at_once_with_its_line(tmp_path):
    """A person mends the file in one go."""
    path = tmp_path / "config.json"
    path.write_text(
        """{
  "memory": {
    "broker_budget_ms": "soon",
    "recall": {"min_score": 2},
    "keep_recent": 60
  },
  "super_agent": {"model": "llama3.2", "fallback_models": ["offline", 5]},
  "user": null
}"""
    )

    with pytest.raises(ConfigError) as caught:
        load(path, {})

    assert str(caught.value).splitlines() == [
        'config.json: memory.broker_budget_ms: got "soon", '
        "expected a whole number from 50 to 10000 (line 3)",
        "config.json: memory.recall.min_score: got 2, "
        "expected a number from 0 to 1 (line 4)",
        "config.json: memory.keep_recent: got 60, "
        "expected less than memory.compact_threshold (60) (line 5)",
        'config.json: super_agent.model: "llama3.2" names no provider; '
        "write ollama:llama3.2, openai:llama3.2 or gemini:llama3.2 (line 7)",
        "config.json: super_agent.fallback_models[1]: got 5, "
        'expected "offline" or provider:model such as ollama:llama3.2 (line 7)',
        "config.json: user: got null, expected an object (line 8)",
    ]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("memory.enabled", "yes", 'got "yes", expected true or false'),
        ("memory.enabled", 1, "got 1, expected true or false"),
        ("memory.rag_top_k", True, "got true, expected a whole number from 1 to 50"),
        ("memory.rag_top_k", 5.5, "got 5.5, expected a whole number from 1 to 50"),
        ("memory.rag_top_k", 0, "got 0, expected a whole number from 1 to 50"),
        ("memory.compact_threshold", 20, "expected more than memory.keep_recent (40)"),
        ("engines.openai.num_ctx", 10, "got 10, expected 0, or 1024 to 20000000"),
        ("memory.keep_first", 41, "expected at most memory.keep_recent (40)"),
        ("memory.core.blocks", [{}], "[0].name: is missing, expected a name"),
        ("memory.embeddings.provider", "x", 'expected "auto", "tf", "local"'),
        ("super_agent.model", "ollama:", '"ollama:" names no model'),
        ("super_agent.model", "ollama:a b", '"ollama:a b" names no model'),
        ("super_agent.instructions", "x" * 20_001, "expected text of at most 20000"),
        ("super_agent.instructions", "\0", "NUL"),
        ("super_agent.instructions", "\ud800", "half of a character"),
        (
            "super_agent.fallback_models",
            "offline",
            "expected a list of at most 8 items",
        ),
        ("engines.ollama.base_url", "localhost:11434", "expected an address such as"),
        ("engines.ollama.keep_alive", "30", 'expected a duration such as "30m"'),
        ("engines.openai.base_url", "http://", "expected an address such as"),
        ("user.timezone", "Europe/Madird", "did you mean Europe/Madrid?"),
        ("user.timezone", "../etc/passwd", "is no time zone"),
        ("channels.telegram.enabled", [], "got [], expected true or false"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(key, value, words):
    """In the words of the file, not in those of a library."""
    (fault,) = judged(key, value).faults

    assert fault.message.startswith(f"config.json: {key}")
    assert words in fault.message


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("memory.broker_budget", "memory.broker_budget_ms"),
        ("memory.recall.topK", "memory.recall.top_k"),
        ("rag_top_k", "memory.rag_top_k"),
        ("engine", "engines"),
        ("channels.telegrm", "channels.telegram"),
    ],
)
def test_an_unknown_key_is_a_warning_that_names_the_nearest(written, near):
    """A typo must neither stop the assistant nor go unseen."""
    verdict = judged(written, 1)

    assert verdict.config == Config()
    (warning,) = verdict.warnings
    assert warning.startswith(f"config.json: {written}: unknown key (line 1); ")
    assert f"the nearest known key is {near}" in warning


@pytest.mark.parametrize("written", ["nope", "memory.zzzz"])
def test_an_unknown_key_that_is_like_no_other_is_told_without_a_guess(written):
    """A far-fetched one would mislead."""
    (warning,) = judged(written, 1).warnings

    assert "nearest" not in warning
    assert "`apx config show` lists" in warning


def test_what_is_changed_and_does_nothing_yet_is_told_in_one_line():
    """Who switches something on must not wait for what it does."""
    text = """{"channels": {
      "telegram": {"enabled": false},
      "terminal": {"enabled": false}},
      "memory": {"enabled": false}, "consolidation": {"interval_secs": 60}}"""

    verdict = judge(parse("config.json", text), {})

    assert verdict.warnings == (
        "config.json: "
        "channels.terminal.enabled (line 3), consolidation.interval_secs (line 4): "
        "no effect yet; comes in a later version",
    )


@pytest.mark.parametrize("key", ["", "\ud800", "\x1b[31m", "x" * 500])
def test_an_unknown_key_of_odd_characters_is_still_only_a_warning(key):
    """And the terminal that shows it stays as it is."""
    verdict = judged(key, "\ud800")

    assert verdict.config == Config()
    (warning,) = verdict.warnings
    assert warning.isprintable()
    assert len(warning) < 200


def test_an_unknown_key_of_a_listed_item_is_told_with_its_place():
    """The nearest key is in the same item."""
    bots = [{}, {"tokn": "x", "name": "other"}]
    (warning,) = judged("channels.telegram.bots", bots).warnings

    assert "channels.telegram.bots[1].tokn: unknown key" in warning
    assert warning.endswith("channels.telegram.bots[1].token")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engines.openai.api_key", "correct horse"),
        ("engines.openai.api_key", ["correct horse"]),
        ("super_agent.model", "${SECRET}"),
        ("super_agent.model", LEAKED),
        ("user.timezone", LEAKED),
        ("engines.openai.base_url", "ftp://me:correct@horse"),
        (LEAKED, 1),
    ],
)
def test_no_message_holds_a_credential(key, value):
    """Not even one that stands where it does not belong."""
    verdict = judged(key, value, SECRET="correct horse")  # noqa: S106  made up

    told = [*map(str, verdict.faults), *verdict.warnings]
    assert len(told) == 1
    assert "correct" not in told[0]
    assert LEAKED not in told[0]


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "model", "bots", "token"]), inner)
    ),
    max_leaves=6,
)
LEAVES = st.sampled_from([".".join(key) for key in known() if key and "*" not in key])


@given(LEAVES, ANYTHING)
def test_whatever_a_key_holds_the_check_answers(key, value):
    """With a config or with faults, each on one line and about that key."""
    verdict = judged(key, value)

    assert (verdict.config is None) == bool(verdict.faults)
    for line in (*map(str, verdict.faults), *verdict.warnings):
        assert line.isprintable()
        assert line.startswith(f"config.json: {key}")
