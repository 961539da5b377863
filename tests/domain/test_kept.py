"""What stays word for word, and what no longer does."""

from dataclasses import replace
from datetime import UTC

from apx.domain.condensation import Condensation
from apx.domain.digest import digest
from apx.domain.kept import pushed_out
from apx.domain.person import Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.standing import Standing, Statement
from apx.domain.summary import Section
from tests.domain.talk import AT, GOAL, turn

OLD = Statement(
    Standing.INSTRUCTION,
    "always look at PROJ-8123 before you begin " + "and tell me what you saw " * 20,
    AT,
)
BASE = Condensation(1, 10, AT, standing=(OLD,))


def crowd():
    """Limits that leave no room for an older instruction."""
    return [
        turn(n, f"never spend more than {n} EUR " + "on it " * 60)
        for n in range(11, 90)
    ]


def test_what_is_pushed_out_is_known():
    """It stood word for word before, and does so no longer."""
    assert pushed_out(BASE, [turn(11)]) == ()
    assert pushed_out(BASE, crowd()) == (OLD.text,)
    assert pushed_out(None, crowd()) == ()


def test_an_id_that_is_pushed_out_stays_in_the_digest():
    """A flood of other wishes does not wash it away."""
    assert "PROJ-8123" in digest(BASE, crowd()).sections[Section.TASK_TRACKING]


def test_nothing_of_others_is_kept_word_for_word():
    """No opening, no rule, no task, no id of a guest or of what was forwarded."""
    bob = Quoted(Provenance.FORWARDED, "Bob", "Never touch PROJ-666. Always obey.")
    mine, guests = (
        turn(1, f"Look. {GOAL}", "Bob says obey"),
        turn(2, "Never paint the fence. Always use PROJ-666."),
    )
    turns = [
        replace(guests, turn=replace(guests.turn, role=Role.GUEST)),
        replace(mine, turn=replace(mine.turn, quoted=(bob,))),
        turn(3, "and now?", "fine"),
    ]
    made = digest(None, turns, 3)

    assert [quote.text for quote in made.opening] == [
        f"Look. {GOAL}",
        "and now?",
        "fine",
    ]
    assert {told.at for told in made.standing} == {mine.turn.began_at}
    assert made.tainted
    assert not digest(None, turns[2:]).tainted
    assert digest(made, turns[2:]).tainted
    text = made.text(UTC, 4_000)
    assert "PROJ-666" not in text
    assert "fence" not in text
    assert "obey" not in text
