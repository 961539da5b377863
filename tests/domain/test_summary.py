"""How the sections of a summary are written and read again."""
# ruff: noqa: RUF001 -- models write wide punctuation, too

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.summary import Section, names_section, sections_of, written

USER, PENDING = Section.USER_CONTEXT, Section.PENDING
TESTS = Section.TESTS


@pytest.mark.parametrize(
    "label",
    [
        "USER_CONTEXT:",
        "USER_CONTEXT",
        "## USER_CONTEXT",
        "### User context",
        "## **User Context:**",
        "**User context:**",
        "**USER_CONTEXT**:",
        "__User_Context__:",
        "[USER_CONTEXT]",
        "[user-context]:",
        "【USER_CONTEXT】",
        "1. USER CONTEXT -",
        "1) **User context**",
        "## 1. User Context",
        "<USER_CONTEXT>",
        "<user_context>",
        "USER-CONTEXT：",
        "USER\\_CONTEXT:",
        "  USER_CONTEXT :",
        "User context:",
        "user_context:",
        "USERCONTEXT:",
    ],
)
def test_a_label_is_read_however_it_is_marked(label):
    """Small models keep the words of a label, not its dress."""
    text = f"{label}\nAna plans a trip.\n\nPENDING:\n- book"

    assert sections_of(text) == {USER: "Ana plans a trip.", PENDING: "- book"}


@pytest.mark.parametrize(
    "line",
    [
        "Tests pass on the branch",
        "TESTS pass",
        "Pending: the visa",
        "pending: the visa",
        "- Pending: the visa",
        "* **Pending:** the visa",
        "  - PENDING: the visa",
        "1. Pending: the visa",
        "[PENDING] call the embassy",
        "The PENDING: part",
        "Changes were made",
        "    PENDING:",
        "Pending",
        "PENDING_ITEMS:",
        "**Pending items**",
        "NOTES:",
        "## Open questions",
        "Testsuite: green",
        "<b>PENDING</b> x",
        "USER_CONTEXT_OLD:",
    ],
)
def test_prose_that_begins_like_a_label_is_text(line):
    """A section would otherwise end in the middle of its list."""
    assert sections_of(f"USER_CONTEXT:\nAna\n{line}\nend") == {
        USER: f"Ana\n{line}\nend".strip()
    }


@pytest.mark.parametrize(
    "line",
    [
        "PENDING: call Ana",
        "**Pending:** call Ana",
        "**Pending**: call Ana",
        "## Pending: call Ana",
        "PENDING - call Ana",
        "4. PENDING - call Ana",
        "[PENDING]: call Ana",
        "<PENDING>call Ana</PENDING>",
    ],
)
def test_text_may_stand_on_the_line_of_its_label(line):
    """Short sections are written on one line."""
    assert sections_of(f"USER_CONTEXT: Ana\n{line}") == {
        USER: "Ana",
        PENDING: "call Ana",
    }


def test_closing_tags_are_no_text():
    """XML is how some models like it."""
    text = "<USER_CONTEXT>\nAna\n</USER_CONTEXT>\n<PENDING>\n- x\n</PENDING>\n"

    assert sections_of(text) == {USER: "Ana", PENDING: "- x"}


@pytest.mark.parametrize("opening", ["```", "```markdown", "~~~", "Here it is:\n\n```"])
def test_a_fence_around_everything_is_taken_off(opening):
    """The answer is often wrapped, and a closing fence is no part of it."""
    closing = "~~~" if "~" in opening else "```"
    body = "USER_CONTEXT:\nAna\nPENDING:\n- x"

    for text in (f"{opening}\n{body}\n{closing}", f"{opening}\n{body}\n{closing}\nOK?"):
        assert sections_of(text) == {USER: "Ana", PENDING: "- x"}


