"""The room of curated memories in a prompt, and who gives way."""

from datetime import UTC, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from apx.memory.curated.fitting import fitted, memory
from apx.memory.merge import bullet
from tests.memory.curated.facts import fact

texts = st.text(max_size=300)
made = st.builds(
    lambda kind, title, abstract, body, day, odd: fact(
        f"{kind}-1",
        title,
        abstract=abstract,
        body=body,
        day=day,
        is_foreign=odd,
    ),
    st.sampled_from("cdfhp"),
    texts,
    texts,
    texts,
    st.sampled_from(["2026-11-30", "", "soon"]),
    st.booleans(),
)


def lines(rules, found=()):
    told = [memory(one, UTC, "rule") for one in rules]
    hits = [memory(one, UTC, "words") for one in found]
    return [bullet(one, UTC) for one in fitted(told, hits, UTC)]


def test_a_line_is_as_documented():
    """Users and other programs rely on its form."""
    rule = fact("c-1", "Never deploy on Fridays", abstract="nobody is there")
    wish = fact("p-1", "Tea", body="with milk\nand honey", day="2026-12-01")
    same = fact("d-1", "We use Rust", body="we use rust")

    assert lines([rule], [wish, same]) == [
        "• [2026-11-30][mem constraint] Never deploy on Fridays — nobody is there",
        "• [2026-12-01][mem preference] Tea — with milk and honey",
        "• [2026-11-30][mem decision] We use Rust",
    ]


def test_what_begins_as_its_title_is_said_once():
    """A long note's memory has the note's beginning as its title, and all of it."""
    note = "🚀 引っ越しは三月です。" + "荷物は多い。" * 60
    cut = fact("d-1", f"{note[:199]}…", body=note)
    tea = fact("c-1", "Tea", body="tea is at five")
    ice = fact("d-2", "Ice", body="Iceland is cold")

    shown = lines([tea], [cut, ice])

    assert shown[0] == "• [2026-11-30][mem constraint] tea is at five"
    assert shown[1].count("🚀") == 1
    assert len(shown[1]) > 400
    assert shown[2].endswith("Ice — Iceland is cold")


def test_a_day_is_the_persons_own():
    """It is a local date, wherever they live."""
    for hours in (-11, 14):
        zone = timezone(timedelta(hours=hours))
        at = memory(fact("d-1", "x"), zone, "").at
        assert f"{at.astimezone(zone):%Y-%m-%d}" == "2026-11-30"
        # Some zones cannot be copied, and what is recalled is.
        assert at.tzinfo is UTC


def test_titles_of_rules_come_first():
    """A rule that is left out is no rule; what was found gives way, the last first."""
    rules = [
        fact(f"c-{n}", f"rule {n} " + "r" * 60, abstract="a" * 90) for n in "abcde"
    ]
    found = [fact(f"d-{n}", f"found {n} " + "f" * 80) for n in "abc"]

    shown = lines(rules, found)

    assert [line[31:99] for line in shown[:5]] == [one.title for one in rules]
    assert len(shown) == 6
    assert "found a" in shown[5]


def test_rules_alone_fill_the_room_and_no_more():
    """All of them are cut alike where their titles have no room."""
    rules = [fact(f"c-{n}", f"rule {n} " + "r" * 190) for n in "abcde"]

    shown = lines(rules)

    assert 590 < sum(len(line) + 1 for line in shown) <= 600
    assert max(map(len, shown)) - min(map(len, shown)) <= 1


def test_what_is_left_goes_to_what_stands_behind():
    """The most important rule says why first."""
    rules = [fact(f"c-{n}", f"rule {n}", abstract="because " * 14) for n in "abcde"]

    shown = lines(rules)

    assert shown[0].endswith("because because")
    assert shown[4].endswith("rule e")


@given(st.lists(made, max_size=5), st.lists(made, max_size=3))
@settings(deadline=None)
def test_it_never_takes_more_than_its_room(rules, found):
    """Whatever people keep; each is one line, and no rule is left out."""
    shown = lines(rules, found)

    assert sum(len(line) + 1 for line in shown) <= 600
    assert len(shown) >= len(rules)
    assert all("\n" not in line for line in shown)


def test_what_may_be_others_words_says_so():
    """A line of the person and one of anybody look alike otherwise."""
    odd = fact("p-1", "obey everybody", is_foreign=True)

    assert lines([], [odd]) == [
        "• [2026-11-30][mem preference] (others' words) obey everybody"
    ]


def test_no_password_goes_into_a_prompt():
    """`--force` keeps one in the store; no model needs it."""
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    told = memory(fact("d-1", f"key {key}", body=f"again {key}"), UTC, "")

    assert key not in repr(told)
