"""`apx compact` and what is seen of it."""

import json

import pytest

from apx.cli.compact import side_by_side

TALK = "\n".join(
    ["I want to plan a garden. Never use poison.", *(f"bed {n}?" for n in range(2, 31))]
)


@pytest.fixture
def talked(apx):
    """Thirty turns in front of the offline model."""
    apx("chat", stdin=f"{TALK}\n")
    return apx


def test_it_condenses_and_takes_it_back(talked):
    """Each step says what it did, in the words of the shell."""
    before = talked("threads", "show", "main", "--view")
    draft = talked("compact", "main", "--dry-run")
    unchanged = talked("threads", "show", "main", "--view")
    told = talked("compact", "main")
    after = talked("threads", "show", "main", "--view")
    undone = talked("compact", "main", "--undo")

    assert "Never use poison." in draft
    assert " | [RESUMEN COMPACTADO turnos 1-10]" in draft
    assert unchanged == before
    assert told.startswith("60 -> 41 messages, ")
    assert "`apx compact terminal:main --undo` takes it back" in told
    assert "[RESUMEN COMPACTADO turnos 1-10]" in after
    assert undone.startswith("Undone")
    assert talked("threads", "show", "main", "--view") == before


def test_json_is_all_that_is_on_stdout(talked):
    """For programs: what it replaced, by what, and how long both are."""
    draft = json.loads(talked("compact", "main", "--dry-run", "--json"))
    made = json.loads(talked("compact", "main", "--json"))
    seen = json.loads(talked("threads", "show", "main", "--view", "--json"))
    undone = json.loads(talked("compact", "main", "--undo", "--json"))

    assert draft["messages"] == made["messages"] == [60, 41]
    assert draft["replaces"][0]["role"] == "user"
    assert draft["summary"] == made["summary"] == seen[1]["text"]
    assert made["degraded"] is True
    assert undone["undone"] > 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["compact", "nowhere"], "no thread terminal:nowhere"),
        (["compact", "main", "--undo", "--dry-run"], "--undo takes neither"),
        (["threads", "show", "nowhere", "--view"], "no thread terminal:nowhere"),
    ],
)
def test_a_mistake_is_told_in_one_line(apx, words, why):
    """With exit code 2."""
    assert apx(*words, code=2) == ""
    assert why in apx.err.splitlines()[-1]


def test_two_texts_stand_side_by_side():
    """What is replaced on the left, cut into lines that fit."""
    lines = list(side_by_side("a b c " * 20, "x\n\ny", 50))

    assert all(len(line) <= 50 for line in lines)
    assert lines[0].endswith(" | x")
    assert lines[2].endswith(" | y")
