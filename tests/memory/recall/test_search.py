"""From a question to the best chunks: what speaks for a chunk, and in which order."""

from dataclasses import replace

import numpy as np
import pytest

from apx.domain.chunk import Stored
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.memory.recall.asking import question
from apx.memory.recall.keys import Keys
from apx.memory.recall.ranker import LEXICAL, NEURAL, Ranker, reasons
from apx.memory.recall.search import Asked, search
from apx.memory.recall.shelf import Shelf
from tests.memory.rooms import NOW, said

DAY = 24 * 60
# What a store holds besides, so that words are as rare as they are in one.
NOISE = [
    said(f"the {a} {b} was {c} that day", n * DAY, thread=f"terminal:noise{n}")
    for n, (a, b, c) in enumerate(
        (a, b, c)
        for a in ("red", "old", "new", "tall")
        for b in ("bridge", "engine", "garden", "letter", "market")
        for c in ("quiet", "closed", "busy")
    )
]


def found(*chunks, asks, **changes):
    """Search some chunks among others; gives hits as texts with what they are."""
    keys, shelf = Keys(), Shelf()
    every = [*NOISE, *chunks]
    shelf.take([Stored(n, one) for n, one in enumerate(every, 1)], keys)
    asking = question(asks, NOW, keys)
    assert asking is not None
    hits = search([shelf], replace(asking.asked, **changes)).hits
    return [(every[hit.chunk - 1].text, hit) for hit in hits]


def texts(*chunks, asks, **changes):
    return [text for text, _ in found(*chunks, asks=asks, **changes)]


def reply(text, minute, **changes):
    return said(text, minute, role=Role.ASSISTANT, **changes)


def test_an_answer_is_found_by_its_question():
    """It shares no word with what is asked; what was said before it does."""
    asked = said("when does the ferry to Bastia leave?", 1)
    answer = said("at a quarter past seven, from pier two", 2)
    other = said("soup and bread for all of us, I think", 3)

    hits = texts(asked, answer, other, asks="ferry to Bastia")

    assert set(hits[:2]) == {asked.text, answer.text}
    assert hits.index(answer.text) < hits.index(other.text)


def test_neighbours_make_the_difference_between_equals():
    """The same words, once in a talk about the matter, once alone."""
    hits = texts(
        said("we talked about the harbour festival and its fireworks", 1),
        said("Tom brings the boat", 2),
        said("the festival begins at the harbour", 3),
        said("Tom sold the boat", 9 * DAY, thread="terminal:other"),
        asks="festival harbour boat",
    )
    assert hits.index("Tom brings the boat") < hits.index("Tom sold the boat")


def test_another_thread_is_no_neighbour():
    """Threads cross in time; what stands beside in one says nothing of another."""
    here = said("yes, in the afternoon", 2, thread="terminal:other")
    there = said("is the harbour festival on Sunday?", 1)

    assert here.text not in texts(there, here, asks="harbour festival")


def test_who_said_it_counts_when_it_is_asked():
    """The name stands beside the text, not in it."""
    chunks = [
        said("I sold the boat", 1, speaker="Ben", thread="terminal:b"),
        said("I sold the boat then", 2, speaker="Ana", thread="terminal:a"),
        said("I sold the boat now", 3, speaker="Cem", thread="terminal:c"),
    ]
    assert texts(*chunks, asks="did Ana sell the boat?")[0] == chunks[1].text
    assert texts(*chunks, asks="did Ben sell the boat?")[0] == chunks[0].text


def test_who_is_asked_about_said_it_rather_than_is_named_in_it():
    """Both hold the name; one of them is hers."""
    hers = said("we sold the boat", 1, speaker="Ana", thread="terminal:a")
    about_her = said("Ana and the boat", 2, speaker="Ben", thread="terminal:b")

    hits = texts(hers, about_her, asks="what did Ana say about the boat?")

    assert hits[:2] == [hers.text, about_her.text]


@pytest.mark.parametrize(
    "asks",
    [
        "what did I say about the boat on 8 May?",
        "the boat, May 8th 2026",
        "boat 2026-05-08",
        "¿qué dije del barco boat el 8 de mayo?",
    ],
)
def test_the_day_that_is_asked_for_counts(asks):
    """BEGAN is 1 May: a week later."""
    chunks = [
        said(f"boat in state {state}", n * DAY, thread=f"terminal:d{n}")
        for n, state in enumerate("abcdefghijklmnopqrst")
    ]
    assert texts(*chunks, asks=asks)[0] == "boat in state h"


