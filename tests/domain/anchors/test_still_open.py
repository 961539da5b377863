"""Which exact things of a person's messages a summary has to carry."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

import pytest

from apx.domain.anchors.still_open import open_anchors

OPENING = (
    "My goal is to move to a flat in Lisbon by 2027-03-15. "
    "The budget is at most 1800 EUR."
)
SAID = (
    OPENING,
    "Please track MOVE-31 for the movers and MOVE-32 for the internet contract.",
    "The page is https://isp.example.org/exit and the boxes are in ~/move/boxes.csv",
)


def texts(said, kept=""):
    return [anchor.text for anchor in open_anchors(said, kept)]


@pytest.mark.parametrize(
    "later",
    [
        "OPS-12 is done",
        "OPS-12 is done, thanks!",
        "I finished OPS-12 today",
        "forget OPS-12",
        "never mind OPS-12",
        "OPS-12 is no longer needed",
        "OPS-12 is wrong",
        "ops-12 is done, now OPS-13",
        "OPS-12, OPS-11 and OPS-14 are done",
        "Done: OPS-11, OPS-12",
        "not OPS-12 but OPS-13",
        "take OPS-13 instead of OPS-12",
        "OPS-12 ya está hecho",
        "olvida OPS-12",
        "vergiss OPS-12",
        "nicht OPS-12, sondern OPS-13",
        "oublie OPS-12",
        "dimentica OPS-12",
        "esquece OPS-12",
        "забудь про OPS-12",
        "не OPS-12, а OPS-13",
        "OPS-12 已经完成了",
        "不是OPS-12，而是OPS-13",
        "OPS-12ではなくOPS-13",
        "OPS-12は終わりました",
        "OPS-12는 끝났어",
        "OPS-12 말고 OPS-13",
    ],
)
def test_what_a_person_takes_back_is_closed(later):
    """Only what is still open is demanded; what is named beside it stays."""
    found = texts(["please look at OPS-12", later])

    assert "OPS-12" not in found
    assert ("OPS-13" in found) == ("OPS-13" in later)


@pytest.mark.parametrize(
    "later",
    [
        "don't forget OPS-12",
        "is OPS-12 done?",
        "OPS-12 is not done yet",
        "never close OPS-12",
        "OPS-13 is done, OPS-12 is not",
        "do not touch OPS-12 but fix OPS-13",
        "OPS-123 is done",
        "no olvides OPS-12",
        "vergiss nicht OPS-12",
        "n'oublie pas OPS-12",
        "别忘了OPS-12",
        "не забудь про OPS-12",
        "OPS-12 is done. Sorry, OPS-12 is broken again",
    ],
)
def test_what_is_not_taken_back_stays_open(later):
    """A word of closing that closes something else, or nothing."""
    assert "OPS-12" in texts(["please look at OPS-12", later])


def test_a_correction_closes_the_old_amount_and_opens_the_new():
    """The newer wish counts, also where it does not repeat the old one."""
    first = "The budget is 3000 EUR at most"

    assert texts([first]) == ["3000 EUR"]
    assert texts([first, "not 3000 EUR but 2500 EUR"]) == ["2500 EUR"]
    assert texts([first, "Actually the budget is 2500 EUR at most now"]) == ["2500 EUR"]
    assert texts([first, "Actually a night may cost 90 EUR at most"]) == [
        "3000 EUR",
        "90 EUR",
    ]


def test_a_moved_deadline_closes_the_old_day():
    """Both days in a summary would be one too many."""
    said = ["The deadline is 8 May", "The deadline was moved from 8 May to 12 May"]

    assert texts(said) == ["12 May"]


def test_amounts_and_days_count_where_they_set_something():
    """Small talk is full of numbers."""
    assert texts(["I paid 12 EUR for lunch on 3 May and it was fine"]) == []
    assert texts(["It must not cost more than 12 EUR"]) == ["12 EUR"]


def test_names_count_in_goals():
    """Everybody who is ever mentioned would be too much."""
    assert texts(["Yesterday I saw Mia in Porto, it was great"]) == []
    assert texts(["It must not cost Mia more than 12 EUR"]) == ["12 EUR"]
    assert texts(["My goal is to visit Mia in Porto"]) == ["Mia", "Porto"]


def test_what_is_kept_beside_the_summary_is_safe():
    """The opening stands word for word in the prompt."""
    assert texts(SAID, kept=OPENING) == [
        "MOVE-31",
        "MOVE-32",
        "https://isp.example.org/exit",
        "~/move/boxes.csv",
    ]


def test_pasted_logs_demand_nothing():
    """Nobody wants all of a stack trace back."""
    log = "\n".join(f"2027-01-01 ERROR OPS-{n} at /srv/app/{n}.py" for n in range(90))

    assert texts([log, f"look:\n```\n{log[:900]}\n```\nIt is OPS-5"]) == ["OPS-5"]


def test_the_newest_forty_are_demanded():
    """A prompt that lists more helps no model."""
    said = [f"look at OPS-{n}" for n in range(100)]

    assert texts([*said, "and OPS-3 again"]) == [
        *(f"OPS-{n}" for n in range(61, 100)),
        "OPS-3",
    ]