def test_a_wrapping_fence_that_was_never_closed_is_taken_off():
    """The model stopped early; what it wrote is still read."""
    assert sections_of("```\nUSER_CONTEXT:\nAna\nPENDING:\n- x") == {
        USER: "Ana",
        PENDING: "- x",
    }


def test_nothing_inside_code_is_a_label():
    """A summary of code shows code."""
    code = "```yaml\nTESTS:\n  - unit\n</PENDING>\n```"
    text = f"CODE_STATE:\n{code}\nDEPS:\nnone"

    found = sections_of(text)

    assert found == {Section.CODE_STATE: code, Section.DEPS: "none"}
    assert sections_of(f"```\n{text}\n```") == found


def test_what_stands_before_the_first_label_is_dropped():
    """Sure, here is your summary."""
    assert sections_of("Sure! Here is it.\n\nPENDING:\n- x") == {PENDING: "- x"}
    assert sections_of("Only prose, nothing else.") == {}
    assert sections_of("") == {}


def test_the_same_label_twice_is_joined():
    """A merge of two chunks has each label twice."""
    text = "PENDING:\n- x\nTESTS:\ngreen\nPENDING:\n- y"

    assert sections_of(text) == {PENDING: "- x\n- y", TESTS: "green"}


def test_empty_sections_are_left_out_and_the_order_is_ours():
    """What the prompt shows does not depend on the mood of a model."""
    text = "TESTS:\ngreen\nCHANGES:\n\nPENDING:\n- x\nUSER_CONTEXT:\nAna"

    assert list(sections_of(text)) == [USER, PENDING, TESTS]
    assert written({TESTS: "green", USER: " Ana \n", PENDING: " "}) == (
        "USER_CONTEXT:\nAna\n\nTESTS:\ngreen"
    )


def test_twenty_sections_keep_the_text_of_the_unknown_ones():
    """Nothing that a model wrote is lost for its label."""
    text = "USER_CONTEXT:\nAna\n" + "".join(
        f"EXTRA_{n}:\nfact {n}\n" for n in range(20)
    )

    found = sections_of(text + "PENDING:\n- x")

    assert set(found) == {USER, PENDING}
    assert all(f"fact {n}" in found[USER] for n in range(20))


def _is_clean(body: str) -> bool:
    return (
        body == body.strip()
        and body != ""
        and not any(map(names_section, body.split("\n")))
        and "```" not in body
        and "~~~" not in body
        and "\r" not in body
        and "</" not in body
    )


bodies = st.text(max_size=60).map(str.strip).filter(_is_clean)


@given(st.dictionaries(st.sampled_from(Section), bodies))
def test_what_was_written_is_read_again(sections):
    """A record keeps sections, a prompt their text."""
    ordered = {section: sections[section] for section in Section if section in sections}

    assert sections_of(written(sections)) == ordered


pieces = st.sampled_from(
    [
        *Section,
        *(s.title().replace("_", " ") for s in Section),
        "```",
        "~~~",
        "<",
        ">",
        "</",
        "**",
        "#",
        ":",
        "\n",
        "\n",
        " ",
        "-",
        "1. ",
        "x",
        "USER",
        "ſ",
        "İ",
        "\\_",
    ]
)


@given(st.lists(pieces, max_size=40).map("".join) | st.text())
def test_reading_never_fails_and_settles(text):
    """Whatever a model writes is read, and read the same when written again."""
    once = sections_of(text)

    assert all(body == body.strip() and body for body in once.values())
    assert list(once) == [section for section in Section if section in once]


@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "```x`",
        "#",
        "*",
        "USER_CONTEXT",
        "<",
        "```\n",
        "[",
        "1. ",
        "USER_",
        "</ ",
        " ",
    ],
)
def test_hostile_summaries_are_read_in_linear_time(unit):
    """A hundred kilobytes of one sign are a line like any other."""
    text = unit * (100_000 // len(unit))

    start = time.process_time()
    sections_of(text)

    assert time.process_time() - start < 2
