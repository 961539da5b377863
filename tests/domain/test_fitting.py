"""A thread in the room that a prompt has for it."""

from dataclasses import replace
from datetime import UTC

from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.budget import cost
from apx.domain.digest import digest
from apx.domain.fitting import fit, messages
from apx.domain.message import Role
from tests.domain.talk import GOAL, looked, talk, turn, view


def test_what_fits_is_shown_as_it_is():
    """Nothing is condensed that need not be."""
    seen = view(30)

    assert fit(seen, 10_000) is seen
    assert len(messages(seen, 10_000, UTC)) == 60


def test_what_does_not_fit_is_in_a_condensation_before_the_rest():
    """The goal among it, word for word; the newest turns stay whole."""
    seen = view(200, n1=GOAL)
    shown = messages(fit(seen, 1_500), 1_500, UTC)

    assert shown[0].role is Role.SYSTEM
    assert shown[0].text.startswith("[RESUMEN COMPACTADO turnos 1-")
    assert GOAL.split(". ")[1] in shown[0].text
    assert shown[-2].text == "what about box 200?"


def test_a_turn_whose_tools_gave_too_much_stays_without_them():
    """What was said in it matters more."""
    steps = [looked("r " * 3_000) for _ in range(5)]
    seen = replace(view(1), past=(*talk(3), turn(4, "look!", steps=steps)))
    shown = messages(fit(seen, 2_000), 2_000, UTC)

    assert [m.text for m in shown[-2:]] == ["look!", "fine"]
    assert not any(m.calls for m in shown)


words = st.text("abc dé中", max_size=600)
steps = st.lists(st.builds(looked, words), max_size=3)
turns = st.lists(st.tuples(words, words, steps), max_size=25)


@settings(max_examples=150, deadline=None)
@given(turns, st.integers(0, 60), st.integers(250, 6_000))
def test_no_thread_takes_more_than_its_room(said, condensed, room):
    """And what is shown goes on where the condensation ends."""
    past = tuple(
        turn(condensed + n, request or "x", final, steps=done)
        for n, (request, final, done) in enumerate(said, start=1)
    )
    base = digest(None, talk(condensed, n1=GOAL)) if condensed else None
    seen = fit(replace(view(1), past=past, condensation=base), room)

    assert cost(messages(seen, room, UTC)) <= room
    last = seen.condensation.last if seen.condensation else 0
    assert [p.turn.ordinal for p in seen.past] == list(
        range(last + 1, condensed + len(past) + 1)
    )


def test_a_long_answer_that_fits_is_shown_whole():
    """`change step 2` needs all the steps that the assistant gave before."""
    plan = "\n".join(f"{n}. do step {n} with care and patience" for n in range(1, 80))
    seen = replace(view(1), past=(*talk(3), turn(4, "make a plan", plan)))

    shown = messages(fit(seen, 4_500), 4_500, UTC)

    assert len(plan) > 2_500
    assert shown[-1].text == plan
