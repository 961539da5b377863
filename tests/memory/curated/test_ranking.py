"""Which curated memories fit a question by its words."""

from dataclasses import replace

import pytest

from apx.memory.curated.ranking import Ranking
from tests.memory.curated.facts import ASKED, FACTS, OWNERS, UNRELATED, fact, named


def good(question, facts=FACTS, audiences=(OWNERS,), ranking=None):
    found = (ranking or Ranking()).found(facts, question, audiences)
    return [one.fact.id for one in found if one.is_good]


@pytest.mark.parametrize(("question", "wanted"), ASKED.items())
def test_a_question_finds_what_it_is_about(question, wanted):
    """First, in any language, and without a model."""
    assert good(question)[:1] == [wanted]


@pytest.mark.parametrize("question", UNRELATED)
def test_an_unrelated_question_finds_nothing(question):
    """A block in every prompt would only cost tokens, and mislead."""
    assert good(question) == []


def test_in_a_store_of_one_its_words_are_not_common():
    """Every word stands in all of it."""
    only = named(FACTS["c-friday"])

    assert good("deploy on Friday?", only) == ["c-friday"]
    assert good("who won the football match on Friday, by how many goals?", only) == []


def test_what_others_keep_changes_nothing():
    """Neither is it found, nor does it make a word common."""
    mine = fact("d-1", "the vault opens with the blue key")
    others = [
        fact(f"d-x{n}", f"the vault {n} opens with a key", audience="private:anna")
        for n in range(200)
    ]
    alone = Ranking().found(named(mine), "which key opens the vault?", [OWNERS])

    beside = Ranking().found(
        named(mine, *others), "which key opens the vault?", [OWNERS]
    )

    assert beside == alone


def test_a_title_weighs_more_than_a_text():
    """It is the fact in one line."""
    facts = named(
        fact("d-1", "something else", body="the lighthouse is mentioned once"),
        fact("d-2", "the lighthouse has a new lamp"),
        fact("d-3", "more of it", tags=("lighthouse",)),
    )

    assert good("lighthouse", facts)[0] == "d-2"
    assert "d-3" in good("lighthouse", facts)


def test_it_follows_the_store():
    """Changed, new, gone; what did not change is not read again."""
    ranking = Ranking()
    facts = named(fact("d-1", "the boat is blue"), fact("d-2", "the car is red"))
    assert good("the boat", facts, ranking=ranking) == ["d-1"]

    facts["d-1"] = replace(facts["d-1"], title="the plane is blue")
    del facts["d-2"]
    facts["d-3"] = fact("d-3", "the boat is green")

    assert good("the boat", facts, ranking=ranking) == ["d-3"]
    assert good("the plane", facts, ranking=ranking) == ["d-1"]
    assert good("the car", facts, ranking=ranking) == []
