"""Two memories that are one: the laws that both machines keep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.mem.faults import MemFault
from apx.mem.frontmatter import parse, render
from apx.mem.memory import Memory
from apx.mem.merging import DOUBTED, merged, reconciled, superseded

NAME = "d-2026-12-01-tea"
OTHER = "d-2026-12-02-coffee"
DAY = "2026-12-05"
HEADER = b"## Also written elsewhere"


def memory(body=b"green\n", name=NAME, **fields):
    """A memory as its file has it."""
    every = {"title": "Tea", "version": 1, "created": "2026-12-01", **fields}
    made = Memory({"id": name, "type": "decision", **every}, body)
    return parse(name, render(made))


def filed(lines, body=b"green\n"):
    """A memory with lines of somebody's own."""
    head = "---\ntitle: Tea\nversion: 1\ncreated: 2026-12-01\n"
    return parse(NAME, f"{head}{lines}---\n\n".encode() + body)


def united(base, ours, theirs):
    """What both machines make of it, which must be the same bytes."""
    made = reconciled(base, ours, theirs, DAY)
    assert render(made) == render(reconciled(base, theirs, ours, DAY))
    # As the next machine reads it.
    return parse(NAME, render(made))


# One into another.


def test_what_is_kept_takes_in_the_other():
    """Nothing of either is lost, and the better of both holds."""
    keep = memory(
        tags=("a", "b"), priority=40, confidence=0.9, version=3, verified="2026-12-01"
    )
    absorb = memory(
        b"black\n",
        OTHER,
        title="Coffee: strong",
        tags=("b", "ñandú"),
        priority=90,
        version=7,
        verified="2026-12-02",
        abstract="short",
        source="note:1",
    )

    made = merged(keep, absorb, DAY)

    assert made.id == NAME
    assert made.title == "Tea"
    header = f"## Merged from {OTHER}: Coffee: strong"
    assert made.said == f"green\n\n{header}\n\nblack\n"
    assert made.tags == ("a", "b", "ñandú")
    assert (made.priority, made.confidence, made.version) == (90, 0.9, 8)
    assert made.fields["verified"] == "2026-12-02"
    assert (made.text("abstract"), made.text("source")) == ("short", "note:1")
    assert made.text("updated") == DAY
    assert superseded(made) == (OTHER,)


def test_what_a_file_leaves_out_counts_as_its_type_says():
    """A file without a priority is not worth nothing."""
    made = merged(memory(priority=10), memory(name=OTHER), DAY)

    assert (made.priority, made.confidence) == (70, 0.7)


def test_what_went_into_the_other_is_named_as_well():
    """So that each can be brought back."""
    first = merged(memory(name=OTHER), memory(name="d-2026-12-03-x"), DAY)

    made = merged(memory(), first, DAY)

    assert superseded(parse(NAME, render(made))) == (OTHER, "d-2026-12-03-x")


@pytest.mark.parametrize("name", [NAME, "c-2026-12-01-tea"])
def test_itself_or_another_type_is_refused(name):
    """Each asks for nothing that could be meant."""
    with pytest.raises(MemFault) as told:
        merged(memory(), memory(name=name), DAY)

    assert (told.value.code, told.value.status) == ("usage", 2)


def test_own_lines_and_an_empty_body():
    """What is kept keeps its lines; a header stands over what came."""
    made = merged(filed("mine: 1 # why\n", b""), memory(b"", OTHER), DAY)

    assert b"mine: 1 # why\n" in render(made)
    assert made.said == f"## Merged from {OTHER}: Tea\n"


# Two machines'.


def test_each_side_keeps_what_it_alone_changed():
    """Fields of both, one body, and a version of its own."""
    base = memory(priority=50, tags=("a", "b"), version=2)
    ours = base.changed(
        title="Green tea", tags=("a", "b", "c"), version=3, updated="2026-12-03"
    )
    theirs = base.changed(
        priority=90, tags=("b", "d"), version=3, updated="2026-12-02"
    ).saying(b"black\n")

    made = united(base, ours, theirs)

    assert (made.title, made.priority) == ("Green tea", 90)
    assert made.body == b"black\n"
    assert set(made.tags) == {"b", "c", "d"}
    assert (made.version, made.text("updated")) == (4, "2026-12-03")
    assert made.confidence == 0.7


