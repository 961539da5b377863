"""What stays word for word, and what no longer does."""

from apx.domain.condensation import Condensation
from apx.domain.digest import digest
from apx.domain.kept import pushed_out
from apx.domain.standing import Standing, Statement
from apx.domain.summary import Section
from tests.domain.talk import AT, turn

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
