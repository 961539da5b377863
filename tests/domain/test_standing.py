"""The person's standing words are found whole, and only theirs."""
# ruff: noqa: RUF001 -- marks of several scripts

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.standing import Standing, Statement, statements

PIECES = [
    *("never ", "always use ", "from now on, ", "I want to ", "the goal is ", "no "),
    *("only ", "task A is done, now B", "```", "> ", '"', "“", "„", "«", "「", "\n"),
    *(". ", "? ", "1. ", "- ", "max. ", "z.B. ", ": ", "nunca ", "不要", "絶対に"),
    *("절대 ", "لا ", "никогда ", "\x00", "İ", "ß", "\ud800", "e\u0301", "🙂", "，"),
]
MESSAGES = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


def kinds(text):
    return {one.kind for one in statements(text)}


def texts(text):
    return list(dict.fromkeys(one.text for one in statements(text)))


def test_a_first_message_gives_its_goal_and_its_limits():
    """One sentence may say several things, and each is asked for by its kind."""
    text = (
        "I'm planning a move to Graz, 900 EUR of rent at most, no ground floor please"
    )

    assert statements(text) == (
        Statement(Standing.GOAL, text),
        Statement(Standing.CONSTRAINT, text),
    )


def test_what_is_done_and_what_comes_now_share_a_sentence():
    """Cut in two, neither half would say what the person said."""
    text = "Chapter one is finished, now chapter two"

    assert statements(text) == (
        Statement(Standing.TASK, text),
        Statement(Standing.DONE, text),
    )


def test_only_the_sentences_that_hold_on_are_kept_in_their_order():
    """A long message costs what it says for good, not its length."""
    text = (
        "Hi there! We spent the day at the lake. From now on answer in French.\n"
        "The water was cold. Never mention the lake to Ida!  Bye."
    )

    assert texts(text) == [
        "From now on answer in French.",
        "Never mention the lake to Ida!",
    ]


def test_points_of_a_list_mean_what_their_heading_says():
    """`Rules:` alone keeps no rule."""
    text = "Rules:\n- metric units\n- two pages\n\nThe lake was cold.\n- fish\n- boats"

    assert statements(text) == (
        Statement(Standing.CONSTRAINT, "Rules:"),
        Statement(Standing.CONSTRAINT, "- metric units"),
        Statement(Standing.CONSTRAINT, "- two pages"),
    )


def test_a_numbered_point_keeps_its_number():
    """`1.` ends no sentence."""
    assert texts("1. Never call before noon\n2. lovely day") == [
        "1. Never call before noon"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The rent is max. 900 euros",
        "Das Zimmer darf z.B. am Wochenende nicht mehr als 90 Euro kosten",
        "no more than approx. 20 pages",
    ],
)
def test_a_word_that_is_cut_short_ends_no_sentence(text):
    """What stands behind `max.` is the limit itself."""
    assert texts(text) == [text]


def test_a_line_ends_whatever_it_ends_with():
    """Points of a list may end in `max.` or a number, and are points still."""
    assert texts(
        "Never spend more than the max.\nlovely day\nnever on day 12.\nbye"
    ) == [
        "Never spend more than the max.",
        "never on day 12.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "She wrote “never call me again”",
        'The sign said "no dogs allowed, never feed the birds"',
        "> from now on answer in French\nfunny, isn't it",
        "```\n# never use tabs\nassert it must not be empty\n```",
        "it printed `deadline is Friday`",
        "2026-03-01 12:00:01 ERROR request must not be empty",
        "ERROR: value must be set before Friday",
        'Traceback (most recent call last):\n  File "a.py", line 3: never use this',
        "彼は「絶対に使わないでください」と書いた",
        "Er las „niemals mehr als drei Euro“ vor",
    ],
)  # fmt: skip
def test_what_is_quoted_or_pasted_is_not_the_persons_word(text):
    """Else a log line would become a rule that the person never gave."""
    assert statements(text) == ()


def test_a_quote_within_a_rule_belongs_to_the_rule():
    """The sentence is the person's, and is kept with all that is in it."""
    text = 'From now on call the project "Blue. Heron"'

    assert texts(text) == [text]


def test_a_fence_that_is_never_closed_hides_nothing():
    """One stray mark must not swallow the rules below it."""
    assert texts("```\nlook\nNever call before noon") == ["Never call before noon"]


