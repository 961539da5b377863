import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.fences import fences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```\n- a\n```\n- b", {0: 3}),
        ("~~~ python\n```\n~~~", {0: 3}),
        ("````\n```\n````", {0: 3}),
        ("```\n~~~\n```\n```\nx\n```", {0: 3, 3: 6}),
        ("  ```\n  - a\n  ```  \n", {0: 3}),
        ("```\n- a\n", {}),
        ("```\n- a\n``` python\n- b", {}),
        ("```code``` in a line\n- a\n```\n", {}),
        ("~~~\n```\n- a\n```", {1: 4}),
    ],
)
def test_a_fence_ends_with_its_own_mark(text, found):
    """A fence without one is none, so that a stray mark hides nothing."""
    assert fences(text.split("\n")) == found


@given(st.text(st.sampled_from("`~a \n"), max_size=60))
def test_fences_never_overlap(text):
    """Each line is in one fence at most, and each fence in the text."""
    lines = text.split("\n")

    found = sorted(fences(lines).items())

    borders = [border for span in found for border in span]
    assert borders == sorted(borders)
    assert all(first + 1 < end <= len(lines) for first, end in found)


def test_a_long_run_of_marks_costs_one_look():
    """A file of nothing but marks is read in time, or the suite's limit ends this."""
    run = "`" * 1_000_000

    assert fences([run + " `"] + [run + "x"] * 3 + ["```x", "```"] * 50_000)
