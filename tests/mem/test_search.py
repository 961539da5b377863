"""A search finds what has all its words, and says first what matters most."""

from __future__ import annotations

import os
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.mem import cache, pattern, wanted
from apx.mem.faults import USAGE, MemFault
from apx.mem.fold import fold
from tests.mem.papers import found, put

ONE = "d-2026-12-01-one"
TWO = "d-2026-12-01-two"
THREE = "d-2026-12-01-three"
# `(a+)+$` on it takes longer than there was time.
TRAP = "a" * 40 + "!"


@pytest.fixture
def root(tmp_path):
    return tmp_path


@pytest.mark.parametrize(
    "query",
    [
        "postgres uses",
        "uses POSTGRES service",
        "gres serv",
        "vacuum tuesdays",
        "café",
        "CAFE\u0301 naïve",
        "cafe naive",
        "\uff50\uff4f\uff53\uff54gres",
        "straße",
        "STRASSE",
        "straße v2",
        "v2",
        "2",
        '"uses postgres"',
        '"line is wrapped" v2',
        '"line is\twrapped"',
        "http401",
        "ñandú",
        "nandu",
        "why not",
        "2026-12-01-one",
        "東京",
        "京",
        "に引っ越す",
        "越す",
        "す",
        "がっこう",
        "привет",
        "ПРИВЕТ",
        "é",
        "🚀",
        "-v",
        "a(b",
        'x"y',
        '"x',
        "50%",
        "a_b",
        "c++",
        "*",
        "",
        '""',
        "  ",
    ],
)
def test_all_words_are_found_in_any_order_script_and_field(root, query):
    """As parts of words, however cased, accented and wide, and as they stand."""
    put(
        root,
        ONE,
        "The service uses Postgres",
        "Vacuum it on Tuesdays. A line\nis wrapped; straße, café, naïve. v2\n"
        'Привет! 🚀 がっこう. -v, a(b, 50%, a_b, c++ and "x"y*. 東京に引っ越す',
        tags="[http401, ñandú]",
        abstract="why not",
    )

    assert found(root, query) == [ONE]


@pytest.mark.parametrize(
    "query",
    [
        "postgres mysql",
        "serviceuses",
        '"postgres uses"',
        '"postgres vacuum"',
        "a.b",
        "50_",
        "postgres%",
        "a)b",
        "かっこう",
        "大阪",
        "犬",
        "ю",
        '"uses"postgres',
        "secretly",
        "manual",
        "postgres OR mysql",
        "postgres NOT mysql",
        "post*",
        "title:postgres",
        "head:postgres",
        "\ufe0f",
        "\udcff",
        "\0",
        "\0\0\0",
        '"\0"',
        "zz",
        "q",
    ],
)
def test_words_that_are_not_there_find_nothing(root, query):
    """Nothing is a wildcard or an operator; scope and source are not searched."""
    put(
        root,
        ONE,
        "The service uses Postgres",
        "Vacuum it; a b, 50%, がっこう 東京. not or",
        scope="secretly",
        source="manual",
    )

    assert found(root, query) == []


