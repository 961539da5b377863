"""What a person sees in a terminal, and what a program reads from a pipe."""

import io
import os

import pytest
from rich.console import Console

from channels.terminal.lines import Lines, Piped
from channels.terminal.screen import Screen
from channels.terminal.signs import Arrived, Noticed, Shown


def shown(*signs):
    """Give the words that stay on a screen, without its colours and movements."""
    return " ".join(" ".join(lines_of(*signs)).split())


def lines_of(*signs):
    out = io.StringIO()
    screen = Screen(Console(file=out, width=60))
    for sign in signs:
        screen(sign)
    screen.settle()
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip()]


def arrived(text, is_repeat=False):
    return Arrived(1001, 1, text, is_repeat)


def test_what_was_streamed_stays_once():
    """The part that arrives is the same text as a whole."""
    assert shown(Shown(1, "hel"), Shown(1, "lo"), arrived("hello")) == "hello"


def test_a_remark_behind_the_stream_is_shown():
    """We may have added one to what the model said."""
    words = shown(Shown(1, "hello"), arrived("hello\n\n(A remark.)"))
    assert words == "hello (A remark.)"


def test_another_text_than_the_streamed_one_is_shown_whole():
    """The beginning of an answer, then the failure that ended it."""
    words = shown(Shown(1, "half an ans"), arrived("it failed"))
    assert words == "half an ans it failed"


def test_a_repeat_is_marked():
    """The person may have read it before."""
    assert shown(arrived("hello", is_repeat=True)) == "(may be a repeat) hello"


def test_two_answers_do_not_run_together():
    """The second begins anew, whatever came of the first."""
    words = shown(Shown(1, "one"), arrived("one"), Shown(2, "two"), arrived("two"))
    assert words == "one two"


def test_lines_stay_lines_and_code_stays_code():
    """Markdown would join the first two, and must not touch what is fenced."""
    lines = lines_of(arrived("a\nb\n\n```\nx  = 1\ny\n```"))
    assert lines[:2] == ["a", "b"]
    assert [line.strip() for line in lines[2:]] == ["x  = 1", "y"]


def test_a_pipe_gets_the_answer_alone():
    """No pieces, no notices: each part once. What goes on is in nobody's way."""
    out, err = io.StringIO(), io.StringIO()
    lines = Lines(out, err)
    for sign in (Shown(1, "he"), Noticed(1, "remember"), arrived("hello")):
        lines(sign)
    lines(arrived("again", is_repeat=True))
    lines.end(1, "completed")
    lines.say("a command's answer")

    expected = "hello\n(may be a repeat) again\na command's answer\n"
    assert out.getvalue() == expected
    assert "hello" not in err.getvalue()


@pytest.mark.parametrize(("turn", "state"), [(1, "failed"), (2, "completed")])
def test_what_is_no_answer_to_this_goes_to_stderr(turn, state):
    """An error, or the late answer to something else: a script must not take it."""
    out, err = io.StringIO(), io.StringIO()
    lines = Lines(out, err, aside=err)
    lines(arrived("hello"))
    lines.end(turn, state)

    assert out.getvalue() == ""
    assert "hello" in err.getvalue()


async def test_blank_lines_are_no_messages():
    """The others come one by one, also what ends without a line's end."""
    out, into = os.pipe()
    os.write(into, b"a\n\n  \r\nb \xff\nlast")
    os.close(into)

    assert [line async for line in Piped(out)] == ["a", "b \ufffd", "last"]
    os.close(out)


async def test_a_pipe_that_nobody_writes_into_can_be_left():
    """Ctrl-C ends the reading, although the read itself goes on."""
    out, into = os.pipe()
    piped = Piped(out)
    piped.end()

    assert [line async for line in piped] == []
    os.close(into)
    os.close(out)