def test_of_what_both_changed_the_later_stays():
    """Later is: its day, then its version."""
    base = memory(priority=50, version=2)
    early = base.changed(priority=60, version=9, updated="2026-12-02")
    late = base.changed(priority=70, version=3, updated="2026-12-03")

    assert united(base, early, late).priority == 70
    early = early.changed(updated="2026-12-03")
    assert united(base, early, late).priority == 60


@pytest.mark.parametrize(
    ("key", "was", "mine", "other"),
    [
        ("title", "Tea", "Green tea", "Black tea"),
        ("abstract", None, "green", "black"),
        ("scope", "house", "global", None),
        ("priority", 50, 5, 95),
    ],
)
def test_of_two_answers_the_one_that_stands_is_to_be_looked_at(key, was, mine, other):
    """A title of somebody's went: it comes up for review, verified or not."""
    base = memory(verified="2026-12-01", **{key: was})
    early = base.changed(**{key: mine}, version=2, updated="2026-12-02")
    late = base.changed(**{key: other}, version=2, updated="2026-12-03")

    made = united(base, early, late)

    assert made.fields.get(key) == other
    assert "verified" not in made.fields


def test_what_both_say_alike_or_one_alone_stays_verified():
    """Nothing gave way, so there is nothing to look at."""
    base = memory(verified="2026-12-01", priority=50)
    early = base.changed(title="Green tea", priority=60, updated="2026-12-02")
    late = base.changed(title="Green tea", tags=("hot",), updated="2026-12-03")

    made = united(base, early, late)

    assert (made.title, made.priority, made.tags) == ("Green tea", 60, ("hot",))
    assert made.fields["verified"] == "2026-12-01"


def test_a_version_stands_for_one_content():
    """Who had the same number for something else must see that it changed."""
    base = memory(priority=50, version=2)
    early = base.changed(priority=60, version=3, updated="2026-12-03")
    late = base.changed(priority=70, version=3, updated="2026-12-04")

    assert united(base, early, late).version == 4


def test_a_day_that_is_none_is_not_the_latest():
    """A person may write anything into a file."""
    base = filed("priority: 50\n")
    odd = filed("priority: 60\nupdated: yesterday\n")
    late = filed("priority: 70\nupdated: 2026-12-03\n")

    assert united(base, odd, late).priority == 70


def test_two_texts_are_both_kept_and_to_be_looked_at():
    """The later one first, the other with where it is from."""
    base = memory(verified="2026-12-01", confidence=0.9)
    ours = base.changed(version=2, updated="2026-12-02").saying(b"black\n")
    theirs = base.changed(version=4, updated="2026-12-03").saying(b"white\r\n")

    made = united(base, ours, theirs)

    assert made.body == b"white\n\n%b (2026-12-02, v2)\n\nblack\n" % HEADER
    assert "verified" not in made.fields
    assert made.confidence == DOUBTED
    assert made.version == 5


def test_a_confidence_that_is_lower_stays():
    """Doubt does not make anything surer."""
    base = memory(confidence=0.2)

    made = united(base, base.saying(b"a"), base.saying(b"b"))

    assert made.confidence == 0.2


def test_an_edit_outlives_an_emptied_body():
    """And a person is asked."""
    base = memory()

    made = united(base, base.saying(b""), base.saying(b"more  \n\n"))

    assert made.body == b"more  \n\n"
    assert made.confidence == DOUBTED
    # A header alone is no text.
    bare = base.changed(updated=DAY).saying(HEADER + b" (2026-12-02, v2)\n")
    assert united(base, bare, base.saying(b"more\n")).body == b"more\n"


