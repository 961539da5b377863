"""Every write of memories: what it does, what it says, how many commits it makes."""

from pathlib import Path

import pytest

from apx.mem import actions, git
from apx.mem.actions import Draft
from apx.mem.actions_rules import subject
from apx.mem.faults import MemFault
from apx.mem.frontmatter import render
from apx.mem.memory import LETTERS, Memory

DAY = "2026-12-05"
LATER = "2026-12-09"
KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
TEA = "d-2026-12-05-tea"


def added(store, title="Tea", body=b"green\n", kind="decision", **fields):
    draft = Draft({"type": kind, "title": title, **fields}, body)
    return actions.add(store, draft, today=DAY)


def update(store, name=TEA, body=None, *, expect=None, force=False, **changes):
    return actions.update(
        store, name, changes, body, today=LATER, expect=expect, force=force
    )


def log(store):
    return git.run(store.root, "log", "--format=%s").decode().splitlines()


def file(store, name):
    return Path(store.root, "objects", LETTERS[name[0]].folder, f"{name}.md")


def by_hand(store, name, data):
    file(store, name).parent.mkdir(exist_ok=True)
    file(store, name).write_bytes(data)


def refused(store, code, act, *args, **how):
    """An act that is refused leaves all as it was; gives the fault."""
    before = log(store), git.run(store.root, "status", "--porcelain")
    with pytest.raises(MemFault) as told:
        act(*args, **how)
    assert told.value.code == code
    assert (log(store), git.run(store.root, "status", "--porcelain")) == before
    return told.value


# Adding.


def test_what_is_added_has_what_was_left_out(store):
    """The type's priority, a first version, the day; the body byte for byte."""
    done = added(store, body=b" \xc3\xb1\r\n", tags=("ñandú",), abstract="")

    now = store.read(TEA)
    assert (done.id, done.outcome, done.version) == (TEA, "added", 1)
    assert TEA in done.said
    assert now.body == b" \xc3\xb1\r\n"
    assert (now.priority, now.confidence, now.status) == (70, 0.7, "active")
    assert (now.text("created"), now.text("updated")) == (DAY, DAY)
    assert "abstract" not in now.fields
    assert log(store)[0] == "mem(decision): add Tea"


def test_the_same_again_is_a_no_op(store):
    """However its title is written, and blanks around its body count for nothing."""
    added(store)
    before = log(store)

    again = added(store, " ＴＥＡ ", b"\n green\r\n\n")  # noqa: RUF001 -- a wide one

    assert (again.id, again.outcome) == (TEA, "no-op")
    assert log(store) == before


def test_the_same_title_with_another_body_names_the_one(store):
    """And says how to change that."""
    added(store)

    fault = refused(store, "exists", added, store, body=b"black")

    assert fault.status == 1
    assert fault.hints[0].startswith(f"apx mem update {TEA} --body")


def test_what_is_there_already_says_if_it_does_not_count(store):
    """An archived one is to be restored, a proposed one to be accepted."""
    added(store)
    actions.archive(store, [TEA], today=DAY)
    added(store, "Water", status="proposed")

    assert refused(store, "archived", added, store).hints == (f"apx mem restore {TEA}",)
    assert "restore" in refused(store, "exists", added, store, body=b"x").hints[1]
    assert "proposed" in added(store, "Water").said


def test_another_scope_or_type_is_another_place(store):
    """And nothing about an id tells one audience what another one has."""
    names = [
        added(store, scope=scope, body=scope.encode()).id
        for scope in ("private:anna", "private:ben", "room:x:1", "", "global")
    ]
    added(store, kind="howto")

    assert names[3:] == [TEA, f"{TEA}-2"]
    assert len({name.replace("-", "") for name in names}) == 5
    assert all(len(name) == len(names[0]) for name in names[:3])
    assert not any(name.endswith("-2") for name in names[:3])


def test_titles_of_any_script_and_length_are_told_apart(store):
    """Each has a file of its own."""
    same = "the very same beginning of forty letters "
    titles = [
        "東京に引っ越す",
        "大阪に行く",
        "🚀",
        "...",
        f"{same}a",
        f"{same}b",
        "№ 5",
    ]

    names = [added(store, title, b"%d" % n).id for n, title in enumerate(titles)]

    assert len({*names}) == len(titles)
    assert [store.read(name).title for name in names] == titles
    assert names[5].endswith("-2")


