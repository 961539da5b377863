"""Turns folded by rule."""

from datetime import UTC

from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.digest import digest
from apx.domain.message import Role
from apx.domain.standing import Standing
from apx.domain.summary import Section
from apx.domain.turn import TurnState
from tests.domain.talk import GOAL, talk, turn


def shown(made, tokens=3_000):
    return made.text(UTC, tokens)


def test_the_beginning_stays_word_for_word():
    """For ever: the tenth digest opens as the first one does."""
    made = digest(None, talk(50, n1=GOAL))
    for start in range(51, 501, 50):
        made = digest(made, [turn(n) for n in range(start, start + 50)])

    assert made.opening[0].role is Role.USER
    assert made.opening[0].text == GOAL
    assert (made.first, made.last) == (1, 500)
    assert "Never touch the live database." in shown(made)


def test_what_the_person_laid_down_later_stays_too():
    """With its day, in the order in which it was said."""
    made = digest(
        None,
        talk(
            90,
            n20="from now on always answer in short lines",
            n40="the upload page is done, now the search page",
        ),
    )
    made = digest(made, [turn(n) for n in range(91, 300)])
    text = shown(made)

    assert "from now on always answer in short lines" in text
    assert "the upload page is done, now the search page" in text
    assert text.index("from now on") < text.index("the upload page is done")
    assert {t.kind for t in made.standing} >= {Standing.INSTRUCTION, Standing.DONE}


def test_ids_and_unanswered_questions_stay():
    """An id is what nobody can guess again."""
    turns = [
        *talk(30, n10="the broken order is PROJ-8123, look at /srv/shop/orders.log"),
        turn(31, "who pays the domain?", "", TurnState.FAILED),
        *(turn(n) for n in range(32, 80)),
    ]
    made = digest(None, turns)

    assert "PROJ-8123" in made.sections[Section.TASK_TRACKING]
    assert "who pays the domain?" in made.sections[Section.PENDING]
    assert "box 79" in made.sections[Section.CURRENT_STATE].splitlines()[1]


def test_the_same_words_stand_once():
    """A wish said ten times does not crowd out nine others."""
    said = {f"n{n}": "never mention my boss" for n in range(2, 60, 2)}
    made = digest(None, talk(60, **said))

    assert shown(made).count("never mention my boss") <= 2


def test_a_digest_depends_on_the_turns_alone():
    """The same prompt again and again: providers reuse what they computed."""
    assert digest(None, talk(40)) == digest(None, talk(40))


def test_stopped_turns_leave_no_trace():
    """They were not wanted."""
    turns = [*talk(10), turn(11, "never eat fish again", state=TurnState.STOPPED)]

    assert "fish" not in shown(digest(None, turns))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(max_size=400), min_size=1, max_size=30), st.integers(400, 4_000)
)
def test_any_talk_can_be_folded_again_and_again(said, tokens):
    """Whatever people write; and its text never grows beyond its room."""
    made = None
    for number, text in enumerate(said, start=1):
        made = digest(made, [turn(number, text or "x", text)])

    assert made is not None
    text = shown(made, tokens)
    assert len(text.encode()) <= tokens * 3
    assert text.endswith("[/RESUMEN COMPACTADO]")
