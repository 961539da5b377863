"""Which of several hits are shown: each thing once, and what holds now."""
# ruff: noqa: RUF001 -- marks of several scripts

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from apx.domain.chunk import Chunk
from apx.domain.message import Role
from apx.domain.recall import Kind, Query
from apx.domain.thread import Thread
from apx.memory.recall.fold import fold
from apx.memory.recall.search import Scored

BEGAN = datetime(2030, 1, 1, tzinfo=UTC)
QUERY = Query("where do I live?", Thread.parse("terminal:main"), ("a",), BEGAN)


def said(day, text, **changes):
    chunk = Chunk(
        seq=day,
        kind=Kind.MESSAGE,
        role=Role.USER,
        text=text,
        at=BEGAN + timedelta(days=day),
        turn=day,
        thread="terminal:main",
        channel="terminal",
        person="owner",
        audience="a",
    )
    return replace(chunk, **changes)


def scored(number, score, parts=()):
    nothing = dict.fromkeys((field.name for field in fields(Scored)), 0.0)
    return Scored(**nothing | {"chunk": number, "score": score, "parts": parts})


def shown(*chunks, query=QUERY, enough=5):
    """Fold chunks that were found in this order."""
    hits = [(chunk, scored(n, 9.0 - n)) for n, chunk in enumerate(chunks)]
    return [chunk.text for chunk, _ in fold(iter(hits), query, enough)]


PARIS = said(1, "I live in Paris")
ROME = said(2, "I moved to Rome")


def test_the_newer_fact_has_the_place_of_the_older():
    """However much better the old words fit the question."""
    others = [said(n, f"thing number {n} is told here") for n in range(10, 20)]

    assert shown(PARIS, *others, ROME, enough=2) == [ROME.text, others[0].text]


def test_the_newest_of_several_stays():
    """Paris, Rome, Milan."""
    milan = said(3, "I live in Milan now")

    assert shown(PARIS, ROME, milan) == [milan.text]
    assert shown(milan, PARIS, ROME) == [milan.text]


def test_history_shows_all():
    """Whoever asks for what was gets it."""
    query = replace(QUERY, history=True)

    assert shown(PARIS, ROME, query=query) == [PARIS.text, ROME.text]


@pytest.mark.parametrize(
    "text", ["where did I live before?", "¿dónde vivía antes?", "我以前住在哪里？"]
)
def test_a_question_for_the_past_is_answered(text):
    """The old fact is the right answer to it."""
    assert PARIS.text in shown(PARIS, ROME, query=replace(QUERY, text=text))


def test_time_decides_and_not_the_order_of_hits():
    """Moving back is a newer fact, too."""
    again = said(3, "I moved to Paris")

    assert shown(ROME, PARIS, again) == [again.text]


@pytest.mark.parametrize(
    "changes",
    [
        {"person": "guest"},
        {"role": Role.ASSISTANT},
        {"role": Role.TOOL},
        {"speaker": "Eve"},
    ],
)
def test_nobody_else_takes_a_persons_fact_back(changes):
    """Neither a guest nor a model moves the owner to Rome."""
    paris = replace(PARIS, speaker="Ann")

    assert shown(paris, replace(ROME, **changes)) == [paris.text, ROME.text]


def test_anybody_may_say_what_a_thing_is():
    """The meeting is the same for all."""
    old = said(1, "The meeting is on Monday")
    new = said(2, "The meeting was moved to Thursday", person="guest")
    query = replace(QUERY, text="when is the meeting?")

    assert shown(old, new, query=query) == [new.text]


def test_what_the_assistant_repeated_is_outdated_as_well():
    """Else its echo would say Paris for ever."""
    echo = said(1, "Noted: you live in Paris.", seq=2, role=Role.ASSISTANT)

    assert shown(echo, PARIS, said(2, "I moved to Rome", seq=3)) == ["I moved to Rome"]


def test_notes_and_messages_are_treated_alike():
    """A newer message takes back a note, and a newer note a message."""
    note = replace(PARIS, kind=Kind.NOTE)
    assert shown(note, ROME) == [ROME.text]

    note = replace(ROME, kind=Kind.NOTE)
    assert shown(PARIS, note) == [note.text]


def test_a_text_that_says_more_stays():
    """Unless the question is for what it says no more."""
    old = said(1, "I live in Paris. My three cats love fish, milk and the old sofa.")
    cats = replace(QUERY, text="what do my cats love?")

    assert shown(old, ROME, query=cats) == [old.text, ROME.text]
    assert shown(old, ROME) == [ROME.text]


def test_a_newer_fact_is_no_near_duplicate_of_a_note():
    """A long note and its correction differ in one word, which is what matters."""
    text = "The big yearly meeting of all our teams and their guests is on "
    note = said(1, text + "Monday", kind=Kind.NOTE)
    new = said(2, text + "Thursday")

    assert shown(note, new) == [new.text]
    assert shown(new, note) == [new.text]


def test_near_duplicates_are_folded():
    """A note stays rather than a message, else the newer."""
    note = said(1, "tea is at five", kind=Kind.NOTE)

    assert shown(said(2, "Tea is at five!"), note) == [note.text]
    assert shown(said(3, "so it goes"), said(4, "So it  goes")) == ["So it  goes"]


def test_the_question_itself_is_not_shown():
    """It was asked before and says nothing."""
    assert shown(said(1, "Where do I live?"), PARIS) == [PARIS.text]


def test_scores_stay_in_order():
    """What is promoted has the score of what it replaced."""
    hits = [(PARIS, scored(1, 3.0)), (ROME, scored(2, 1.0, [7.0]))]

    [(chunk, hit)] = fold(hits, QUERY, 5)

    assert (chunk, hit.chunk, hit.score, hit.parts) == (ROME, 2, 3.0, [7.0])
