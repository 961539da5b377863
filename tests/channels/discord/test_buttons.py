"""Buttons as Discord takes them: nothing refused, questions together, answered gone."""

from hypothesis import given
from hypothesis import strategies as st

from apx.domain.heard import Button
from channels.discord.buttons import rows, without

REVIEW = [Button(f"{word} {n}", f"{word}:{n}") for n in range(10) for word in "ad"]


def widths(laid):
    return [len(row["components"]) for row in laid]


def data(laid):
    return [button["custom_id"] for row in laid for button in row["components"]]


def test_a_question_has_a_row():
    """Yes and No stand side by side."""
    assert rows([Button("Yes", "yes:5"), Button("No", "no:5")]) == (
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 2, "label": "Yes", "custom_id": "yes:5"},
                {"type": 2, "style": 2, "label": "No", "custom_id": "no:5"},
            ],
        },
    )
    assert rows([]) == ()


def test_questions_are_not_torn_apart():
    """Ten pairs fit, two in a row; a few stand below each other."""
    assert widths(rows(REVIEW)) == [4] * 5
    assert data(rows(REVIEW)) == [button.data for button in REVIEW]
    assert widths(rows(REVIEW[:6])) == [2, 2, 2]


def test_what_is_too_much_is_left_out():
    """Five rows of five are all that a message may have."""
    many = [Button(f"m{n}", f"model:{n}") for n in range(30)]

    assert data(rows(many)) == [button.data for button in many[:25]]


def test_what_was_answered_goes_and_the_rest_stays():
    """The other answer to the same question goes along; the neighbours do not."""
    left = without(rows(REVIEW), "d:3")

    assert data(left) == [one.data for one in REVIEW if not one.data.endswith(":3")]
    assert widths(left) == [4, 2, 4, 4, 4]
    assert without(rows(REVIEW[:2]), "a:0") == ()
    assert without(rows([Button("Help", "help")]), "help") == ()


def test_a_message_may_hold_anything():
    """What Discord tells of a message is not ours to trust."""
    assert without(None, "yes:1") == ()
    assert without([None, {"components": 5}, {"components": ["x", None]}], "x") == ()


WORDS = st.text(max_size=120)


@given(st.lists(st.builds(Button, WORDS, WORDS), max_size=40))
def test_discord_takes_whatever_is_laid_out(buttons):
    """One button that is refused would take the whole message with it."""
    laid = rows(buttons)
    shown = [button for row in laid for button in row["components"]]

    assert len(laid) <= 5
    assert all(1 <= width <= 5 for width in widths(laid))
    assert all(1 <= len(button["label"]) <= 80 for button in shown)
    assert all(1 <= len(name) <= 100 for name in data(laid))
    assert len(set(data(laid))) == len(shown)
    if data(laid):
        gone = data(laid)[0]
        assert gone not in data(without(laid, gone))
