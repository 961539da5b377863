"""A message becomes a question in terms and dates, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.memory.recall.asking import both_ends, question
from apx.memory.recall.keys import Keys
from tests.memory.rooms import NOW


def asked(text):
    return question(text, NOW, Keys())


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "ok", "thanks", "what is it?", "\ud800"]
)
def test_small_talk_asks_nothing(text):
    """No term says anything, so nothing can be found by it."""
    assert asked(text) is None


def test_terms_stand_in_the_order_of_their_numbers():
    """Whoever weighs the numbers must know the words."""
    keys = Keys()
    found = question("备份 backup on 8 May", NOW, keys)
    assert found is not None

    assert [keys.of(word) for word in found.words] == found.asked.keys
    strong = found.words[: len(found.asked.strong)]
    weak = found.words[len(strong) : len(strong) + len(found.asked.weak)]
    dates = found.words[len(strong) + len(weak) :]
    assert not [w for w in strong if w.startswith(("~", "@"))]
    assert all(word.startswith("~") for word in weak)
    assert dates == ["@05-08"]


def test_a_date_alone_is_a_question():
    """It has no other word that says anything."""
    found = asked("and on 2026-05-08?")
    assert found is not None
    assert len(found.asked.dates) == 1


def test_a_question_has_a_bounded_number_of_terms():
    """A pasted book is not looked up word by word."""
    found = asked(" ".join(f"word{n}" for n in range(50_000)))
    assert found is not None
    assert len(found.words) <= 150


@given(st.text(max_size=4_000))
def test_any_text_may_be_asked(text):
    """Nothing that a person can paste is an error."""
    found = asked(text)
    assert found is None or len(set(found.asked.keys)) == len(found.words)


@given(st.text(max_size=9_000))
def test_both_ends_of_a_long_text_stay(text):
    """The question is usually at one of them."""
    cut = both_ends(text)
    assert len(cut) <= 3_001
    assert cut == text or (text.startswith(cut[:1_500]) and text.endswith(cut[-1_500:]))


@given(st.lists(st.text(max_size=20), max_size=50))
def test_keys_are_the_same_in_every_process(texts):
    """They are in files; a number may not depend on what was asked before."""
    one, two = Keys(), Keys()

    assert [one.of(t) for t in texts] == [two.of(t) for t in reversed(texts)][::-1]
    assert one.flat([texts, texts]).tolist() == [one.of(t) for t in texts] * 2
    assert Keys().of("boat") == 5_466_900_226_927_393_365
