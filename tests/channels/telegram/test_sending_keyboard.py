"""Buttons fit Telegram and a phone, or are left out."""

from apx.domain.heard import Button
from channels.telegram.keyboard import keyboard, without


def rows(markup):
    return [[button.text for button in row] for row in markup.inline_keyboard]


def test_few_short_buttons_are_side_by_side():
    markup = keyboard([Button("Yes", "yes:1"), Button("No", "no:1")])
    assert rows(markup) == [["Yes", "No"]]


def test_long_ones_have_rows_of_their_own():
    markup = keyboard([Button("ollama:gemma3:12b-it", "a"), Button("openai:gpt", "b")])
    assert rows(markup) == [["ollama:gemma3:12b-it"], ["openai:gpt"]]


def test_no_row_is_wide_and_no_keyboard_endless():
    markup = keyboard([Button(str(n), f"n:{n}") for n in range(140)])
    assert sum(map(len, rows(markup))) == 100
    assert max(map(len, rows(markup))) <= 8


def test_data_that_does_not_fit_is_no_button():
    """64 bytes, not letters."""
    fits, does_not = "é" * 32, "é" * 32 + "x"
    markup = keyboard([Button("a", fits), Button("b", does_not), Button("c", "")])
    assert rows(markup) == [["a"]]
    assert keyboard([Button("b", does_not)]) is None


def test_labels_are_cut_and_never_empty():
    markup = keyboard([Button("x\ny" * 60, "a"), Button(" ", "b")])
    assert markup is not None
    first, second = markup.inline_keyboard[0][0].text, markup.inline_keyboard[1][0].text
    assert len(first) == 48
    assert "\n" not in first
    assert first.endswith("…")
    assert second == "b"


def test_a_button_is_taken_away():
    """Of a message as it came; the last one takes the keyboard along."""
    one, two = ({"text": t, "callback_data": t} for t in ("a", "b"))
    markup = {"inline_keyboard": [[one, two], [{"text": "c", "url": "https://c.d"}]]}
    assert rows(without(markup, "a")) == [["b"], ["c"]]
    assert without({"inline_keyboard": [[one]]}, "a") is None
    assert without({}, "a") is None
