import shutil

import pytest


def test_add_writes_one_file_and_one_commit(mem):
    """And says under which name it is."""
    told = mem("add", "--type=decision", "--title", "Postgres", "--body", "why\n")

    assert told["outcome"] == "added"
    assert told["version"] == 1
    assert list(mem.files()) == [f"objects/decisions/{told['id']}.md"]
    assert mem.files().popitem()[1].endswith(b"\n---\n\nwhy\n")
    assert mem.commits()[0] == "mem(decision): add Postgres"


def test_a_body_comes_from_stdin_or_a_file_as_it_is(mem, tmp_path):
    """Line ends and what looks like an option are kept."""
    (tmp_path / "body.md").write_bytes(b"a\r\n--- b\r\n")

    one = mem("add", "--type=howto", "--title=one", "--body", "-", stdin=b"--full\n\n")
    two = mem("add", "--type=howto", "--title=2", f"--body-file={tmp_path}/body.md")

    files = mem.files()
    assert files[f"objects/howtos/{one['id']}.md"].endswith(b"---\n\n--full\n\n")
    assert files[f"objects/howtos/{two['id']}.md"].endswith(b"---\n\na\r\n--- b\r\n")


def test_the_same_again_is_a_no_op_and_another_body_is_refused(mem):
    """Who repeats a command does no harm; who means another text is told how."""
    name = mem.add("Postgres", body="why")
    before = mem.commits()

    assert mem("add", "--type=decision", "--title= POSTGRES ", "--body=why\n") == {
        "outcome": "no-op",
        "id": name,
        "version": 1,
        "said": f"{name} says that already",
        "help": [f"apx mem show {name}"],
    }
    told = mem("add", "--type=decision", "--title=Postgres", "--body=no", code=1)

    assert told["code"] == "exists"
    assert told["help"] == [f"apx mem update {name} --body ..."]
    assert mem.commits() == before


@pytest.mark.parametrize(
    "words",
    [
        ["add", "--type", "decision", "--title"],
        ["add", "--type", "decision", "--title", "--body", "x"],
        ["add", "--type", "decision"],
        ["add", "--title", "x"],
        ["add", "--type", "decision", "--title", ""],
        ["add", "--type", "decision", "--title", "x", "--bogus", "1"],
        ["add", "--type", "decisions", "--title", "x"],
        ["add", "--type", "decision", "--title", "x", "stray"],
        ["add", "--type", "decision", "--title", "x", "--title", "y"],
        ["add", "--type", "decision", "--title", "x", "--force=yes"],
        ["add", "--type", "decision", "--title", "x", "--priority", "101"],
        ["add", "--type", "decision", "--title", "x", "--priority", "-1"],
        ["add", "--type", "decision", "--title", "x", "--confidence", "banana"],
        ["add", "--type", "decision", "--title", "x", "--confidence", "nan"],
        ["add", "--type", "decision", "--title", "x", "--verified", "2026-13-01"],
        ["add", "--type", "decision", "--title", "x", "--abstract", "a" * 121],
        ["add", "--type", "decision", "--title", "x", "--tags", "[a]"],
        ["add", "--type", "decision", "--title", "x", "--status", "archived"],
        ["add", "--type", "decision", "--title", "x", "--body-file", "/nowhere"],
        ["add", "--type", "decision", "--title", "x", "--body-file", "/dev/zero"],
        [
            "add",
            "--type",
            "decision",
            "--title",
            "x",
            "--body=a",
            "--body-file=/dev/null",
        ],
        ["update"],
        ["update", "one"],
        ["update", "one", "--title", ""],
        ["update", "one", "--tags", "+a,b"],
        ["update", "one", "--expect", "x", "--title", "y"],
        ["update", "one", "two", "--title", "y"],
        ["merge", "one"],
        ["merge", "one", "one"],
        ["dedup", "--threshold", "2"],
        ["review", "--accept", "one", "--reject", "one"],
        ["promote"],
        ["archive"],
        ["list", "--limit", "0"],
        ["list", "--status", "gone"],
        ["list", "--format", "yaml"],
        ["search"],
        ["search", " "],
        ["search", "x", "--any", "--regex"],
        ["import"],
        ["hooks", "emacs"],
        ["help", "nothing"],
        ["liist"],
        ["--bogus"],
        ["-v"],
    ],
    ids=" ".join,
)
def test_what_is_asked_in_a_wrong_way_writes_nothing(mem, words):
    """It exits 2 with one error on stdout, and nothing on stderr."""
    mem.add("one")
    files, commits = mem.files(), mem.commits()

    told = mem(*words, code=2)

    assert told["error"]
    assert told["code"] == "usage"
    assert mem.text.count("error:") == 1
    assert (mem.files(), mem.commits()) == (files, commits)


def test_a_body_that_is_no_text_is_refused(mem):
    """Half a file would be worse than none."""
    told = mem("add", "--type=howto", "--title=x", "--body=-", stdin=b"\xff", code=2)

    assert "UTF-8" in told["error"]


def test_update_changes_what_is_given_and_nothing_else(mem):
    """Its version counts the writes; an empty text takes a field away."""
    name = mem.add("one", tags="a,b", scope="web", body="text")

    told = mem("update", name, "--priority", "5", "--scope", "", "--verified", "today")

    assert (told["outcome"], told["version"]) == ("updated", 2)
    shown = mem("show", name)
    assert (shown["priority"], shown["tags"], shown["body"]) == (5, ["a", "b"], "text")
    assert shown["verified"] == shown["updated"]
    assert "scope" not in shown