def test_an_id_of_a_file_that_nobody_can_read_is_taken(store):
    """It would be written over."""
    by_hand(store, TEA, b"no frontmatter")

    assert added(store).id == f"{TEA}-2"
    assert file(store, TEA).read_bytes() == b"no frontmatter"


def test_a_draft_without_type_or_title_is_none(store):
    """Whoever made it forgot to look."""
    for fields in ({"title": "x"}, {"type": "poem", "title": "x"}, {"type": "howto"}):
        refused(store, "usage", actions.add, store, Draft(fields), today=DAY)


def test_a_subject_is_one_short_line():
    """Whatever a title holds."""
    one = Memory({"id": TEA, "title": "a\n b\t" + "é" * 90})

    assert subject("add", one) == f"mem(decision): add a b {'é' * 67}…"


# Updating.


def test_an_update_changes_what_is_given(store):
    """Lines of somebody's own stay, and so does the id."""
    head = b"---\ntitle: Tea: old\nmine: [a]  # why\ntags: [http401, v10]\n---\n\n"
    by_hand(store, TEA, head + b"green\r\n")

    done = update(store, title="New", tags=("http401", "v10", "ñandú"), priority=1)

    assert (done.id, done.outcome, done.version) == (TEA, "updated", 2)
    now = store.read(TEA)
    assert now.tags == ("http401", "v10", "ñandú")
    assert b"mine: [a]  # why\n" in now.raw
    assert (now.title, now.priority, now.body) == ("New", 1, b"green\r\n")
    assert now.text("updated") == LATER
    assert log(store)[0] == "mem(decision): update New"


def test_equal_values_change_nothing(store):
    """Also those that a file leaves out; a body is equal byte for byte."""
    by_hand(store, TEA, b"---\ntitle: Tea\n---\n\ngreen\n")
    update(store, abstract="short")
    before = log(store)

    same = {"title": "Tea", "priority": 70, "confidence": 0.7, "status": "active"}
    done = update(store, body=b"green\n", **same, scope="", tags=(), verified=None)

    assert (done.outcome, done.version, log(store)) == ("no-change", 2, before)
    assert update(store, body=b"green").outcome == "updated"


def test_a_field_goes_away(store):
    """None and nothing are the same."""
    added(store, abstract="short", tags=("a",), verified=DAY)

    update(store, abstract=None, tags=(), verified="")

    assert not {"abstract", "tags", "verified"} & store.read(TEA).fields.keys()


def test_a_version_that_is_expected(store):
    """Who did not see the last change does not write over it."""
    added(store)

    assert update(store, expect=1, priority=1).version == 2
    refused(store, "conflict", update, store, expect=1, priority=2)
    assert update(store, expect=2, priority=1).outcome == "no-change"


@pytest.mark.parametrize(
    "changes",
    [{"id": "d-x"}, {"type": "howto"}, {"version": 7}, {"title": ""}, {"title": None}],
)
def test_what_does_not_change_is_refused(store, changes):
    """A name is for ever, a version is counted, a title must be."""
    added(store)

    with pytest.raises(MemFault) as told:
        actions.update(store, TEA, changes, today=DAY)

    assert told.value.status == 2


def test_an_update_takes_no_other_ones_title(store):
    """In its own place; how it is written may change."""
    added(store)
    added(store, "Coffee")
    added(store, "Coffee", scope="x")

    fault = refused(store, "exists", update, store, title="COFFEE")
    assert "d-2026-12-05-coffee" in str(fault)
    refused(store, "exists", update, store, "d-2026-12-05-coffee-2", scope="")
    assert update(store, title="TEA").outcome == "updated"


def test_who_is_not_there(store):
    """Each act says so."""
    for act in (actions.accept, actions.reject, actions.promote, actions.restore):
        refused(store, "not_found", act, store, "d-2026-12-05-no", today=DAY)
    refused(store, "not_found", update, store, "d-2026-12-05-no", priority=1)
    refused(store, "not_found", actions.undo, store, "d-2026-12-05-no", 1, today=DAY)


# Proposed, active, archived.


def test_a_proposal_is_accepted_once(store):
    """A button that is pressed twice makes one commit."""
    added(store, status="proposed", confidence=0.5)

    done = actions.accept(store, TEA, today=LATER)

    now = store.read(TEA)
    assert (done.outcome, done.version) == ("accepted", 2)
    assert (now.status, now.confidence, now.text("verified")) == ("active", 0.8, LATER)
    assert log(store)[0] == "mem(decision): accept Tea"
    assert actions.accept(store, TEA, today=LATER).outcome == "no-op"
    assert len(log(store)) == 3
    update(store, confidence=0.95)
    actions.accept(store, TEA, today="2026-12-31")
    assert store.read(TEA).confidence == 0.95


