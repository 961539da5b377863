import json
from pathlib import Path

import pytest

from apx.config import Config, check, load
from apx.config.document import parse
from apx.config.keys import known
from apx.domain.errors import ConfigError

EXAMPLE = Path(__file__).parents[1] / "config.example.json"


@pytest.fixture
def loaded(tmp_path):
    def load_these(values, **environ):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(values))
        return load(path, environ).config

    return load_these


def test_the_example_shows_every_key_with_its_default():
    """config.example.json and the code cannot drift apart."""
    loaded = load(EXAMPLE)
    written = parse("config.example.json", EXAMPLE.read_text()).places

    assert loaded.config == Config()
    assert loaded.warnings == ()
    items = {path for path in written if any(isinstance(part, int) for part in path)}
    assert {path for path in known() if "*" not in path} == set(written) - items


def test_no_file_is_fine(tmp_path):
    """Everything has a default, and nothing is contacted."""
    config = load(tmp_path / "config.json", {}).config

    assert config == Config()
    assert config.configured_engines() == ()
    assert config.secrets() == ()


def test_a_check_of_a_good_file_gives_the_config():
    """The same that `load` gives."""
    assert check(EXAMPLE, {}).config == load(EXAMPLE, {}).config


@pytest.mark.parametrize(
    "name", ["auto", "offline", "ollama:gemma4:31b-cloud", "openai:org/model:free"]
)
def test_a_model_is_a_provider_and_a_name_that_may_hold_colons(loaded, name):
    """Ollama's tags and routers' suffixes are part of the name."""
    assert loaded({"super_agent": {"model": name}}).super_agent.model == name


def test_the_environment_fills_any_text(loaded):
    """Also inside a longer one, inside a list, and where a number is wanted."""
    openai = {"api_key": "${KEY}", "base_url": "http://${HOST}/"}
    fallbacks = ["ollama:${MODEL:-tiny}", "${EMPTY:-offline}"]

    config = loaded(
        {
            "engines": {"openai": openai},
            "super_agent": {
                "fallback_models": fallbacks,
                "instructions": "cost $5, write $${KEY}",
            },
            "memory": {"rag_top_k": "${K}", "enabled": "${ON}"},
        },
        KEY="k",
        HOST="h:1",
        EMPTY="",
        K="7",
        ON="false",
    )

    assert config.engines.openai.api_key == "k"
    assert config.engines.openai.base_url == "http://h:1/"
    assert config.super_agent.fallback_models == ("ollama:tiny", "offline")
    assert config.super_agent.instructions == "cost $5, write ${KEY}"
    assert config.memory.rag_top_k == 7
    assert not config.memory.enabled


def test_text_from_the_environment_is_not_filled_again(loaded):
    """A password may hold `${`; it is a value, not a reference."""
    filled = loaded({"engines": {"openai": {"api_key": "${A}"}}}, A="${B}$${")

    assert filled.engines.openai.api_key == "${B}$${"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("${MISSING}", "variable MISSING is not set; set it, or write ${MISSING:-"),
        ("${OPENAI-KEY}", "${ opens the name of an environment variable"),
        ("a ${", "write $${ to mean it literally"),
    ],
)
def test_a_variable_that_cannot_be_filled_is_told(loaded, text, words):
    """With its key and the way out."""
    with pytest.raises(ConfigError) as caught:
        loaded({"engines": {"openai": {"base_url": text}}})

    assert str(caught.value).startswith("config.json: engines.openai.base_url: ")
    assert words in str(caught.value)


def test_a_credential_whose_variable_is_not_set_is_empty_and_told(tmp_path):
    """Most commands need none; a secret must not silently be empty all the same."""
    path = tmp_path / "config.json"
    path.write_text(
        """{
  "engines": {"openai": {"api_key": "${OPENAI_API_KEY}"}},
  "channels": {"telegram": {"bots": [{"name": "a"}, {"token": "${T}"}]}}
}"""
    )

    found = load(path, {})

    assert found.config.engines.openai.api_key == ""
    assert [bot.token for bot in found.config.channels.telegram.bots] == ["", ""]
    assert found.warnings[:2] == (
        "config.json: engines.openai.api_key: the environment variable OPENAI_API_KEY "
        "is not set here, so this is empty (line 2)",
        "config.json: channels.telegram.bots[1].token: the environment variable T "
        "is not set here, so this is empty (line 3)",
    )
    assert not [
        said
        for said in load(path, {"OPENAI_API_KEY": "k", "T": "t"}).warnings
        if "is not set" in said
    ]


def test_a_credential_with_a_broken_reference_is_a_fault(loaded):
    """No environment could fill it."""
    with pytest.raises(ConfigError, match="opens the name of an environment variable"):
        loaded({"engines": {"openai": {"api_key": "${OPENAI-KEY}"}}})


def test_the_config_knows_its_credentials_and_does_not_show_them(loaded):
    """The log asks for them; a traceback that shows the config does not leak them."""
    config = loaded(
        {
            "engines": {"openai": {"api_key": "kkkk"}},
            "channels": {"discord": {"bots": [{"token": "tttt"}, {"name": "b"}]}},
        }
    )

    assert config.secrets() == ("kkkk", "tttt")
    assert "kkkk" not in repr(config)
    assert "tttt" not in repr(config)


@pytest.mark.parametrize(
    ("engines", "configured"),
    [
        ({"ollama": {}}, ("ollama",)),
        ({"openai": {}, "gemini": {}}, ()),
        ({"openai": {"base_url": "http://h/v1"}}, ("openai",)),
        ({"gemini": {"api_key": "g"}, "ollama": {}}, ("ollama", "gemini")),
    ],
)
def test_an_engine_is_configured_once_it_is_written_down(loaded, engines, configured):
    """`auto` contacts nothing that the person did not name."""
    assert loaded({"engines": engines}).configured_engines() == configured


@pytest.mark.parametrize("channel", ["telegram", "discord"])
@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ([{}, {}], "two bots have the same name"),
        ([{"token": "t"}, {"name": "b", "token": "t"}], "two bots have the same token"),
    ],
)
def test_bots_that_would_be_one_are_refused(loaded, channel, bots, why):
    """By the key that has them."""
    with pytest.raises(ConfigError, match=rf"channels\.{channel}\.bots: {why}"):
        loaded({"channels": {channel: {"bots": bots}}})


@pytest.mark.parametrize("wrong", ["Home", -5, 0, "12345", 1.5, "1234567890123456 "])
@pytest.mark.parametrize("key", ["guilds", "channels"])
def test_what_is_no_id_of_discords_is_refused(loaded, key, wrong):
    """Negative ones are Telegram's, names are anybody's; where to find one is said."""
    with pytest.raises(ConfigError, match=r"Developer Mode|expected an id"):
        loaded({"channels": {"discord": {"bots": [{key: [wrong]}]}}})


def test_ids_of_discord_may_be_numbers_or_text(loaded):
    """JSON has both; most people paste a number."""
    bots = [{"guilds": [123456789012345678, "923456789012345678"]}]

    config = loaded({"channels": {"discord": {"bots": bots}}})

    assert config.channels.discord.bots[0].guilds == (
        "123456789012345678",
        "923456789012345678",
    )