def test_a_day_alone_finds_what_was_said_then():
    """No word of the question is in it."""
    chunk = said("I bought oat milk", 31 * DAY)

    assert texts(chunk, asks="what happened on 1 June 2026?")[0] == chunk.text


def test_people_and_notes_stand_above_what_we_said_ourselves():
    """Of equal words the person's are the fact."""
    text = "the boat is moored in Kiel"
    person = said(f"{text} one", 1, thread="terminal:a")
    ours = reply(f"{text} two", 2, thread="terminal:b")
    note = said(f"{text} three", 3, kind=Kind.NOTE)
    tool = said(f"{text} four", 4, kind=Kind.TOOL, role=Role.TOOL, thread="terminal:d")

    hits = texts(ours, person, tool, note, asks="where is the boat moored in Kiel?")

    assert hits[:2] == [note.text, person.text]
    assert set(hits[2:4]) == {ours.text, tool.text}


def test_of_equals_the_newer_comes_first():
    """And texts that are the same come once, the newest."""
    chunks = [
        said(f"the boat is in Kiel{mark}", n, thread=f"terminal:{n}")
        for n, mark in enumerate(("", "", " now", "!"))
    ]
    hits = found(*chunks, asks="boat Kiel")

    numbers = [hit.chunk - len(NOISE) for text, hit in hits if "boat" in text]
    assert numbers == [4, 2, 3]


def test_known_turns_are_left_out():
    """They are in the prompt."""
    chunks = [said(f"the boat {n}", n, thread=f"terminal:{n}") for n in range(5)]
    known = frozenset({1, 3})  # turns are minutes plus one

    hits = texts(*chunks, asks="boat", known=known)

    assert {text for text in hits if "boat" in text} == {
        "the boat 1",
        "the boat 3",
        "the boat 4",
    }


def test_why_adds_up_to_the_score():
    """Each hit says what speaks for it; nothing is left out."""
    hits = found(
        said("when does the ferry leave?", 1),
        said("at seven the ferry leaves", 2, speaker="Ana"),
        said("the ferry is white", 3, kind=Kind.NOTE),
        reply("ferries are late", 4),
        asks="Ana, when does the ferry leave on 1 May?",
    )
    for _, hit in hits:
        parts = [float(part.rsplit(" ", 1)[1]) for part in hit.why.split(", ")]
        assert sum(parts) == pytest.approx(hit.score, abs=0.06 * len(parts) + 0.05)


@pytest.mark.parametrize("ranker", [LEXICAL, NEURAL])
def test_every_weight_has_a_reason(ranker):
    """A feature without a word for it would make `why` lie."""
    for name, weight in ranker.weights.items():
        names = {*LEXICAL.weights, *NEURAL.weights}
        table = {each: np.zeros(2, np.float32) for each in names}
        table[name] = np.array([0, 1], np.float32)
        nothing, why = map(reasons, ranker.parts(table, np.array([0, 1])))
        assert nothing == ""
        assert float(why.rsplit(" ", 1)[1]) == pytest.approx(weight, abs=0.06)


def test_a_score_is_the_weighted_sum():
    """The one documented formula."""
    ranker = Ranker({"single": 2.0, "note": -1.0})
    table = {
        "single": np.array([1, 2], np.float32),
        "note": np.array([1, 0], np.float32),
        "w2": np.array([9, 9], np.float32),
    }
    assert ranker.scores(table).tolist() == [1.0, 4.0]


def test_nothing_there_is_nothing_found():
    """No shelf, an empty one, words that nobody said."""
    keys = Keys()
    asked = Asked([keys.of("zebra")], [], [])

    assert search([], asked).hits == []
    assert search([Shelf()], asked).hits == []
    assert texts(asks="zebra") == []


def test_shelves_are_ranked_together():
    """What several audiences may see is one list."""
    keys, one, two = Keys(), Shelf(), Shelf()
    one.take([Stored(1, said("the boat is red"))], keys)
    two.take([Stored(2, said("the boat is in Kiel harbour"))], keys)
    asking = question("boat in Kiel", NOW, keys)
    assert asking is not None

    hits = search([one, two], asking.asked).hits

    assert [hit.chunk for hit in hits] == [2, 1]
    assert search([two, one], asking.asked).hits == hits


def test_a_text_repeated_a_thousand_times_is_found_once():
    """And others beside it."""
    many = [said("ok, the boat then", n, thread=f"terminal:{n}") for n in range(3_000)]
    other = said("the boat is moored at pier nine", 9_000, thread="terminal:x")

    hits = texts(*many, other, asks="boat")

    assert set(hits) == {"ok, the boat then", other.text}
    assert len(hits) == 2