def test_a_proposal_is_rejected_once_and_stays_so(store):
    """Whoever keeps it after all restores it."""
    added(store, status="proposed")

    assert actions.reject(store, TEA, today=DAY).outcome == "rejected"

    assert store.read(TEA).status == "archived"
    assert log(store)[0] == "mem(decision): reject Tea"
    assert actions.reject(store, TEA, today=DAY).outcome == "no-op"
    refused(store, "archived", actions.accept, store, TEA, today=DAY)
    refused(store, "archived", actions.promote, store, TEA, today=DAY)
    assert actions.restore(store, TEA, today=DAY).outcome == "restored"


def test_promoting_makes_active_and_may_widen(store):
    """It is not verified by that."""
    added(store, status="proposed", scope="room:x:1")
    (name,) = [path.stem for path in file(store, TEA).parent.iterdir()]

    assert actions.promote(store, name, scope="global", today=DAY).version == 2

    now = store.read(name)
    assert (now.status, now.text("scope")) == ("active", "global")
    assert "verified" not in now.fields
    assert actions.promote(store, name, scope=None, today=DAY).outcome == "no-op"
    added(store, body=b"other")
    refused(store, "exists", actions.promote, store, TEA, scope="global", today=DAY)
    assert actions.promote(store, name, scope="x", today=DAY).outcome == "promoted"


def test_several_are_archived_in_one_commit_or_none(store):
    """What is archived already is told apart."""
    names = [added(store, title).id for title in ("a", "b", "c")]
    actions.archive(store, names[:1], today=DAY)
    assert log(store)[0] == "mem(decision): archive a"
    before = log(store)

    refused(store, "not_found", actions.archive, store, [*names, "d-no"], today=DAY)
    done = actions.archive(store, [*names, names[1]], today=LATER)

    assert [one.outcome for one in done] == ["no-op", "archived", "archived"]
    assert [one.version for one in done] == [2, 2, 2]
    assert log(store) == ["mem: archive 2 memories", *before]
    again = actions.archive(store, names, today=LATER)
    assert {one.outcome for one in again} == {"no-op"}
    assert len(log(store)) == len(before) + 1


def test_an_archived_one_is_restored(store):
    """Once."""
    added(store)
    actions.archive(store, [TEA], today=DAY)

    done = actions.restore(store, TEA, today=DAY)

    assert (done.outcome, done.version, store.read(TEA).status) == (
        "restored",
        3,
        "active",
    )
    assert actions.restore(store, TEA, today=DAY).outcome == "no-op"


def test_one_whose_file_is_gone_comes_back_from_history(store):
    """As it was; unless another one has its title meanwhile."""
    added(store, status="proposed")
    file(store, TEA).unlink()
    file(store, TEA).parent.rmdir()

    assert actions.restore(store, TEA, today=DAY).version == 2

    assert (store.read(TEA).status, store.read(TEA).body) == ("proposed", b"green\n")
    file(store, TEA).unlink()
    other = added(store, "Coffee").id
    update(store, other, title="Tea")
    refused(store, "exists", actions.restore, store, TEA, today=DAY)


# Undoing.


def test_an_add_is_undone_by_archiving(store):
    """It stays to be restored."""
    added(store)

    done = actions.undo(store, TEA, 1, today=DAY)

    assert (done.outcome, done.version) == ("archived", 2)
    assert store.read(TEA).status == "archived"
    assert log(store)[0] == "mem(decision): undo Tea"


def test_an_update_is_undone_to_what_was_before(store):
    """With a version of its own, as nobody may take it for the old one."""
    added(store, tags=("a",))
    before = store.read(TEA)
    update(store, body=b"black", title="Coffee", tags=("b",), abstract="x")

    done = actions.undo(store, TEA, 2, today=LATER)

    now = store.read(TEA)
    assert (done.outcome, done.version) == ("restored", 3)
    assert now == before.changed(version=3, updated=LATER)
    refused(store, "conflict", actions.undo, store, TEA, 2, today=DAY)


