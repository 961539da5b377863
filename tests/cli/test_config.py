import json

import pytest
from typer.testing import CliRunner

from apx.cli.config import app
from apx.config.keys import known
from apx.domain.errors import ConfigError, InputError

TOKEN = "correct-horse"  # noqa: S105  made up


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("APX_HOME", str(tmp_path))
    return tmp_path / "config.json"


def run(*args):
    return CliRunner().invoke(app, args)


def test_check_says_ok_and_the_warnings(path):
    """A warning does not fail the check."""
    path.write_text('{"memory": {"rag_topk": 1}}')

    result = run("check")

    assert result.exit_code == 0
    warning, ok = result.stdout.splitlines()
    assert "memory.rag_topk: unknown key (line 1)" in warning
    assert ok == "config.json: ok"


def test_check_raises_what_is_wrong(path):
    """The command turns it into exit code 2."""
    path.write_text('{"memory": {"rag_top_k": 0}}')

    assert isinstance(run("check").exception, ConfigError)


@pytest.mark.parametrize("content", ['{"memory": {"rag_top_k": 0}}', "{"])
def test_check_in_json_exits_with_2(path, content):
    """For scripts, also when the file is no JSON."""
    path.write_text(content)

    result = run("check", "--json")

    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert not found["ok"]
    assert len(found["errors"]) == 1


def test_show_marks_what_differs_and_masks_credentials(path):
    """The values that hold, from file, environment and defaults."""
    path.write_text(
        json.dumps(
            {
                "engines": {
                    "openai": {
                        "api_key": TOKEN,
                        "base_url": f"http://me:{TOKEN}@host/v1",
                    }
                },
                "channels": {"telegram": {"bots": [{"token": TOKEN}]}},
            }
        )
    )

    shown = run("show")
    in_json = run("show", "--json")

    assert TOKEN not in shown.stdout + in_json.stdout
    lines = shown.stdout.splitlines()
    assert '* engines.openai.api_key = "[secret]"    (default "")' in lines
    assert "  memory.enabled = true" in lines
    assert len(lines) == sum(
        not key.is_section and "*" not in key.path for key in known().values()
    )
    assert json.loads(in_json.stdout)["changed"] == [
        "engines.openai.api_key",
        "engines.openai.base_url",
        "channels.telegram.bots",
    ]


def test_get_prints_json_and_hides_credentials_unless_asked(path):
    """Of a key or of a whole section."""
    path.write_text(json.dumps({"engines": {"openai": {"api_key": TOKEN}}}))

    assert run("get", "memory.rag_top_k").stdout == "5\n"
    assert run("get", "super_agent.model").stdout == '"auto"\n'
    assert json.loads(run("get", "engines.openai").stdout)["api_key"] == "[secret]"
    assert run("get", "engines.openai.api_key").stdout == '"[secret]"\n'
    assert run("get", "engines.openai.api_key", "--reveal").stdout == f'"{TOKEN}"\n'
    assert json.loads(run("get", "memory.enabled", "--json").stdout) == {
        "key": "memory.enabled",
        "value": True,
        "default": True,
        "changed": False,
    }


def test_get_of_an_unknown_key_names_the_nearest(path):
    """An error of the asker, so exit code 2."""
    error = run("get", "memory.rag_topk").exception

    assert isinstance(error, InputError)
    assert "the nearest known key is memory.rag_top_k" in str(error)
    assert not path.exists()


def test_set_writes_and_says_what_it_wrote(path):
    """Also a value that looks like an option; a credential is not repeated."""
    assert run("set", "engines.ollama.keep_alive", "-1m").exit_code == 0
    result = run("set", "engines.openai.api_key", TOKEN)

    assert result.stdout == 'engines.openai.api_key = "[secret]"\n'
    assert json.loads(path.read_text()) == {
        "engines": {"ollama": {"keep_alive": "-1m"}, "openai": {"api_key": TOKEN}}
    }


def test_set_makes_the_home(tmp_path, monkeypatch):
    """It may be the first command that a person runs."""
    monkeypatch.setenv("APX_HOME", str(tmp_path / "new"))

    assert run("set", "memory.enabled", "false").exit_code == 0
    assert (tmp_path / "new" / "config.json").exists()


def test_looking_makes_no_home(tmp_path, monkeypatch):
    """A question changes nothing."""
    monkeypatch.setenv("APX_HOME", str(tmp_path / "new"))

    for command in (["check"], ["show"], ["get", "memory"], ["schema"], ["path"]):
        assert run(*command).exit_code == 0

    assert not (tmp_path / "new").exists()
    assert run("path").stdout == f"{tmp_path / 'new' / 'config.json'}\n"


@pytest.mark.usefixtures("path")
def test_the_schema_describes_every_key_and_marks_those_that_come_later():
    """An editor shows it; a person reads what does nothing yet."""
    schema = json.loads(run("schema").stdout)

    fields = [
        field
        for part in (schema, *schema["$defs"].values())
        for field in part["properties"].values()
    ]
    assert all(field["description"] for field in fields)
    memory = schema["$defs"]["Memory"]["properties"]
    later = schema["$defs"]["Consolidation"]["properties"]["interval_secs"]
    assert later["description"].endswith("(comes later)")
    assert memory["compact_threshold"]["default"] == 60
    assert "(comes later)" not in memory["broker_budget_ms"]["description"]