@pytest.mark.parametrize(
    "query",
    [
        "don't",
        "don\u2019t",
        "o'reilly",
        "\u201ctwo writers\u201d",
        '"two writers"',
        "\u201etwo writers\u201c don't",
        "\u05e9\u05dc\u05d5\u05dd",
        "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    ],
)
def test_quotes_of_phones_and_points_of_hebrew_make_no_difference(root, query):
    """A phone writes curly ones by itself, and hardly anybody writes points."""
    put(
        root,
        ONE,
        "Don\u2019t have two writers",
        "O\u02bcReilly says \u201cso\u201d. \u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    )
    put(root, TWO, "Two of many writers", "dont")

    assert found(root, query) == [ONE]


@pytest.mark.parametrize(
    "query", ["\u201atea\u2018", "\u201btea\u2019", "\u201ftea\u201d"]
)
def test_quotes_that_begin_low_or_turned_are_quotes(root, query):
    """German single ones begin with what looks like a comma."""
    put(root, ONE, "Green tea")

    assert found(root, query, any=True) == [ONE]


def test_what_matters_stands_first(root):
    """Priority, then when it was last known to be true, then what is newer."""
    days = {"created": "2026-01-01"}
    put(root, "d-2026-01-01-low", "tea", priority=50, verified="2026-12-01")
    put(root, "d-2026-01-01-high", "tea", priority=90, **days)
    put(root, "d-2026-01-01-stale", "tea", updated="2026-03-01", **days)
    put(root, "d-2026-01-01-fresh", "tea", verified="2026-03-02", **days)
    put(root, "d-2026-01-01-newer", "tea", created="2026-03-01")
    for name in ("d-2026-01-01-b", "d-2026-01-01-a"):
        path = put(root, name, "tea", **days)
        path.touch()

    order = [f"d-2026-01-01-{name}" for name in ("high", "fresh", "newer", "stale")]
    rest = ["d-2026-01-01-a", "d-2026-01-01-b", "d-2026-01-01-low"]
    assert found(root)[:4] == found(root, "tea")[:4] == order
    assert sorted(found(root)[4:]) == rest
    assert found(root, "^t.a$", regex=True) == found(root, "tea") == found(root)
    assert found(root)[-1] == "d-2026-01-01-low"
    assert found(root, limit=2) == found(root, "tea", limit=2) == order[:2]


def test_files_of_one_day_are_in_the_order_of_writing(root):
    """The newest first; what is equal in all is by id."""
    for name, at in ((ONE, 5), (TWO, 9), (THREE, 5)):
        os.utime(put(root, name, "tea"), ns=(at, at))

    assert found(root) == [TWO, ONE, THREE]


def test_a_count_does_not_depend_on_a_limit(root):
    """`count: 2 of 41`."""
    for at in range(5):
        put(root, f"d-2026-12-01-fact-{at}", "tea")

    with cache.opened(str(root)) as known:
        for query in ("", "tea", "t", "te."):
            wish = wanted.parsed(query, limit=2, regex=query == "te.")
            assert (len(known.rows(wish)), known.count(wish)) == (2, 5)


def test_many_are_found_at_once(root):
    """More than a statement of SQL has room for."""
    names = [f"d-2026-12-01-{at:04}" for at in range(1000)]
    for name in names:
        put(root, name, "tea")

    assert sorted(found(root, "tea")) == names


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, [ONE, TWO]),
        ({"status": "proposed"}, [THREE]),
        ({"status": "archived"}, ["h-2026-12-01-gone"]),
        ({"status": "all"}, [ONE, THREE, TWO, "h-2026-12-01-gone"]),
        ({"type": "howto", "status": "all"}, ["h-2026-12-01-gone"]),
        ({"tags": ["v10"]}, [TWO]),
        ({"tags": ["v1"]}, []),
        ({"tags": ["http401"]}, [ONE]),
        ({"tags": ["HTTP401"]}, [ONE]),
        ({"tags": ["http40"]}, []),
        ({"tags": ["v11"]}, [ONE]),
        ({"tags": ["ñandú"]}, [ONE, TWO]),
        ({"tags": ["n\u0303andu\u0301"]}, [ONE, TWO]),
        ({"tags": ["nandu"]}, []),
        ({"tags": ["ñandú", "v10"]}, [TWO]),
        ({"tags": ["two words"]}, [ONE]),
        ({"tags": ["two"]}, []),
        ({"scope": "example"}, [TWO]),
        ({"scope": ""}, [ONE]),
        ({"scope": "exam"}, []),
        ({"sees": lambda scope: scope == "example"}, [TWO]),
        ({"sees": lambda scope: not scope}, [ONE]),
        ({"sees": lambda _: False}, []),
        ({"min_priority": 70}, [ONE, TWO]),
        ({"min_priority": 71}, [ONE]),
    ],
)
@pytest.mark.parametrize("query", ["", "te", "tea", "^tea$"])
def test_a_search_is_narrowed(root, filters, ids, query):
    """The same way for words, patterns and lists; tags as they were written."""
    put(root, ONE, "tea", tags="[http401, ñandú, two words, V11]", priority=90)
    put(root, TWO, "tea", tags="[v10, ñandú]", scope="example")
    put(root, THREE, "tea", status="proposed", priority=80)
    put(root, "h-2026-12-01-gone", "tea", status="archived")

    assert found(root, query, regex=query == "^tea$", **filters) == ids


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("postgres", [TWO, ONE]),
        ("Where was the postgres?", [TWO, ONE]),
        ("(mysql), or `postgres`!", [THREE, TWO, ONE]),
        ('"a database" mysql', [THREE, ONE]),
        ("db", [THREE]),
        ("d", []),
        ("京都はどこですか", ["p-2026-12-01-kyoto"]),
        ("京", ["p-2026-12-01-kyoto"]),
        ("ø", []),
        ("nothing like that", []),
        ("", [ONE, "p-2026-12-01-kyoto", THREE, TWO]),
    ],
)
def test_any_word_finds_and_the_best_is_first(root, query, ids):
    """What has a word in its title, or a rare one, whatever its priority."""
    put(root, ONE, "Storage", "As a database we have postgres.", priority=90)
    put(root, TWO, "Postgres", "It is fast.", priority=71)
    put(root, THREE, "Mysql", "Mysql is a db, not ours.", priority=72)
    put(root, "p-2026-12-01-kyoto", "京都に行く", "猫。", priority=73)

    assert found(root, query, any=True) == ids