def test_nothing_is_undone_that_somebody_wrote_since(store):
    """Neither by a command nor by hand, where the version stays."""
    added(store)
    update(store, priority=1)

    refused(store, "conflict", actions.undo, store, TEA, 1, today=DAY)
    text = file(store, TEA).read_bytes()
    by_hand(store, TEA, text + b"more\n")
    with pytest.raises(MemFault) as told:
        actions.undo(store, TEA, 2, today=DAY)
    assert told.value.code == "conflict"
    assert store.read(TEA).body == b"green\nmore\n"


def test_an_undone_title_must_be_free(store):
    """Somebody has it now."""
    added(store)
    update(store, title="Coffee")
    added(store, body=b"black")

    refused(store, "exists", actions.undo, store, TEA, 2, today=DAY)


# Merging.


def test_a_merge_is_one_commit_and_can_be_taken_back(store):
    """What was taken in is archived as it was."""
    added(store, tags=("a",), priority=90)
    other = added(store, "Coffee", b"black", tags=("b",), confidence=0.9).id
    update(store, other, abstract="x")
    before = log(store)

    dry = actions.merge(store, TEA, other, today=LATER, dry=True)
    assert (log(store), dry.version, dry.outcome) == (before, 3, "merged")
    done = actions.merge(store, TEA, other, today=LATER)

    now = store.read(TEA)
    assert (done.id, done.outcome, done.version) == (TEA, "merged", 3)
    assert (now.tags, now.priority, now.confidence) == (("a", "b"), 90, 0.9)
    assert b"black" in now.body
    assert log(store) == [f"mem(decision): merge {other} into {TEA}", *before]
    assert store.read(other).status == "archived"
    assert actions.merge(store, TEA, other, today=LATER).outcome == "no-op"
    actions.restore(store, other, today=LATER)
    assert store.read(other).body == b"black"


def test_what_cannot_be_merged(store):
    """Itself, another type, what is not there, not active, or for other people."""
    added(store)
    howto = added(store, kind="howto").id
    away = added(store, "Away").id
    actions.archive(store, [away], today=DAY)
    annas = added(store, "Annas", scope="private:anna").id
    mine = added(store, "Project", scope="api").id
    maybe = added(store, "Maybe", status="proposed").id

    for code, keep, absorb in (
        ("usage", TEA, TEA),
        ("usage", TEA, howto),
        ("not_found", TEA, "d-2026-12-05-no"),
        ("not_found", "d-2026-12-05-no", TEA),
        ("archived", TEA, away),
        ("archived", away, TEA),
        ("scope", TEA, annas),
        ("proposed", maybe, TEA),
    ):
        for dry in (False, True):
            refused(store, code, actions.merge, store, keep, absorb, today=DAY, dry=dry)
    assert actions.merge(store, TEA, mine, today=DAY).outcome == "merged"


def test_duplicates_are_found_and_left_alone(store):
    """Of one type, one scope, and active; the better one of each first."""
    best = added(store, "Use tea in the office", priority=90).id
    rest = added(store, "We use tea in the office", b"x").id
    added(store, "use tea in THE office!", b"y", kind="howto")
    added(store, "use tea in THE office!", b"y", scope="private:anna")
    added(store, "use tea in the office?", b"z", status="proposed")
    before = log(store)

    (pair,) = actions.dedup(store, 0.6, None, apply=False, today=DAY)

    assert (pair.keep, pair.absorb) == (best, rest)
    assert pair.likeness == pytest.approx(5 / 6)
    assert log(store) == before
    assert actions.dedup(store, 0.6, "howto", apply=True, today=DAY) == []
    refused(store, "usage", actions.dedup, store, 0.6, "poem", today=DAY)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"priority": 80}, {"confidence": 1.0, "verified": DAY}),
        ({"confidence": 0.8}, {"verified": DAY}),
        ({"verified": "2026-12-01"}, {"created": "2026-01-01"}),
        ({"created": "2026-12-01"}, {}),
    ],
)
def test_the_better_one_is_kept(store, one, other):
    """Priority, then confidence, then that it was verified, then age."""
    worse = added(store, "tea in the office", **other).id
    better = added(store, "we tea in the office", b"x", **one).id

    (pair,) = actions.dedup(store, 0.6, "decision", apply=True, today=LATER)

    assert (pair.keep, pair.absorb) == (better, worse)
    assert store.read(better).text("verified") == max(
        one.get("verified", ""), other.get("verified", "")
    )
    assert log(store)[0] == f"mem(decision): merge {worse} into {better}"


