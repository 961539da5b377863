"""What is seen of an answer while it grows, and what stays of it."""

import io
import stat
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.utils import get_cwidth
from rich.console import Console

from channels.terminal.prompt import Prompt, broken, reflows
from channels.terminal.screen import Screen, tail
from channels.terminal.signs import Arrived, Noticed, Shown, Working


class Seen:
    """A screen without a prompt, and what it printed."""

    def __init__(self):
        self.out = io.StringIO()
        self.screen = Screen(Console(file=self.out, width=60))

    def __call__(self, *signs):
        for sign in signs:
            self.screen(sign)
        return self

    @property
    def stays(self):
        return [line.strip() for line in self.out.getvalue().splitlines() if line]

    @property
    def live(self):
        return self.screen.live(60, 10)


def test_what_grows_is_live_until_it_arrives():
    """Then it is printed once."""
    seen = Seen()(Shown(1, "hel"), Shown(1, "lo"))
    assert (seen.live, seen.stays) == (["hello"], [])

    seen(Arrived(1001, 1, "hello\n\n(A remark.)"))

    assert (seen.live, seen.stays) == ([], ["hello", "(A remark.)"])


def test_the_beginning_of_a_failed_answer_stays():
    """It was read already."""
    seen = Seen()(Shown(1, "half an ans"), Arrived(1001, 1, "⚠ it failed"))
    assert seen.stays == ["half an ans", "⚠ it failed"]


def test_what_was_said_before_a_tool_stays():
    """The answer does not repeat it; which tool works is seen until it answers."""
    seen = Seen()(Shown(1, "let me see"), Working(1, ("recall_search", "remember")))
    assert (seen.live, seen.stays) == (["· recall_search, remember"], ["let me see"])

    seen(Shown(1, "five"))
    assert seen.live == ["five"]

    seen(Arrived(1001, 1, "five"))
    assert seen.stays == ["let me see", "five"]


def test_a_notice_goes_when_the_answer_comes():
    """That a model is being loaded is soon no news."""
    seen = Seen()(Noticed(1, "loading"))
    assert seen.live == ["· loading"]
    assert seen(Shown(1, "a")).live == ["a"]


def test_a_stopped_answer_stays_as_far_as_it_came():
    """Nothing arrives after it."""
    seen = Seen()(Shown(1, "one, two"))
    seen.screen.settle()
    assert (seen.live, seen.stays) == ([], ["one, two"])


def test_two_answers_do_not_run_together():
    """The second begins anew, whatever came of the first."""
    seen = Seen()(Shown(1, "one"), Shown(2, "two"))
    assert (seen.live, seen.stays) == (["two"], ["one"])


def test_what_waits_is_listed():
    """A few of them; and never more lines than there is room."""
    seen = Seen()(Shown(1, "a\nb\nc\nd\ne\nf\ng\nh"))
    seen.screen.waits(["one\ntwo", "three", "four", "five", "six"])
    waits = ["(waits) one two", "(waits) three", "(waits) four", "(waits) and 2 more"]
    assert seen.screen.live(60, 6) == ["g", "h", *waits]
    assert seen.screen.live(60, 2) == waits[-2:]


def test_repeats_and_late_answers_say_so():
    """Above the answer, so that its Markdown is left alone."""
    late = Arrived(1, 1, "# five", is_repeat=True, request="two and three?")
    assert Seen()(late).stays == ["(may be a repeat)", "five"]
    seen = Seen()(replace(late, is_late=True))
    assert seen.stays == ["(answer to “two and three?”) (may be a repeat)", "five"]


def test_what_is_plain_is_left_alone():
    """Our own words quote people."""
    assert Seen()(Arrived(1, 1, "*a* __b__", is_plain=True)).stays == ["*a* __b__"]


def test_the_end_of_a_text_is_wrapped_at_its_words():
    """A word that is longer than a line is cut."""
    assert tail("one two three\nfour", 8, 9) == ["one two ", "three", "four"]
    assert tail("one two three\nfour", 8, 2) == ["three", "four"]
    assert tail("abcdefghij", 4, 9) == ["abcd", "efgh", "ij"]
    assert tail("日本語日本語", 5, 9) == ["日本", "語日", "本語"]
    assert tail("\n\n", 8, 3) == tail("", 8, 3) == tail("a", 0, 3) == []


@given(
    st.text(alphabet="ab \t\n日👨\u200d👩é\u0301שלם\x1b", max_size=200),
    st.integers(min_value=2, max_value=30),
    st.integers(min_value=0, max_value=12),
)
def test_no_line_is_wider_than_the_screen(text, width, height):
    """Whatever it is written in; nor are there more lines than wanted."""
    lines = tail(text, width, height)
    assert len(lines) <= height
    assert all(get_cwidth(line) <= width for line in lines)
    assert not any(set("\x1b\t\n\u200d") & set(line) for line in lines)


def test_a_long_answer_costs_as_little_as_a_short_one():
    """Only its end is looked at."""
    assert tail("x" * 5_000_000 + "\nend", 80, 1) == ["end"]


def test_rows_of_broken_lines_are_counted():
    """A line that just fits is not broken."""
    assert broken([0, 1, 40, 41, 80, 81], 40) == 0 + 0 + 0 + 1 + 1 + 2


@pytest.mark.parametrize(
    ("environ", "does"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "screen", "TMUX": "/tmp/x"}, True),  # noqa: S108 -- as tmux names it
        ({"TERM": "screen", "STY": "1.x"}, False),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(390)"}, False),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(390)", "TMUX": "x"}, True),
        ({"TERM": "linux"}, False),
    ],
)
def test_terminals_that_break_lines_anew(environ, does):
    """In the others one must not erase more than was drawn."""
    assert reflows(environ) is does


def test_a_history_that_others_could_read(tmp_path):
    """An older program may have left it so."""
    history = tmp_path / "history"
    history.touch(0o644)
    with create_app_session(DummyInput(), DummyOutput()):
        Prompt(history)
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
