"""Which hits are good enough to be shown, and how much of them."""

from dataclasses import replace

import pytest

from apx.domain.recall import Kind
from apx.memory.recall.search import Scored
from apx.memory.recall.showing import Judging, Showing, memories
from tests.memory.rooms import query, said

POOR = Scored(
    chunk=1,
    score=1.0,
    share=0.1,
    held=0.1,
    cosine=0.2,
    dated=0.0,
    content=9,
    parts=[1.0, *[0.0] * 6],
)
JUDGING = Judging({"boat": 1.0}, likeness=0.5)


def shown(*hits, showing=None, **changes):
    found = memories(hits, JUDGING, query("where?", **changes), showing or Showing())
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("changes", "is_shown"),
    [
        ({}, False),
        ({"share": 0.2}, True),
        ({"cosine": 0.6}, True),
        ({"cosine": 0.4}, False),
        ({"held": 0.6}, True),
        ({"held": 0.6, "content": 2}, False),
        ({"dated": 4.0}, True),
        ({"dated": 1.0}, False),
        ({"score": 100.0}, False),
    ],
)
def test_a_hit_must_have_to_do_with_the_question(changes, is_shown):
    """By its words, its meaning, what it answers or its date; rank is not enough."""
    hit = (said("a text that says something"), replace(POOR, **changes))

    assert bool(shown(hit)) == is_shown


def test_another_part_of_the_same_message_is_no_answer():
    """A message is not found by the words of its own other half."""
    good = (said("the boat is here", 1, seq=7), replace(POOR, share=0.9))
    other = (said("the rest of that", 1, seq=7), replace(POOR, held=0.9))

    assert shown(good, other) == ["the boat is here"]


def test_as_many_as_are_wanted_are_shown_best_first():
    """In the order in which they came."""
    hits = [
        (said(f"{word} fact", n, seq=n), replace(POOR, share=0.9))
        for n, word in enumerate(("red", "old", "new", "tall"))
    ]
    assert shown(*hits, limit=2) == ["red fact", "old fact"]


def test_a_memory_says_where_it_is_from():
    """And why it was found."""
    note = said("the boat is here", 1, seq=7, turn=3, kind=Kind.NOTE)
    message = said("another thing said", 2, seq=9, turn=5)
    hits = [(one, replace(POOR, share=0.9, score=1.23456)) for one in (note, message)]

    first, second = memories(hits, JUDGING, query("where?"), Showing())

    assert (first.ref, second.ref) == ("note 7", "turn 5")
    assert (first.why, first.score) == ("lexical 1", 1.235)
    assert str(second.thread) == "terminal:main"
    assert first.at == note.at


def test_tokens_are_never_exceeded():
    """Whole chunks, until the next one does not fit."""
    hits = [
        (said(f"{n}" + "x" * 98, n, seq=n), replace(POOR, share=0.9)) for n in range(9)
    ]
    found = memories(hits, JUDGING, query("where?", limit=1), Showing(tokens=100))

    assert len(found) == 3
    assert all(one.shown == one.text for one in found)
