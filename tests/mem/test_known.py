"""The memories that hold now, as a process that stays knows them."""

import os
import time

import pytest

from apx.mem.known import Known
from apx.mem.memory import Memory
from apx.mem.store import Store

OLD = time.time() - 100
AUDIENCES = {
    "": "private:owner",
    "example-api": "private:owner",
    "global": "shared",
    "private:anna": "private:anna",
    "room:telegram:7:-100": "room:telegram:7:-100",
}


@pytest.fixture
def root(tmp_path):
    """A place for a store; git is not asked for anything."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "objects").mkdir()
    return tmp_path


def put(root, name, title, *more, body="", at=OLD):
    kind = Memory({"id": name}).type
    path = root / "objects" / kind.folder / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    lines = [f"id: {name}", f"title: {title}", *more]
    path.write_text("\n".join(["---", *lines, "---", "", body]))
    os.utime(path, (at, at))
    return path


def test_only_what_is_active_holds(root):
    """Proposals wait, archived ones are over, broken ones say nothing."""
    put(root, "d-1-a", "a: b", "tags: [x, y]", "abstract: c", body="text\n")
    put(root, "d-1-b", "b", "status: proposed")
    put(root, "d-1-c", "c", "status: archived")
    (root / "objects/decisions/d-1-d.md").write_text("no frontmatter")
    (root / "objects/decisions/d-1-e.md").symlink_to("d-1-a.md")
    os.mkfifo(root / "objects/decisions/d-1-f.md")

    found = Known(str(root)).facts()

    assert list(found) == ["d-1-a"]
    one = found["d-1-a"]
    assert (one.title, one.abstract, one.body) == ("a: b", "c", "text")
    assert one.tags == ("x", "y")
    assert (one.kind, one.priority) == ("decision", 70)


@pytest.mark.parametrize(("scope", "audience"), AUDIENCES.items())
def test_a_scope_says_who_sees_it(root, scope, audience):
    """Anything else than these is a word of the owner's."""
    put(root, "d-1-a", "a", f'scope: "{scope}"', "source: untrusted:guest")

    (one,) = Known(str(root)).facts().values()

    assert one.audience == audience
    assert one.is_foreign


def test_the_day_is_the_latest(root):
    """A decision that was verified last week is not of last year."""
    put(root, "d-1-a", "a", "created: 2026-01-01", "verified: 2026-05-05")

    (one,) = Known(str(root)).facts().values()

    assert one.day == "2026-05-05"


def test_what_did_not_change_is_the_same_object(root):
    """So its words are not read again; what changed is seen at once."""
    put(root, "d-1-a", "a")
    path = put(root, "d-1-b", "b")
    known = Known(str(root))
    first = known.facts()

    put(root, "d-1-b", "B", at=OLD + 1)
    put(root, "d-1-c", "c")
    second = known.facts()
    path.unlink()

    assert second["d-1-a"] is first["d-1-a"]
    assert second["d-1-b"].title == "B"
    assert sorted(second) == ["d-1-a", "d-1-b", "d-1-c"]
    assert sorted(known.facts()) == ["d-1-a", "d-1-c"]


def test_a_change_in_the_same_tick_is_seen(root):
    """Clocks of file systems are slow: what is fresh is read again."""
    path = put(root, "d-1-a", "0", at=time.time())
    known = Known(str(root))
    for number in range(200):
        with path.open("r+") as file:
            file.write(f"---\nid: d-1-a\ntitle: {number % 10}\n")

        assert known.facts()["d-1-a"].title == str(number % 10)


def test_rules_need_no_look_at_the_rest(root):
    """They are in every prompt, also in the first one of a process."""
    put(root, "c-1-a", "never")
    put(root, "d-1-b", "b")
    known = Known(str(root))

    assert list(known.rules()) == ["c-1-a"]
    assert not known.is_warm
    assert sorted(known.facts()) == ["c-1-a", "d-1-b"]
    assert known.is_warm


def test_no_store_holds_nothing(tmp_path):
    """And none is made by looking."""
    known = Known(str(tmp_path / "mem"))

    assert not known.is_there()
    assert known.facts() == {}
    assert not Store(str(tmp_path / "mem")).is_there()
    assert list(tmp_path.iterdir()) == []
