"""What the cache says is what the files say, whatever happens to either."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apx.mem import cache, scan, tables, wanted
from apx.mem.known import Known
from apx.mem.memory import FOLDERS
from apx.mem.store import Store
from tests.mem.papers import asked, found, put, told

TEA = "p-2026-12-01-tea"
OUT = "f-2026-12-02-outage"
OLD = "d-2026-11-01-old"
NEW = "d-2026-12-03-new"


@pytest.fixture
def root(tmp_path):
    """A store of three memories."""
    place = tmp_path / "mem"
    put(place, TEA, "Green tea", "No sugar.", priority=90)
    put(place, OUT, "The mail was down", "For an hour,\nafter an update.")
    put(place, OLD, "Postgres", status="archived", tags="[te, sql]")
    return place


@pytest.fixture
def later(monkeypatch):
    """Ten seconds on: no file is so new that its next change might not be seen."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 10_000_000_000)


def edited(path):
    path.write_text(path.read_text().replace("Green", "Black"))


def disguised(path):
    """Another text of the same length, by a program that keeps the time of a file."""
    before = path.stat()
    edited(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(path):
    other = path.with_suffix(".tmp")
    other.write_text(path.read_text().replace("Green", "Black"))
    shutil.copystat(path, other)
    other.replace(path)


def renamed(path):
    path.rename(path.with_name("p-2026-12-01-black.md"))


def exchanged(path):
    """Names that change places, of files that stay the same."""
    other = put(path.parents[2], "p-2026-12-01-other", "Other")
    os.utime(other, ns=(1, 1))
    asked(path.parents[2], lambda known: known.total())
    third = path.with_name("third")
    other.rename(third)
    path.rename(other)
    third.rename(path)


@pytest.mark.parametrize(
    "change", [edited, disguised, replaced, renamed, exchanged, Path.unlink]
)
@pytest.mark.parametrize("clock", ["now", "later"])
def test_a_change_is_seen_at_once(root, change, clock, request):
    """By whoever, also within one tick of the file system's clock."""
    path = root / f"objects/preferences/{TEA}.md"
    if clock == "later":
        request.getfixturevalue("later")
    told(root)

    change(path)

    seen = told(root)
    shutil.rmtree(root / ".cache")
    assert seen == told(root)


def test_who_looked_just_now_looks_no_more(root, monkeypatch):
    """A write looked at all folders when it began: the cache takes that."""
    told(root)
    put(root, NEW)
    seen = {name: scan.glance(str(root), name) for name in FOLDERS}
    monkeypatch.delattr(scan, "glance")

    with cache.Cache(str(root), tables.connected(str(root), seen=seen)) as known:
        assert known.row(NEW)


@pytest.mark.usefixtures("later")
def test_an_added_file_is_seen_at_once(root):
    """Although a name that was not there has no time of its own to compare."""
    told(root)

    put(root, NEW, "New")

    assert NEW in found(root, "new")


@pytest.mark.usefixtures("later")
def test_what_did_not_change_is_not_read_again(root):
    """Thousands of files are only looked at."""
    told(root)
    before = (root / ".cache/mem.db").stat()

    told(root)

    after = (root / ".cache/mem.db").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("clock", ["now", "later"])
def test_what_may_change_unseen_is_read_again(root, clock, request):
    """A file that changes twice within a tick of a clock has one time for both."""
    if clock == "later":
        request.getfixturevalue("later")
    told(root)

    with sqlite3.connect(root / ".cache/mem.db") as db:
        glances = db.execute("select glances from state").fetchone()[0].split(" ")
        marks = [mark for (mark,) in db.execute("select mark from files")]

    assert [bool(glance) for glance in glances].count(False) == (clock == "now") * 3
    assert marks.count(None) == (clock == "now") * 3


def test_a_touched_file_only_has_another_time(root):
    """It is the fourth thing that the order of a list depends on."""
    told(root)
    os.utime(root / f"objects/preferences/{TEA}.md", ns=(7, 7))

    row = asked(root, lambda known: known.row(TEA))

    assert (row["mtime"], row["title"]) == (7, "Green tea")


def nothing(place):
    shutil.rmtree(place)


def a_file(place):
    shutil.rmtree(place)
    place.write_text("not a directory")


def a_link(place):
    elsewhere = place.parent.parent / "elsewhere"
    shutil.rmtree(place)
    elsewhere.mkdir()
    place.symlink_to(elsewhere)


def a_linked_file(place):
    elsewhere = place.parent.parent / "elsewhere"
    (place / "mem.db").unlink()
    # An empty file would be made a database.
    elsewhere.write_text("")
    (place / "mem.db").symlink_to(elsewhere)


def a_directory(place):
    (place / "mem.db").unlink()
    (place / "mem.db").mkdir()


def garbage(place):
    (place / "mem.db").write_bytes(b"garbage " * 1000)


def empty(place):
    (place / "mem.db").write_bytes(b"")


def a_half(place):
    data = (place / "mem.db").read_bytes()
    (place / "mem.db").write_bytes(data[: len(data) // 2])


def holes(place):
    """All but the first page, which says what tables there are."""
    data = (place / "mem.db").read_bytes()
    (place / "mem.db").write_bytes(data[:4096] + b"\0" * (len(data) - 4096))


def another_form(place):
    changed(place, "update state set form = 0")


def without_a_table(place):
    changed(place, "drop table texts")


def of_another_program(place):
    (place / "mem.db").unlink()
    changed(place, "create table memories (id, text)")


def changed(place, statement):
    db = sqlite3.connect(place / "mem.db")
    db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "damage",
    [
        nothing,
        a_file,
        a_link,
        a_linked_file,
        a_directory,
        garbage,
        empty,
        a_half,
        holes,
        another_form,
        without_a_table,
        of_another_program,
    ],
)
@pytest.mark.parametrize("clock", ["now", "later"])
def test_whatever_the_cache_is_the_answers_are_the_same(root, damage, clock, request):
    """It is made anew, or done without."""
    if clock == "later":
        request.getfixturevalue("later")
    before = told(root)
    damage(root / ".cache")

    assert told(root) == before
    assert told(root) == before
    elsewhere = root.parent / "elsewhere"
    assert not elsewhere.is_dir() or not list(elsewhere.iterdir())
    assert not elsewhere.is_file() or not elsewhere.read_text()


@pytest.mark.parametrize("damage", [holes, without_a_table])
@pytest.mark.usefixtures("later")
def test_a_damaged_cache_is_made_anew(root, damage):
    """Also if it is only noticed when something is asked; the next one is fast."""
    before = told(root)
    damage(root / ".cache")

    told(root)

    assert told(root) == before
    with sqlite3.connect(root / ".cache/mem.db") as db:
        assert db.execute("select count(*) from texts").fetchone() == (3,)


@pytest.mark.parametrize("lock", ["immediate", "exclusive"])
def test_nobody_waits_for_ever(root, lock):
    """A process that holds the cache and sleeps costs others time, not answers."""
    told(root)
    put(root, NEW, "New")
    db = sqlite3.connect(root / ".cache/mem.db", isolation_level=None)
    db.execute(f"begin {lock}")

    with cache.opened(str(root), wait=0) as known:
        rows = known.rows(wanted.parsed("new"))

    db.close()
    assert [row["id"] for row in rows] == [NEW]


def test_others_read_while_one_has_it_open(root):
    """Who shows a list in a pager keeps nobody from bringing the cache up to date."""
    with cache.opened(str(root)) as known:
        known.rows(wanted.parsed())
        put(root, NEW, "New")

        with cache.opened(str(root), wait=0) as other:
            assert other.total() == 3

        with sqlite3.connect(root / ".cache/mem.db") as db:
            assert db.execute("select count(*) from memories").fetchone() == (4,)


def test_nothing_is_made_where_no_store_is(tmp_path):
    """A question leaves no trace."""
    assert told(tmp_path / "none") == ([], [], [], 0)
    assert not (tmp_path / "none").exists()


def test_only_the_owner_reads_the_cache(root):
    """It has the words of all memories."""
    told(root)

    assert (root / ".cache").stat().st_mode & 0o777 == 0o700
    assert (root / ".cache/mem.db").stat().st_mode & 0o777 == 0o600


# A file of this many bytes is the largest that the disk has room for.
FULL = """
import resource, signal, sys
from apx.mem import cache, wanted
from apx.mem.known import Known
from apx.mem.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
with cache.opened(sys.argv[1]) as known:
    print(known.total(), len(known.rows(wanted.parsed("tea"))))
"""

# Pages are written before the end, as there is no room for them in memory.
KILLED = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/.cache/mem.db", isolation_level=None)
db.execute("pragma cache_size = 2")
db.execute("begin")
for at in range(2000):
    db.execute("insert into texts values (?, 'lost', 'lost')", (100 + at,))
db.execute("update memories set title = 'lost'")
db.execute("update state set glances = 'lost'")
os.kill(os.getpid(), signal.SIGKILL)
"""

# Each adds a memory, and finds it beside those of others.
ADDING = """
import os, sys
from apx.mem import cache, wanted
from apx.mem.known import Known
from apx.mem.store import Store
root, at = sys.argv[1:]
for turn in range(5):
    name = f"d-2026-12-04-fact-{at}-{turn}"
    with open(f"{root}/objects/decisions/{name}.md", "w") as file:
        file.write(f"---\\ntitle: Fact {at} of {turn}\\n---\\n\\nte\\n")
    with cache.opened(root) as known:
        wish = wanted.parsed(f"fact {at} of {turn}")
        assert name in [row["id"] for row in known.rows(wish)], name
"""


def started(program, *words):
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("size", [0, 20_000])
def test_a_full_disk_is_no_reason_not_to_answer(root, size):
    """Neither for a cache that is to be made, nor for one that is to be renewed."""
    if size:
        told(root)
        put(root, NEW, "More tea")

    out, err = started(FULL, root, size).communicate(timeout=30)

    assert (out, err) == ("3 2\n" if size else "2 1\n", "")
    assert len(found(root)) == (3 if size else 2)


@pytest.mark.usefixtures("later")
def test_a_killed_writer_leaves_nothing_half(root):
    """What it had written of its changes is taken back."""
    before = told(root)

    killed = started(KILLED, root)
    killed.communicate(timeout=30)

    assert killed.returncode == -signal.SIGKILL
    assert (root / ".cache/mem.db-journal").stat().st_size
    assert told(root) == before


def test_processes_at_once_see_their_own_and_lose_nothing(root):
    """Each brings the cache up to date while the others do."""
    running = [started(ADDING, root, at) for at in range(6)]

    for one in running:
        assert one.communicate(timeout=50)[1] == ""
    seen = told(root)
    assert seen[3] == 2 + 6 * 5
    shutil.rmtree(root / ".cache")
    assert told(root) == seen


def test_what_is_no_memory_is_listed_or_left_alone(root):
    """Nothing that lies between the files keeps them from being found."""
    before = told(root)[0]
    place = root / "objects/decisions"
    (place / "README.md").write_text("Notes on decisions.")
    (place / "d-2026-01-01-bare.md").write_text("No frontmatter.")
    (place / "d-2026-01-02-empty.md").write_text("")
    (place / "d-2026-01-03-bytes.md").write_bytes(b"---\ntitle: \xff\n---\n")
    (place / "d-2026-01-04-directory.md").mkdir()
    (place / "d-2026-01-05-link.md").symlink_to(root / f"objects/preferences/{TEA}.md")
    os.mkfifo(place / "d-2026-01-06-pipe.md")
    for name in (f".{OLD}.md", f"{OLD}.md~", f"{OLD}.md.swp", ".tmp", f"{OLD}.txt"):
        (place / name).write_text("---\ntitle: te\n---\n")
    (place / "deeper").mkdir()
    shutil.copy(place / f"{OLD}.md", place / "deeper")

    rows, _, odd, _ = told(root)

    assert rows == before
    bare = "line 1: no frontmatter (a line ---)"
    assert {path.removeprefix("objects/decisions/"): why for path, why in odd} == {
        "README.md": "the name of the file is no id",
        "d-2026-01-01-bare.md": bare,
        "d-2026-01-02-empty.md": bare,
        "d-2026-01-03-bytes.md": "line 2: not UTF-8",
    }
    assert told(root)[2] == odd


def test_a_copy_in_the_wrong_folder_is_told_and_harms_nothing(root):
    """It has the id of a memory that is where it belongs."""
    (root / "objects/howtos").mkdir()
    before = told(root)[0]

    shutil.copy(root / f"objects/decisions/{OLD}.md", root / "objects/howtos")

    why = "its name belongs into decisions/"
    assert told(root)[2] == [(f"objects/howtos/{OLD}.md", why)]
    (root / f"objects/howtos/{OLD}.md").unlink()
    assert told(root)[0] == before


def test_an_unreadable_file_that_is_mended_is_found(root):
    """As soon as it is."""
    path = root / f"objects/preferences/{TEA}.md"
    text = path.read_text()
    path.write_text("gone")
    assert found(root) == [OUT]

    path.write_text(text)

    assert found(root) == [TEA, OUT]
    assert told(root)[2] == []


def test_a_linked_folder_is_told_and_not_followed(root, tmp_path):
    """A cloned store must not show what lies elsewhere."""
    (root / "objects/howtos").symlink_to(tmp_path)

    assert [path for path, _ in told(root)[2]] == ["objects/howtos"]


@pytest.mark.parametrize("number", ["1" + "0" * 40, "-1" + "0" * 40, "1e999", ".nan"])
def test_any_number_in_a_file_can_be_kept(root, number):
    """A person may write what they like."""
    put(root, NEW, priority=number, confidence=number, version=number)

    assert len(found(root)) == 3


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        (NEW, [NEW]),
        ("2026-12-03-new", [NEW]),
        ("new", [NEW]),
        ("d-2026-12-03", [NEW]),
        ("outage", [OUT]),
        ("age", [OUT]),
        ("d-2026", [OLD, NEW]),
        ("e", [OUT]),
        ("tea", [TEA]),
        ("2026-12-01-tea", ["h-2026-12-01-tea", TEA]),
        ("f-", [OUT]),
        ("broken", ["c-2026-12-05-broken"]),
        ("", []),
        ("zzz", []),
        ("%", []),
        ("_ew", []),
        ("d-2026-12-0_-new", []),
        ("README", []),
        ("\udcff", []),
    ],
)
def test_a_part_of_an_id_means_all_that_have_it(tmp_path, name, ids):
    """As it stands; a whole one, or all behind the date, means nothing else."""
    for one in (TEA, OUT, OLD, NEW, "h-2026-12-01-tea-2", "h-2026-12-02-green-tea"):
        put(tmp_path, one)
    if len(ids) > 1 and TEA in ids:
        put(tmp_path, ids[0])
    (tmp_path / "objects/constraints").mkdir()
    (tmp_path / "objects/constraints/c-2026-12-05-broken.md").write_text("")
    (tmp_path / "objects/constraints/README.md").write_text("")

    assert asked(tmp_path, lambda known: known.find(name)) == ids


def test_ids_are_taken_by_files_that_cannot_be_read(root):
    """A new memory must not replace them."""
    (root / "objects/decisions/d-2026-12-05-broken.md").write_text("")

    ids = asked(root, lambda known: known.ids())

    assert ids == {TEA, OUT, OLD, "d-2026-12-05-broken"}


def test_the_same_title_is_found_in_its_type_and_scope(root):
    """However it is cased and spaced, archived too."""
    put(root, NEW, "Post  GRES", scope="room:x")

    def same(title, scope="", kind="decision"):
        return asked(root, lambda known: known.same(kind, scope, title))

    assert [row["id"] for row in same(" postgres ")] == [OLD]
    assert [row["id"] for row in same("post gres", "room:x")] == [NEW]
    assert same("postgres", kind="howto") == same("postgre") == []


@pytest.mark.usefixtures("later")
def test_of_one_type_only_its_folder_is_looked_at(root):
    """A command that adds a memory asks only whether its type has the title."""
    told(root)
    put(root, NEW, "New")
    put(root, "h-2026-12-03-new", "New")

    with cache.opened(str(root), "decision") as known:
        assert [row["id"] for row in known.same("decision", "", "new")] == [NEW]
        assert known.same("howto", "", "new") == []
    with cache.opened(str(root), "decision") as known:
        assert known.same("howto", "", "new") == []

    assert len(found(root, "new")) == 2
    shutil.rmtree(root / ".cache")
    with cache.opened(str(root), "decision") as known:
        assert known.total() == 4


def test_counts_are_of_each_type_and_status(root):
    """What the home view and the statistics show."""
    put(root, NEW, "New", status="archived")

    with cache.opened(str(root)) as known:
        assert [tuple(row) for row in known.counts()] == [
            ("decision", "archived", 2),
            ("failure", "active", 1),
            ("preference", "active", 1),
        ]
        assert (known.total(), known.total("all"), known.total("archived")) == (2, 4, 2)


def test_a_row_says_what_a_list_shows(root):
    """Without a look at the file."""
    put(root, NEW, "New", "Some\r\n\r\nwords " + "w" * 200, tags="[a, 'b c']")

    row = asked(root, lambda known: known.row(NEW))

    assert row["start"] == "Some words " + "w" * 149
    assert (row["size"], row["tags"]) == (214, "a\nb c")
    assert (row["priority"], row["confidence"], row["version"]) == (70, 0.7, 1)
    assert asked(root, lambda known: known.row("d-2026-12-09-none")) is None


def test_a_list_is_read_in_its_order(root):
    """Not sorted: what it costs does not depend on how many memories there are."""
    with cache.opened(str(root)) as known:
        plan = known._db.execute(
            "explain query plan select * from memories where status = 'active'"
            " order by priority desc, fresh desc, created desc, mtime desc, id limit 5"
        ).fetchall()

    assert [row[3] for row in plan] == ["SEARCH memories USING INDEX ranked (status=?)"]


@pytest.mark.usefixtures("later")
def test_a_part_of_a_change_is_no_change(root):
    """What fails in the middle is as if it had not begun."""
    told(root)
    put(root, NEW, "New")
    changed(root / ".cache", "drop table words")

    assert NEW in found(root, "new")


def test_a_name_that_is_no_text_hides_no_other(tmp_path):
    """An archive of another machine may bring one."""
    store = Store(str(tmp_path / "mem"))
    store.init()
    folder = tmp_path / "mem/objects/decisions"
    folder.mkdir()
    for name in ("d-1-tea.md", "d-\udcff.md"):
        (folder / name).write_bytes(b"---\ntitle: tea\n---\n")

    with cache.opened(store.root) as found:
        rows = found.rows(wanted.parsed())

    assert [row["id"] for row in rows] == ["d-1-tea"]
    assert [*Known(store.root).facts()] == ["d-1-tea"]
