import pytest
import toon_format

from apx.cli.mem import main
from apx.cli.mem.table import COMMANDS


def test_a_typo_names_the_command_that_was_meant(bare):
    """Nobody reads a manual for a letter."""
    told = bare("serach", "x", code=2)

    assert "serach" in told["error"]
    assert told["help"] == ["apx mem search", "apx mem help"]


def test_an_unknown_flag_names_the_one_that_was_meant(bare):
    """And how to say it if it is none."""
    told = bare("list", "--prioriti", "3", code=2)

    assert told["help"][0] == "apx mem list --min-priority ..."
    assert told["help"][-1] == "apx mem help list"


def test_a_value_that_begins_like_a_flag_is_given_with_a_sign(mem):
    """A forgotten value is not filled with the next flag."""
    told = mem("add", "--type=howto", "--title", "--x", code=2)

    assert "--title=VALUE" in told["help"][0]
    assert mem("add", "--type=howto", "--title=--x")["outcome"] == "added"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(bare, name):
    """Out of the very table that reads the words, and without a store."""
    told = bare("help", name)

    assert told == bare(name, "--help") == bare(name, "-h")
    assert told["command"] == name
    assert {"--format", "--json", "--help"} <= {
        one["flag"].split()[0] for one in told["flags"]
    }


def test_the_overview_names_all_commands(bare):
    """It needs no store."""
    told = bare("help")

    assert told == bare("--help")
    assert [one["command"] for one in told["commands"]] == list(COMMANDS)
    assert "verified" in bare("help", "fields")["fields"]


def test_the_form_holds_wherever_it_stands_and_for_faults_too(bare):
    """Who reads JSON cannot read why there is none in TOON."""
    for words in (["--json", "list"], ["list", "--json"], ["lst", "--json"]):
        assert "code" in bare(*words, code=1 if "list" in words else 2)
    assert "no_store" in bare("list", "--format", "md", code=1)
    # Behind the end of flags it is a word like any other.
    assert bare("search", "x", "--", "extra", code=1)["code"] == "no_store"


def test_json_is_the_same_answer(mem):
    """In letters that people read."""
    mem.add("東京に引っ越す", tags="a")

    as_toon, as_json = mem("list"), mem("list", "--json")

    assert as_toon == as_json
    assert "東京" in mem.text


@pytest.mark.usefixtures("mem")
def test_a_fault_of_our_own_says_where_and_nothing_more(monkeypatch, capsys):
    """What broke is data as well, and what was written stays out of it."""
    monkeypatch.setattr("sys.stdin", None)

    code = main(["add", "--type=howto", "--title=my secret plan", "--body=-"])

    out, err = capsys.readouterr()
    told = toon_format.decode(out, strict=True, indent_size=2)
    assert (code, err, told["code"]) == (1, "", "internal")
    assert "AttributeError at cli/mem/opening.py:" in told["error"]
    assert "plan" not in out


def test_half_a_character_breaks_no_answer(mem):
    """A shell hands over bytes that are no text."""
    for form in ([], ["--json"], ["--format", "md"]):
        mem("show", "x\udcff", *form, code=1)
        assert "not_found" in mem.text
    for words in (["list", "--scope"], ["list", "--tag"], ["search"]):
        assert mem(*words, "x\udcff")["count"] == "0 of 0 total"