def test_put_away_on_one_side_and_edited_on_the_other_waits_for_a_person():
    """Neither wish is lost, nor the new text; and it holds for nobody meanwhile."""
    base = memory(status="active", verified="2026-12-01", confidence=0.9)
    away = base.changed(status="archived", version=2, updated="2026-12-02")
    edited = base.changed(version=3, updated="2026-12-03").saying(b"more\n")

    made = united(base, away, edited)

    assert (made.status, made.body) == ("proposed", b"more\n")
    assert (made.confidence, made.text("verified")) == (DOUBTED, "")
    assert (made.version, made.text("updated")) == (4, "2026-12-03")
    # Nor does either of them, met again, undo that.
    assert united(base, away, made) == made
    assert united(base, edited, made) == made
    assert united(None, away, edited).status == "proposed"


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_proposal_that_waits_is_not_accepted_by_who_did_not_see_why(is_edited):
    """One rejected it while another accepted or edited it; a third accepts the old."""
    base = memory(status="proposed")
    away = base.changed(status="archived", version=2, updated="2026-12-02")
    yes = {"status": "active", "verified": DAY, "confidence": 0.8}
    accepted = base.changed(**yes, version=2, updated=DAY)
    edited = base.changed(version=3, updated="2026-12-03").saying(b"more\n")
    first = edited if is_edited else accepted

    waits = united(base, away, first)
    made = united(base, waits, accepted)

    assert (waits.status, made.status) == ("proposed", "proposed")
    assert (made.confidence, made.text("verified")) == (DOUBTED, "")
    # Who looks at it then is heard.
    seen = made.changed(**yes, version=made.version + 1)
    assert united(made, made, seen) == seen


def test_a_proposal_that_one_edits_and_another_accepts_is_accepted():
    """Nobody was against it."""
    base = memory(status="proposed")
    edited = base.changed(title="Green tea", version=2, updated="2026-12-02")
    accepted = base.changed(status="active", version=2, updated="2026-12-03")

    assert united(base, edited, accepted).status == "active"


def test_put_away_or_brought_back_on_one_side_alone_is_so():
    """Also if both put it away, or nobody knows where they come from."""
    base = memory(status="active", verified="2026-12-01")
    away = base.changed(status="archived", version=2, updated="2026-12-02")
    back = away.changed(status="active", version=3, updated="2026-12-03")

    assert united(base, away, base) == away
    assert united(None, base, away) == away
    edited = away.changed(version=3).saying(b"more\n")
    assert united(base, away, edited).status == "archived"
    assert united(away, back, edited).status == "active"


def test_a_third_machine_adds_its_text_once():
    """What was reconciled meets one more, and each of them again."""
    base = memory()
    a, b, c = (
        base.changed(version=2, updated=f"2026-12-0{n}").saying(b"text %d\n" % n)
        for n in (2, 3, 4)
    )
    two = united(base, a, b)

    three = united(base, two, c)

    assert three.body.count(HEADER) == 2
    places = [three.body.index(b"text %d\n" % n) for n in (4, 3, 2)]
    assert places == sorted(places)
    assert three.body.count(b"text") == 3
    for one in (a, b, c, two):
        assert united(base, three, one) == three


def test_a_text_that_was_looked_at_stays_looked_at():
    """Who kept both texts and verified them is not asked again for an old copy."""
    base = memory()
    old = base.changed(version=2).saying(b"black\n")
    both = united(base, old, base.changed(version=2).saying(b"white\n"))
    kept = both.changed(
        verified=DAY, confidence=0.9, version=both.version + 1, updated=DAY
    )

    assert united(base, kept, old) == kept


def test_two_that_were_made_apart_from_each_other():
    """The same id without a common past: what one of them lacks, the other gives."""
    ours = memory(b"a\n", abstract="short", tags=("x",), created="2026-12-03")
    theirs = memory(b"b\n", tags=("y",), created="2026-12-01")

    made = united(None, ours, theirs)

    assert made.text("abstract") == "short"
    assert made.text("created") == "2026-12-01"
    assert set(made.tags) == {"x", "y"}
    assert b"a\n" in made.body
    assert b"b\n" in made.body


def test_lines_that_are_nobodys_fields_come_from_both_sides():
    """Added, changed, taken away: each as by the side that did it."""
    base = filed("keep: 1\nedit: 1\ngone: 1\n# why\n")
    ours = filed(
        "updated: 2026-12-03\nkeep: 1\nedit: 1\ngone: 1\n# why\nours:\n  - a\n\n  - b\n"
    )
    theirs = filed("keep: 1\nedit: 2\n# why\n# theirs\ntheirs: {a: 1}\n")

    made = render(united(base, ours, theirs))

    for lines in (b"keep: 1\n", b"edit: 2\n", b"# why\n", b"# theirs\n"):
        assert made.count(lines) == 1
    assert b"ours:\n  - a\n\n  - b\n" in made
    assert b"theirs: {a: 1}\n" in made
    assert b"gone" not in made
    assert made.endswith(b"---\n\ngreen\n")