def test_a_chain_is_merged_into_one(store):
    """Each once, in one commit, also if its ends are not alike."""
    a, b, c = (
        added(store, title, title.encode()).id
        for title in (
            "one two three four",
            "two three four five",
            "three four five six",
        )
    )
    update(store, b, priority=90)
    x, y = (added(store, f"{n} black coffee cup", b"x", kind="howto").id for n in "xy")
    before = log(store)

    done = actions.dedup(store, 0.6, None, apply=True, today=LATER)

    assert {(pair.keep, pair.absorb) for pair in done} == {(b, a), (b, c), (x, y)}
    assert store.read(b).version == 3
    for title in (
        b"one two three four",
        b"two three four five",
        b"three four five six",
    ):
        assert title in store.read(b).body
    assert {store.read(name).status for name in (a, c, y)} == {"archived"}
    assert log(store) == ["mem: merge 3 memories", *before]
    words = git.run(store.root, "log", "-1", "--format=%b").decode()
    assert f"mem(decision): merge {a} into {b}" in words
    assert actions.dedup(store, 0.6, None, apply=True, today=LATER) == []
    assert log(store) == ["mem: merge 3 memories", *before]


# Credentials.


@pytest.mark.parametrize(
    "field", ["title", "abstract", "scope", "source", "tags", "body"]
)
def test_a_credential_comes_in_by_no_field(store, field):
    """Refused when added and when changed, unless its owner wants it so."""
    added(store)
    text = f"key {KEY}"
    value = {"tags": (text,)}.get(field, text)
    body = text.encode() if field == "body" else None
    fields = {} if field == "body" else {field: value}

    draft = Draft({"type": "howto", "title": "x", **fields}, body or b"")
    for act in (
        lambda: actions.add(store, draft, today=DAY),
        lambda: update(store, body=body, **fields),
    ):
        fault = refused(store, "secret", act)
        assert fault.status == 2
        assert KEY not in "".join((str(fault), *fault.hints))
    actions.archive(store, [TEA], today=DAY)
    refused(store, "secret", update, store, body=body, **fields)
    assert update(store, body=body, force=True, **fields).outcome == "updated"


def test_a_credential_of_an_editor_gets_no_further(store):
    """It is on this disk; but nothing makes it active, wider, or part of others."""
    tea = Memory({"id": TEA, "type": "decision", "title": "Tea", "status": "proposed"})
    secret = render(tea.saying(f"key {KEY}".encode()))
    by_hand(store, TEA, secret)
    plain = added(store, "Plain").id

    for act in (actions.accept, actions.promote):
        refused(store, "secret", act, store, TEA, today=DAY)
    by_hand(store, TEA, secret.replace(b"proposed", b"active"))
    actions.archive(store, [plain], today=DAY)
    actions.restore(store, plain, today=DAY)
    fault = refused(store, "secret", actions.merge, store, plain, TEA, today=DAY)
    assert plain in str(fault)
    assert store.read(plain).version == 3
    # Not even by being put away does it come into history.
    refused(store, "secret", actions.archive, store, [TEA], today=DAY)
    refused(store, "secret", actions.reject, store, TEA, today=DAY)
    assert not git.run(store.root, "log", "--all", f"-S{KEY}")
    by_hand(store, TEA, render(tea))
    assert actions.reject(store, TEA, today=DAY).outcome == "rejected"


def test_a_credential_in_history_is_put_away_and_not_brought_back(store):
    draft = Draft({"type": "decision", "title": "Tea"}, KEY.encode())
    actions.add(store, draft, today=DAY, force=True)

    actions.archive(store, [TEA], today=DAY)
    refused(store, "secret", actions.restore, store, TEA, today=DAY)
    assert actions.reject(store, TEA, today=DAY).outcome == "no-op"


def test_a_credential_stops_all_of_a_dedup(store):
    """Nothing is half done, and the one is named."""
    for n in "ab":
        added(store, f"{n} cup of tea there", n.encode())
    name = added(store, "c big black coffee cup").id
    draft = Draft({"type": "decision", "title": "big black coffee cup"}, KEY.encode())
    actions.add(store, draft, today=DAY, force=True)

    fault = refused(
        store, "secret", actions.dedup, store, 0.6, None, apply=True, today=DAY
    )

    assert "coffee-cup" in str(fault)
    assert store.read(name).status == "active"


def test_an_undo_brings_no_credential_back(store):
    """It was taken out for a reason."""
    added(store)
    update(store, body=KEY.encode(), force=True)
    update(store, body=b"gone")

    refused(store, "secret", actions.undo, store, TEA, 3, today=DAY)
