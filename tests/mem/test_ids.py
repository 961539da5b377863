# ruff: noqa: RUF001 -- letters that look alike are of different scripts
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.mem import ids
from apx.mem.memory import TYPES

DAY = "2026-12-01"


def new(title, taken=()):
    return ids.new(TYPES["decision"], DAY, title, set(taken).__contains__)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Adopt mem: the new system!", "adopt-mem-the-new-system"),
        ("  ñandú  ÀÉÎõü  ", "nandu-aeiou"),
        ("ﬁne ＷＩＤＥ ①", "fine-wide-1"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("C++ & C#", "c-c"),
        ("🚀 launch", "launch"),
        ("../../etc/passwd\0\n---", "etc-passwd"),
        ("a" * 60, "a" * 40),
        ("a" * 39 + " b", "a" * 39),
        ("n\u0303andu\u0301", "nandu"),
    ],
)
def test_a_slug_says_the_title_in_ascii(title, slug):
    """Short, without accents, safe as a name of a file."""
    assert ids.slug(title) == slug


@pytest.mark.parametrize(
    ("titles", "beginning"),
    [
        (("東京に引っ越す", "大阪に行く", "🚀", "", "!!!"), ""),
        (("Müller in 東京", "Müller in 大阪"), "muller-in-"),
        (("smørbrød", "sm rbr d"), "sm-rbr-d"),
        (("เที่ยว", "ไทย", "हिन्दी", "हिन्दू"), ""),
        (("a" * 50 + "й", "a" * 50 + "и"), "a" * 40 + "-"),
    ],
)
def test_titles_of_which_letters_are_lost_stay_apart(titles, beginning):
    """By eight digits of a hash, the same on each machine."""
    slugs = {ids.slug(title) for title in titles}

    assert len(slugs) == len(set(titles))
    for slug in slugs:
        rest = slug.removeprefix(beginning)
        assert slug.startswith(beginning)
        assert re.fullmatch("-?([0-9a-f]{8})?", rest)


def test_a_hash_never_changes():
    """Ids of two machines that write the same are equal."""
    assert ids.slug("東京に引っ越す") == "22960699"
    assert ids.slug("東京に　引っ越す") == ids.slug(" 東京に 引っ越す\n")


def test_a_clash_is_numbered():
    """Whatever the other one is."""
    first = new("A title")
    second = new("a  TITLE", [first])

    assert (first, second) == (f"d-{DAY}-a-title", f"d-{DAY}-a-title-2")
    assert new("A title", [first, second]) == f"d-{DAY}-a-title-3"


def test_titles_equal_in_the_first_forty_characters_are_two():
    """A cut is no reason to take one for the other."""
    one, other = ("a long title " * 5 + end for end in ("one", "two"))

    first = new(one)

    assert new(other) == first
    assert new(other, [first]) == f"{first}-2"


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("A  title\t", "a title", True),
        ("Straße", "STRASSE", True),
        ("ﬁ Ｗ", "fi w", True),
        ("n\u0303", "ñ", True),
        ("a\u3000b\u2028c", "A b c", True),
        ("ñ", "n", False),
        ("a-b", "a b", False),
        ("東京", "大阪", False),
    ],
)
def test_titles_are_the_same_but_for_case_width_and_blanks(one, other, equal):
    """Accents and marks make a difference."""
    assert (ids.same(one) == ids.same(other)) is equal


@given(st.text(max_size=60) | st.text("aA \u0301ß東İ\ud800-é\u0345", max_size=60))
@settings(max_examples=200, deadline=None)
def test_an_id_is_the_name_of_a_file(title):
    """In any file system, whatever the title."""
    name = new(title)

    assert re.fullmatch(r"d-2026-12-01-[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 13 + 40 + 9
    assert ids.same(ids.same(title)) == ids.same(title)
    assert ids.slug(f" {title}\n") == ids.slug(title)