@pytest.mark.parametrize("any_word", [False, True])
def test_a_letter_with_many_neighbours_is_found(root, any_word):
    """Too many to look up: the texts are read instead."""
    body = " ".join(f"ю{chr(0x4E00 + at)}" for at in range(600))
    put(root, ONE, "Letters", body)
    put(root, TWO, "Tea", "Juice.")
    put(root, THREE, "The last", "ю\u9fa0")

    assert sorted(found(root, "ю", any=any_word)) == [ONE, THREE]


@pytest.mark.parametrize(
    ("regex", "ids"),
    [
        (r"post(gres|man)", [ONE]),
        ("POSTGRES$", [ONE]),
        ("^line two", [ONE]),
        (r"^\d+$", [TWO]),
        ("^v1$", [ONE]),
        ("(?-i:Postgres)", [ONE]),
        ("(?-i:postgres)", []),
        ("nothing", []),
        ("", [ONE, TWO]),
        ("ñ", [ONE]),
        ("\udcff", []),
    ],
)
def test_a_pattern_is_searched_line_by_line(root, regex, ids):
    """In the title, the abstract, the tags, the id and the body, as written."""
    put(root, ONE, "We use Postgres", "Line one\nline two: ñ", tags="[v1, v10]")
    put(root, TWO, "Tea", "42")

    assert sorted(found(root, regex, regex=True)) == ids


@pytest.mark.parametrize("regex", ["a(b", "[", "*", "(?P<a>x)(?P<a>y)", "a{2,1}"])
def test_what_is_no_pattern_is_said_so(root, regex):
    """With what to do instead."""
    put(root, ONE, "a(b")

    with pytest.raises(MemFault) as told:
        found(root, regex, regex=True)

    assert (told.value.code, told.value.status) == ("usage", USAGE)
    assert "no regular expression" in str(told.value)
    assert told.value.hints


@pytest.mark.parametrize("regex", ["(a+)+$", "(a|aa)+$", "(?:a?){40}a{40}"])
def test_a_pattern_that_never_ends_is_given_up(regex):
    """Its process is ended; a thread could not be."""
    began = time.monotonic()

    with pytest.raises(MemFault, match="took too long") as told:
        pattern.matching(regex, ["fine", TRAP], seconds=0.2)

    assert told.value.status == USAGE
    assert time.monotonic() - began < 10
    assert pattern.SECONDS == 2


def test_a_pattern_bears_long_and_odd_texts():
    """Bodies of any size; half a character is no reason to fail."""
    texts = ["x" * 1_000_000 + "end", "\ud800", "\0", ""]

    assert pattern.matching("end$|^$|\0", texts) == [0, 2, 3]


TEXTS = st.text(alphabet='ab "cé東京(%\n', max_size=12)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A store of short texts of few letters, by what each says in all."""
    root = tmp_path_factory.mktemp("many")
    chosen = random.Random(8)  # noqa: S311 -- no secret
    said = {}
    for at in range(60):
        name = f"d-2026-12-01-{at}"
        body = "".join(chosen.choices("ab \"cé東京(%\n'", k=chosen.randint(0, 12)))
        title = "".join(chosen.choices("abcé東", k=chosen.randint(1, 5)))
        put(root, name, f"'{title}'", body)
        said[name] = [fold(title), fold(name), fold(body)]
    with cache.opened(str(root)) as known:
        yield known, said


@given(st.lists(TEXTS, max_size=3), st.booleans())
def test_a_search_is_as_good_as_reading_all(many, texts, is_phrase):
    """Whether it goes by an index or not."""
    known, said = many
    clean = [text.replace('"', "").strip() for text in texts]
    query = " ".join(f'"{text}"' if is_phrase else text for text in clean)
    sought = clean if is_phrase else query.split()

    rows = known.rows(wanted.parsed(query))

    assert {row["id"] for row in rows} == {
        name
        for name, lines in said.items()
        if all(any(fold(text) in line for line in lines) for text in sought)
    }


@given(st.text())
def test_any_query_is_one(many, query):
    """Nothing that is typed is a fault, or all memories."""
    known, _ = many
    for any_word in (False, True):
        wish = wanted.parsed(query, tags=[query], scope=query, any=any_word)
        assert wish.is_said or not query.replace('"', "").strip()
        assert known.rows(wish) == [] or not query
        assert len(known.rows(wanted.parsed(query, any=any_word))) <= known.total()
