"""Which hits answer a question."""

from datetime import UTC, datetime

import pytest

from apx.domain.chunk import Chunk, Found
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import content_terms
from apx.memory.ranking import Terms, rank

AT = datetime(2030, 1, 1, tzinfo=UTC)


def found(text, kind=Kind.MESSAGE, role=Role.USER, seq=1):
    chunk = Chunk(seq, kind, role, text, AT, seq, "terminal:a", "terminal", "o", "p")
    return Found(chunk, rank=1.0)


def ranked(query, *hits, counts=None, size=1000, floor=0.15):
    words = content_terms(query)
    terms = Terms.weigh(words, counts or dict.fromkeys(words, 5), size)
    return [memory.text for memory in rank(query, hits, terms, floor)]


def test_more_of_the_question_is_better():
    """The chunk that holds both words comes first."""
    both, one = found("staging server is up"), found("a server is up", seq=2)

    assert ranked("staging server?", one, both) == [both.chunk.text, one.chunk.text]


def test_a_rare_word_weighs_more_than_a_common_one():
    """`zanzibar` says more than `time`."""
    rare, common = found("zanzibar"), found("time", seq=2)
    counts = {"zanzibar": 1, "time": 900}

    hits = ranked("zanzibar time", common, rare, counts=counts, floor=0.3)
    assert hits == ["zanzibar"]


@pytest.mark.parametrize("query", ["ok thanks", "hola gracias", "?", ""])
def test_small_talk_brings_nothing_back(query):
    """It has no words that say anything."""
    assert ranked(query, found("ok thanks a lot")) == []


def test_notes_come_before_messages_and_questions_last():
    """What was kept on purpose first; one question does not answer another."""
    note = found("tom is the cat", kind=Kind.NOTE, seq=3)
    said = found("the cat is tom now", seq=2)
    reply = found("tom, the cat", role=Role.ASSISTANT, seq=5)
    question = found("is tom the cat?", seq=4)

    assert ranked("cat tom", question, reply, said, note) == [
        note.chunk.text,
        said.chunk.text,
        reply.chunk.text,
        question.chunk.text,
    ]


def test_the_question_itself_is_no_answer():
    """Asked a second time, it would find itself first."""
    assert ranked("Where is Tom?", found("where is  tom?")) == []


def test_of_equals_the_newer_comes_first():
    """Recency decides nothing else."""
    old, new = found("the key is red"), found("the key is blue", seq=2)

    assert ranked("which key", old, new) == ["the key is blue", "the key is red"]