def test_lines_of_another_editor_keep_one_kind_of_line_end():
    """A file does not get two."""
    head = b"---\r\ntitle: Tea\r\nupdated: 2026-12-03\r\n---\r\n\r\n"
    ours = parse(NAME, head + b"green\r\n")
    theirs = filed("theirs:\n  - a\n")

    made = render(united(None, ours, theirs))

    assert b"theirs:\r\n  - a\r\n---\r\n" in made


def test_a_line_that_was_edited_outlives_its_removal():
    """Nothing that somebody just wrote is lost."""
    base = filed("mine: 1\n")

    made = render(united(base, filed("mine: 2\n"), filed("")))

    assert b"mine: 2\n" in made


def test_lines_that_both_changed():
    """The later side's."""
    base = filed("mine: 1\n")
    late = filed("updated: 2026-12-03\nmine: 2\n")

    made = render(united(base, late, filed("mine: 3\n")))

    assert b"mine: 2\n" in made
    assert b"mine: 3" not in made


DAYS = st.sampled_from(["2026-12-01", "2026-12-02", "2026-12-03"])
LABEL = f"{HEADER.decode()} (2026-12-02, v2)"
BODIES = st.lists(
    st.sampled_from(["a", "b", "  c", "d\r", "", "é 東", "---", LABEL, "## x"]),
    max_size=6,
).map(lambda lines: "\n".join(lines).encode())
LINES = st.lists(
    st.sampled_from(["x: 1", "x: 2", "y:\n  - 1", "# said", "z: {a: b}"]),
    max_size=3,
    unique_by=lambda line: line[0],
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@st.composite
def memories(draw):
    """A memory as anybody may have left it."""
    fields = {
        "title": draw(st.sampled_from(["Tea", "Tea: green", "42"])),
        "updated": draw(st.none() | DAYS),
        "verified": draw(st.none() | DAYS),
        "version": draw(st.none() | st.integers(1, 3)),
        "priority": draw(st.none() | st.sampled_from([10, 90])),
        "confidence": draw(st.none() | st.sampled_from([0.2, 0.4, 0.9])),
        "status": draw(st.none() | st.sampled_from(["active", "archived"])),
        "tags": tuple(draw(st.lists(st.sampled_from("abc"), unique=True))) or None,
        "scope": draw(st.none() | st.just("global")),
    }
    one = filed(draw(LINES), draw(BODIES)).changed(**fields)
    return parse(NAME, render(one))


def texts(one):
    """What a person would miss if it were gone."""
    parts = one.body.split(LABEL.encode())
    return [part.strip() for part in parts if part.strip()]


def markers(data):
    return [
        line
        for line in data.splitlines()
        if line[:3] in {b"<<<", b"===", b">>>", b"|||"}
    ]


@settings(max_examples=150)
@given(st.none() | memories(), memories(), memories())
def test_the_laws_of_reconciling(base, ours, theirs):
    """Whoever merges, and how often, gets the same bytes, and nothing is lost."""
    made = united(base, ours, theirs)

    if render(ours) == render(theirs):
        assert render(made) == render(ours)
    if base is not None:
        assert render(reconciled(base, base, theirs, DAY)) == render(theirs)
    assert render(united(base, made, made)) == render(made)
    # Of a body that one side emptied nothing tells the other that it was.
    if base is None or (texts(ours) and texts(theirs)):
        assert render(united(base, made, ours)) == render(made)
        assert render(united(base, made, theirs)) == render(made)
    both_changed = base is None or base.body not in {ours.body, theirs.body}
    if both_changed:
        flat = made.body.replace(b"\r\n", b"\n")
        for text in texts(ours) + texts(theirs):
            assert text.replace(b"\r\n", b"\n") in flat
    if made.body not in {ours.body, theirs.body}:
        assert made.confidence <= DOUBTED
        assert "verified" not in made.fields
    if base is not None and render(base) not in {render(ours), render(theirs)}:
        assert made.version >= max(ours.version, theirs.version)
    assert markers(render(made)) == []