@pytest.mark.parametrize(
    "text",
    [
        "Did I say never?",
        "did I tell you to always use tabs?",
        "What did we say about emails, always or never?",
        "Why is task A done?",
        "have I ever asked you to call me Bo?",
        "¿Qué dije, siempre o nunca?",
        "Warum ist es fertig?",
    ],
)
def test_a_question_settles_nothing(text):
    """Who asks what was said does not say it."""
    assert statements(text) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Can you always answer in Spanish?", Standing.INSTRUCTION),
        ("Would you please stay under 200 words from now on?", Standing.CONSTRAINT),
        ("could you call me Bo?", Standing.INSTRUCTION),
        ("¿Puedes responder siempre en inglés?", Standing.INSTRUCTION),
        ("Kannst du mich bitte duzen?", Standing.INSTRUCTION),
        ("以后能用英文回答吗？", Standing.INSTRUCTION),
        ("What can I cook? I'm allergic to eggs", Standing.CONSTRAINT),
        ("What can I cook if I'm allergic to eggs?", Standing.CONSTRAINT),
        ("Which hotel is best, our budget is 80 euros?", Standing.CONSTRAINT),
    ],
)
def test_a_wish_or_a_limit_in_a_question_holds(text, kind):
    """People ask politely, and tell their limits on the way."""
    assert kind in kinds(text)


def test_a_statement_says_nothing_of_its_time():
    """The rule has no clock; who knows the time of the message adds it."""
    assert {one.at for one in statements("Never call before noon")} == {None}


def test_what_has_no_stop_is_kept_in_pieces():
    """A page without a stop may be pasted; a rule in it is not worth the page."""
    text = "word " * 500 + "from now on answer in French " + "word " * 500

    assert all(len(one.text) <= 600 for one in statements(text))
    assert any("from now on answer in French" in one.text for one in statements(text))


def test_case_width_and_accents_make_no_difference():
    """People shout, and type without accents."""
    assert kinds("FROM NOW ON ANSWER IN FRENCH") == {Standing.INSTRUCTION}
    assert kinds("a partir de ahora respondeme en ingles") == {Standing.INSTRUCTION}
    assert kinds("Ｎｅｖｅｒ　ｕｓｅ　ｅｍｏｊｉ") == {Standing.CONSTRAINT}


@given(MESSAGES)
def test_every_statement_is_part_of_the_message(text):
    """Verbatim means that it can be found where it was said."""
    for one in statements(text):
        assert one.text
        assert one.text in text
        assert one.text == one.text.strip()


@given(MESSAGES)
def test_the_same_message_always_says_the_same_and_each_thing_once(text):
    """A condensation that is made again must keep the same words."""
    found = statements(text)

    assert found == statements(text)
    assert len(set(found)) <= len(found) <= 5 * (len(text) + 1)


@pytest.mark.parametrize(
    "text",
    [
        "never " * 17_000,
        "never, " * 14_000,
        "a-" * 50_000,
        "x" * 100_000,
        "„" * 34_000,
        '"' * 99_999,
        "«" * 100_000,
        "`" * 100_000,
        "```x\n" * 20_000 + "```",
        "> \n" * 33_000,
        "1. " * 33_000,
        "a. " * 33_000,
        "max. " * 20_000,
        "\n" * 100_000,
        " " * 100_000,
        "?" * 100_000,
        ": " * 50_000,
        "- " * 50_000,
        "不要" * 17_000,
        "절대 " * 15_000,
        "لا " * 20_000,
        "i want to " * 10_000,
        "e" + "\u0301" * 100_000,
        "at [a.a.a." * 10_000,
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_no_text_costs_more_than_its_length(text):
    """A paste must not hold up the condensation of a thread."""
    began = time.process_time()

    statements(text)

    assert time.process_time() - began < 4


def test_a_usual_message_costs_less_than_a_millisecond():
    """The messages of years are read when a long thread is condensed."""
    text = (
        "I went to the market this morning and bought fruit for the cake, but they "
        "had no cherries left. Could you please tell me what else would be good in it? "
        "We are six people at the table."
    )
    statements(text)

    times = []
    for _ in range(20):
        began = time.process_time()
        statements(text)
        times.append(time.process_time() - began)

    assert min(times) < 0.001