def test_a_whole_id_is_found_without_a_look_at_all_files(mem):
    """And one that is no file's is looked for among them."""
    name = mem.add("one")
    shutil.rmtree(mem.root / ".cache")

    assert mem("update", name, "--body", "two")["version"] == 2
    assert not (mem.root / ".cache").exists()
    assert mem("update", name[2:], "--body", "three")["version"] == 3
    assert mem("update", "d-one", "--body", "four", code=1)["code"] == "not_found"
    assert mem("update", "d/../x", "--body", "four", code=1)["code"] == "not_found"


def test_equal_values_change_nothing(mem):
    """No commit, no new version: the body included."""
    name = mem.add("one", tags="http401,v10,ñandú", priority="60", body="text")
    before = mem.commits()

    told = mem("update", name, "--title=one", "--tags=http401,v10,ñandú", "--body=text")

    assert (told["outcome"], told["version"]) == ("no-change", 1)
    assert mem.commits() == before


def test_tags_come_and_go_one_by_one(mem):
    """Without that the others must be known."""
    name = mem.add("one", tags="a,b")

    mem("update", name, "--tags", "+c,-a,+b")
    assert mem("show", name)["tags"] == ["b", "c"]
    mem("update", name, "--tags=-b,-c")
    assert "tags" not in mem("show", name)
    assert mem("update", name, "--tags", "-x")["outcome"] == "no-change"


def test_an_expected_version_that_is_past_is_refused(mem):
    """Who read version 1 does not overwrite what version 2 says."""
    name = mem.add("one")
    mem("update", name, "--title", "two")

    told = mem("update", name, "--title", "three", "--expect", "1", code=1)

    assert told["code"] == "conflict"
    assert mem("update", name, "--title", "three", "--expect", "2")["version"] == 3


def test_merge_takes_one_in_and_restore_brings_it_back(mem):
    """Dry, it says what it would do."""
    keep = mem.add("use postgres", tags="a", priority="10")
    absorb = mem.add("postgres it is", tags="b", priority="90", confidence="0.9")
    before = mem.files()

    assert mem("merge", keep, absorb, "--dry-run")["outcome"] == "dry-run"
    assert mem.files() == before
    assert mem("merge", keep, absorb)["outcome"] == "merged"

    shown = mem("show", keep)
    assert (shown["tags"], shown["priority"]) == (["a", "b"], 90)
    assert mem.commits()[0] == f"mem(decision): merge {absorb} into {keep}"
    assert mem("restore", absorb)["outcome"] == "restored"
    assert mem("list")["count"] == "2 of 2 total"


def test_dedup_lists_pairs_and_merges_them_on_request(mem):
    """Dry by default: nothing is written."""
    one = mem.add("the ledger runs on postgres", priority="90")
    two = mem.add("our ledger runs on postgres", priority="10")
    mem.add("東京に引っ越す")
    before = mem.files()

    told = mem("dedup")

    assert told["outcome"] == "dry-run"
    assert [{pair["keep"], pair["absorb"]} for pair in told["pairs"]] == [{one, two}]
    assert mem.files() == before
    assert mem("dedup", "--apply")["outcome"] == "merged"
    assert mem("list")["count"] == "2 of 2 total"
    assert mem("dedup") == {"outcome": "dry-run", "count": "0 pairs", "pairs": []}


def test_review_lists_what_is_doubtful_and_takes_an_answer(mem):
    """Proposed, below the floor, or never verified."""
    mem.add("sure", verified="2026-01-02", confidence="0.9")
    doubted = mem.add("doubted", verified="2026-01-02", confidence="0.4")
    proposed = mem.add("proposed", status="proposed")
    new = mem.add("new")

    told = mem("review")

    assert told["count"] == "3 of 4 total"
    assert [one["id"] for one in told["mem"]] == [proposed, doubted, new]
    assert list(told["mem"][0]) == ["id", "title", "status", "confidence"]
    done = mem("review", "--accept", proposed, "--accept", "doubted", "--reject", new)
    assert [one["outcome"] for one in done["mem"]] == [
        "accepted",
        "accepted",
        "rejected",
    ]
    assert mem("review")["mem"] == []
    assert mem("show", proposed)["status"] == "active"


def test_archive_takes_several_in_one_commit(mem):
    """And restore says so if there is nothing to do."""
    one, two = mem.add("first"), mem.add("second")
    before = len(mem.commits())

    assert mem("archive", one, "second")["count"] == "2 done"

    assert len(mem.commits()) == before + 1
    assert mem("restore", two)["outcome"] == "restored"
    assert mem("restore", two)["outcome"] == "no-op"


def test_promote_makes_a_proposal_active(mem):
    """With a scope, for all who are of it."""
    name = mem.add("one", status="proposed")

    assert mem("promote", name, "--scope", "global")["outcome"] == "promoted"

    shown = mem("show", name)
    assert (shown["status"], shown["scope"]) == ("active", "global")
    assert mem("promote", name)["outcome"] == "no-op"


def test_a_credential_is_refused_in_every_field_unless_forced(mem):
    """The owner in the terminal may know better."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2

    for flag in ("--title", "--body", "--abstract", "--tags", "--scope", "--source"):
        words = ["--type=howto", f"{flag}={secret}"]
        words += [] if flag == "--title" else ["--title=x"]
        told = mem("add", *words, code=2)
        assert told["code"] == "secret"
        assert secret not in mem.text
    assert mem.files() == {}
    assert mem("add", "--type=howto", f"--title={secret}", "--force")["version"] == 1
