"""What two machines leave to a person: wishes that differ, credentials that came."""

from __future__ import annotations

from pathlib import Path

import pytest
import toon_format

from apx.cli.mem import main
from apx.mem import actions
from apx.mem.faults import MemFault
from apx.mem.sync import sync
from tests.mem.clones import (
    NAME,
    PATH,
    asked,
    by_hand,
    check_clean,
    memory,
    put,
    rendered,
    said,
    tree,
)

DAY = "2026-12-05"
SECRET = "hunter" + "2-Qx91-lmz"


@pytest.fixture
def mem(one, capsys, monkeypatch):
    """`apx mem` on the first machine."""

    def run(*words, code=0):
        monkeypatch.setenv("MEM_DIR", one.root)
        assert main(words) == code
        text = capsys.readouterr().out
        assert SECRET not in text
        return toon_format.decode(text, strict=True, indent_size=2)

    return run


def test_what_one_put_away_and_another_went_on_with_is_for_a_review(one, two, mem):
    actions.archive(one, [NAME], today=DAY)
    said(two, "black\n", verified=DAY)
    sync(two)

    assert mem("sync")["merged"] == [NAME]
    sync(two)

    assert tree(one) == tree(two)
    assert (mem("list")["mem"], one.read(NAME).said) == ([], "black\n")
    (row,) = mem("review")["mem"]
    assert (row["id"], row["status"]) == (NAME, "proposed")
    assert "verified" not in mem("show", NAME)
    assert "green" in asked(one, "log", "-p", "--", PATH)
    mem("review", "--reject", NAME)
    sync(one)
    assert sync(two)["merged"] == []
    assert two.read(NAME).status == "archived"
    check_clean(two)


def test_a_credential_that_came_is_told_and_stops_nothing(two, mem):
    """By its id, in what sync says and in what doctor says; what it is, by nobody."""
    soup = rendered(memory("f-2026-12-01-soup", f"password: {SECRET}\n"))
    by_hand(two, soup, "objects/failures/f-2026-12-01-soup.md")
    asked(two, "add", "objects")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@localhost")
    asked(two, *who, "commit", "--quiet", "--message=mem: by hand")
    said(two, "black\n")
    sync(two)

    told = mem("sync")

    assert (told["pulled"], told["credentials"]) == (2, ["f-2026-12-01-soup"])
    assert told["help"] == ["apx mem doctor"]
    assert told["remarks"] == ["1 of 2 that came may hold a credential"]
    assert "credentials" not in mem("sync")
    (remark,) = mem("doctor")["remarks"]
    assert "soup.md looks like it holds a credential, and is in" in remark["remark"]
    assert "apx mem purge f-2026-12-01-soup --apply" in remark["do"]
    mem("purge", "f-2026-12-01-soup", "--apply")
    assert "remarks" not in mem("doctor")


def test_what_comes_does_not_go_through_a_link(one, two, tmp_path):
    """Nor is it lost: the next sync brings it, once there is a directory again."""
    put(two, memory("h-2026-12-01-pot"))
    sync(two)
    Path(one.root, "objects/howtos").symlink_to(tmp_path)

    with pytest.raises(MemFault) as caught:
        sync(one)

    assert "is behind a symbolic link" in str(caught.value)
    assert not (tmp_path / "h-2026-12-01-pot.md").exists()
    Path(one.root, "objects/howtos").unlink()
    assert sync(one)["pulled"] == 1
    check_clean(one)
