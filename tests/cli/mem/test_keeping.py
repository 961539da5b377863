import shutil
import subprocess

import pytest


@pytest.fixture
def remote(tmp_path):
    """A bare repository that two machines share."""
    path = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", path], check=True)  # noqa: S607 -- as apx finds it, too
    return str(path)


def test_two_machines_share_what_both_wrote(mem, remote, monkeypatch, tmp_path):
    """An empty remote first; then the other machine's memories come in."""
    mine = mem.add("mine")
    shutil.copytree(mem.root, tmp_path / "other")
    told = mem("sync", "--remote", remote)
    assert (told["pushed"] > 0, told["ahead"], told["behind"]) == (True, 0, 0)

    monkeypatch.setenv("MEM_DIR", str(tmp_path / "other"))
    theirs = mem.add("theirs", kind="howto")
    mem("update", mine, "--title", "ours")
    assert mem("sync", "--remote", remote)["pushed"] > 0

    monkeypatch.setenv("MEM_DIR", str(mem.root))
    assert mem("sync")["pulled"] == 2
    assert mem("show", theirs)["title"] == "theirs"
    assert mem("show", mine)["title"] == "ours"
    assert mem("status")["behind"] == 0
    assert mem("sync", "--hook") == {}
    assert mem.text == ""


def test_what_both_changed_is_for_a_review(mem, remote, monkeypatch, tmp_path):
    """Both texts are kept, and somebody is told to look."""
    name = mem.add("one", body="first\n", verified="2026-01-02")
    mem("sync", "--remote", remote)
    shutil.copytree(mem.root, tmp_path / "other")
    mem("update", name, "--body", "mine\n")
    mem("sync")
    monkeypatch.setenv("MEM_DIR", str(tmp_path / "other"))
    mem("update", name, "--body", "theirs\n")

    told = mem("sync")

    assert (told["merged"], told["help"]) == ([name], ["apx mem review"])
    body = mem("show", name)["body"]
    assert "mine" in body
    assert "theirs" in body
    assert [one["id"] for one in mem("review")["mem"]] == [name]


def test_a_sync_without_a_remote_says_how_to_name_one(mem):
    """And an unreachable one is a failure, in time."""
    assert "--remote" in mem("sync", code=1)["help"][0]
    told = mem("sync", "--remote", f"{mem.root}/nowhere", "--timeout", "5", code=1)
    assert told["error"]
    assert mem("sync", "--hook") == {}
    assert mem("sync", "--timeout", "0", code=2)["code"] == "usage"


def test_stats_count_by_type_status_tag_scope_and_month(mem):
    """And nothing is written by looking."""
    mem.add("one", tags="a,b", scope="web")
    mem.add("two", tags="a", kind="howto", status="proposed")
    before = mem.commits()

    told = mem("stats")

    assert told["count"] == "2 total"
    assert told["tags"] == [{"tag": "a", "count": 2}, {"tag": "b", "count": 1}]
    assert {one["scope"] for one in told["scopes"]} == {"web", "your own"}
    assert {one["status"] for one in told["states"]} == {"active", "proposed"}
    assert [one["count"] for one in told["months"]] == [2]
    assert mem.commits() == before


def test_doctor_exits_1_if_something_is_wrong(mem):
    """With what to do about it."""
    name = mem.add("one")
    assert mem("doctor")["outcome"] == "ok"
    assert mem("status")["problems"] == []
    (mem.root / "objects/howtos").mkdir(exist_ok=True)
    (mem.root / "objects/howtos/h-2026-01-02-x.md").write_bytes(b"nothing in front")

    told = mem("doctor", code=1)

    assert "h-2026-01-02-x" in told["problems"][0]["problem"]
    assert told["problems"][0]["do"]
    assert mem("status")["help"] == ["apx mem doctor"]
    assert mem("list")["mem"][0]["id"] == name


def test_purge_takes_nothing_before_it_is_told_to(mem):
    """Then it is gone from the history as well."""
    name = mem.add("a private matter", body="zqfind")

    assert mem("purge", "private-matter")["outcome"] == "dry-run"
    assert mem("show", name)["title"] == "a private matter"
    assert mem("purge", name, "--apply")["outcome"] == "purged"

    assert mem("list")["mem"] == []
    assert mem("history", name)["history"] == []
    assert mem("purge", name, "--apply")["outcome"] == "no-op"


def test_import_takes_all_or_nothing(mem, tmp_path):
    """A directory of another store, or lines of JSON."""
    good = tmp_path / "objects/decisions"
    good.mkdir(parents=True)
    (good / "d-2026-07-19-adopt-mem.md").write_bytes(
        b"---\nid: d-2026-07-19-adopt-mem\ntype: decision\ntitle: Adopt: mem\n"
        b"created: 2026-07-19\n---\n\nbody\n"
    )
    before = len(mem.commits())

    assert mem("import", str(tmp_path / "objects"), "--dry-run")["mem"] == [
        {"id": "d-2026-07-19-adopt-mem", "outcome": "added"}
    ]
    assert mem("list")["mem"] == []
    assert mem("import", str(tmp_path / "objects"))["count"] == "1 of 1 new"
    assert mem("show", "adopt-mem")["title"] == "Adopt: mem"
    assert len(mem.commits()) == before + 1
    lines = b'{"type": "howto", "title": "one"}\n{"type": "nothing", "title": "two"}\n'
    assert mem("import", "-", stdin=lines, code=2)["error"]
    assert mem("list")["count"] == "1 of 1 total"
    assert mem("import", str(tmp_path / "nowhere"), code=2)["error"]


def test_notes_become_proposals_once(mem, monkeypatch, tmp_path):
    """Never active by themselves, and never twice."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("APX_HOME", str(home))
    assert mem("promote", "--notes", code=1)["code"] == "no_notes"
    (home / "memory.md").write_text(
        "# Notes\n\n## 2026-11-30\n- [10:00][chat] the staging server is 10.0.1.5\n"
        "- [10:01][chat] never deploy on Fridays\n"
    )

    assert mem("promote", "--notes", "--dry-run")["count"] == "2 of 2 notes"
    assert mem.files() == {}
    assert mem("promote", "--notes")["count"] == "2 proposed"
    assert mem("promote", "--notes")["outcome"] == "no-op"
    assert mem("list")["mem"] == []
    assert mem("review")["count"] == "2 of 2 total"
