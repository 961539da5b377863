"""Many memories at once, from files, lines and notes."""

from __future__ import annotations

import json

import pytest

from apx.mem import cache, git, importing, wanted
from apx.mem.actions import add, archive
from apx.mem.deeds import Draft
from apx.mem.faults import MemFault
from apx.mem.store import Store

DAY = "2030-05-06"
PEERS = b"---\ntitle: Use tabs: always\ntags: [a, b]\nother: kept\n---\nBecause.\r\n"


@pytest.fixture
def store(tmp_path):
    made = Store(str(tmp_path / "mem"))
    made.init()
    return made


def commits(store):
    return git.run(store.root, "log", "--format=%s").decode().splitlines()[:-1]


def titles(store):
    with cache.opened(store.root) as known:
        return {r["title"] for r in known.rows(wanted.parsed(status=wanted.ALL))}


def lines(*said):
    return "\n".join(json.dumps(one) for one in said).encode()


def taken(store, given, **more):
    return [one.outcome for one in importing.imported(store, given, today=DAY, **more)]


def test_a_store_of_another_program_is_taken_in_with_its_ids(store, tmp_path):
    """What it knows and we do not stays; a second time nothing happens."""
    folder = tmp_path / "old" / "objects" / "decisions"
    folder.mkdir(parents=True)
    (folder / "d-2026-07-19-tabs.md").write_bytes(PEERS)
    (tmp_path / "old" / ".git").mkdir()
    (tmp_path / "old" / ".git" / "x.md").write_bytes(b"no memory")

    assert taken(store, [str(tmp_path / "old")]) == ["added"]
    assert taken(store, [str(tmp_path / "old")]) == ["no-op"]
    assert store.read("d-2026-07-19-tabs").body == b"Because.\r\n"
    path = f"{store.root}/objects/decisions/d-2026-07-19-tabs.md"
    with open(path, "rb") as file:  # noqa: PTH123 -- the store's own way
        assert b"\nother: kept\n" in file.read()
    assert commits(store) == ["mem: import 1 memory"]


def test_lines_say_what_flags_would(store):
    """All of them are one commit."""
    given = lines(
        {"type": "howto", "title": "Release", "body": "1. tag\n", "tags": ["a", "ñ"]},
        {"type": "constraint", "title": "東京では", "priority": 90, "scope": "shop"},
        {"type": "constraint", "title": "大阪では"},
    )

    assert taken(store, given) == ["added"] * 3
    assert titles(store) == {"Release", "東京では", "大阪では"}
    assert commits(store) == ["mem: import 3 memories"]
    with cache.opened(store.root) as known:
        [row] = known.rows(wanted.parsed(tags=["ñ"]))
    assert store.read(row["id"]).body == b"1. tag\n"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (b"{nonsense", "line 2: no JSON"),
        (b"[1]", "line 2: no object"),
        (b'{"type": "decision"}', "line 2: a memory has a title"),
        (b'{"type": "thought", "title": "x"}', "line 2: "),
        (b'{"type": "decision", "title": "x", "priority": 101}', "line 2: priority"),
        (b'{"type": "decision", "title": "one", "body": "b"}', "another one here"),
    ],
)
def test_one_that_is_wrong_stops_all(store, wrong, says):
    """Each place is named, and nothing is written."""
    given = lines({"type": "decision", "title": "one"}) + b"\n" + wrong

    with pytest.raises(MemFault) as raised:
        taken(store, given)

    assert says in " ".join(raised.value.hints)
    assert raised.value.status == 2
    assert titles(store) == set()
    assert commits(store) == []


def test_a_credential_in_any_of_them_stops_all(store):
    """It is named by its place, never by its words; its owner may insist."""
    secret = "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a"
    given = lines({"type": "howto", "title": "Log in", "body": f"token {secret}"})

    with pytest.raises(MemFault) as raised:
        taken(store, given)

    assert "stdin, line 1" in raised.value.hints[0]
    assert secret not in " ".join((str(raised.value), *raised.value.hints))
    assert taken(store, given, force=True) == ["added"]


def test_a_dry_run_writes_nothing(store):
    """It says what would become of each."""
    given = lines({"type": "howto", "title": "Release"})

    assert taken(store, given, dry=True) == ["added"]
    assert titles(store) == set()


def test_two_that_say_the_same_are_one(store):
    """In one import, and beside what is there."""
    add(store, Draft({"type": "failure", "title": "It broke"}, b"why"), today=DAY)
    given = lines(
        {"type": "failure", "title": "it  BROKE", "body": "why\n"},
        {"type": "howto", "title": "Mend it"},
        {"type": "howto", "title": "Mend it"},
    )

    assert taken(store, given) == ["no-op", "added", "no-op"]


def test_what_is_no_file_is_named(store, tmp_path):
    """As everywhere, with all else that is wrong."""
    with pytest.raises(MemFault) as raised:
        taken(store, [str(tmp_path / "nowhere")])

    assert "nowhere: there is no such file" in raised.value.hints[0]


def test_notes_become_proposals_once(store):
    """Also if they were turned down meanwhile; long ones keep all they say."""
    long = "The gate of the house in the north " * 20
    notes = [("never touch the live shop", "2029-01-02"), (long, "2029-01-03")]

    first = importing.proposals(store, notes, scope="", today=DAY)
    archive(store, [first[0].id], today=DAY)
    again = importing.proposals(store, notes, scope="", today=DAY)

    assert [one.outcome for one in first] == ["added", "added"]
    assert again == []
    rule, gate = (store.read(one.id) for one in first)
    assert (rule.type.name, rule.text("created")) == ("constraint", "2029-01-02")
    assert rule.text("source") == importing.note_source("Never touch  the live shop")
    assert gate.status == "proposed"
    assert gate.said.strip() == long.strip()
    assert commits(store)[1] == "mem: propose 2 notes"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Never deploy on a Friday", "constraint"),
        ("Nunca despliegues los viernes", "constraint"),
        ("I prefer tea to coffee", "preference"),
        ("Prefiero el té", "preference"),
        ("Ich mag keinen Kaffee", "preference"),
        ("私は犬が好きです", "preference"),
        ("How to renew the certificate", "howto"),
        ("如何更新证书", "howto"),
        ("The backup failed because the disk was full", "failure"),
        ("The staging server moved to 10.0.1.5", "decision"),
        ("Usamos Postgres", "decision"),
    ],
)
def test_a_type_is_guessed(text, name):
    """By how people put such things; a decision where nothing tells."""
    assert importing.guessed(text) == name
