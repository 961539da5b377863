"""What a backup may hold, and that nothing in it changes unseen."""

import io
import os
import random
import tarfile
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apx.backup.form import ABOUT, END, SUMS, About, Member, header, padding
from apx.backup.packing import Pack
from apx.backup.unpacking import unpack
from apx.domain.errors import StoreError
from apx.store.backup import NEWEST
from tests.backup.conftest import AT, tree

ABOUT_IT = About(AT, NEWEST, 2, 1)
FLIPS = 100_000 if os.environ.get("APX_LONG") else 300


def packed(home, about=ABOUT_IT):
    return b"".join(Pack(home, None, about).stream())


def unpacked(content, tmp_path, name="out"):
    into = tmp_path / name
    into.mkdir()
    path = tmp_path / f"{name}.tar"
    path.write_bytes(content)
    with path.open("rb") as file:
        return into, unpack(file, into)


def small(tmp_path):
    home = tmp_path / "small"
    (home / "notes" / ("x" * 120)).mkdir(parents=True)
    (home / "mem" / ("empty" * 30)).mkdir(parents=True)
    (home / "notes" / ("x" * 120) / "memory.md").write_text("# Notes\n")
    (home / "memory.md").write_text("# Notes\n- tea\n")
    (home / "config.json").write_text("")
    return home


names = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1
).filter(lambda name: name not in {".", ".."} and len(name.encode()) < 250)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(names, st.binary(max_size=1500), max_size=4))
def test_what_comes_out_is_what_went_in(tmp_path_factory, files):
    """Whatever the names and sizes are; directories that are empty, too."""
    place = tmp_path_factory.mktemp("law")
    home = place / "home"
    (home / "files" / "empty").mkdir(parents=True)
    for name, content in files.items():
        (home / "files" / name).mkdir(exist_ok=True)
        (home / "files" / name / f"{name[:50]}x").write_bytes(content)

    into, about = unpacked(packed(home), place)

    assert about == ABOUT_IT
    assert tree(into) == tree(home)


def test_any_tar_can_read_it(home):
    """Whoever has lost apx has not lost what they said."""
    with tarfile.open(fileobj=io.BytesIO(packed(home))) as tar:
        names = tar.getnames()
        assert names[0] == ABOUT
        assert names[-1] == SUMS
        found = tar.extractfile("memory.md")
        assert found
        assert found.read() == (home / "memory.md").read_bytes()


@pytest.mark.timeout(600)
def test_a_bit_that_flips_is_noticed(tmp_path):
    """Wherever it is: in a file, in what is said of it, or in the blanks between."""
    content = packed(small(tmp_path))
    luck = random.Random(20261130)  # noqa: S311 -- a test that can be repeated
    places = range(len(content))
    for place in luck.sample(places, min(FLIPS, len(places))):
        changed = bytearray(content)
        changed[place] ^= 1 << luck.randrange(8)
        with pytest.raises(StoreError):
            unpacked(bytes(changed), tmp_path, f"flip-{place}")


@pytest.mark.parametrize("lost", [1, 511, 512, 1024, 1025, 2000, 5000])
def test_an_end_that_is_missing_is_noticed(tmp_path, lost):
    """A copy to a full disk ends like that."""
    with pytest.raises(StoreError):
        unpacked(packed(small(tmp_path))[:-lost], tmp_path)


@pytest.mark.parametrize("more", [b"\0", bytes(512), b"x"])
def test_nothing_stands_behind_the_end(tmp_path, more):
    with pytest.raises(StoreError, match="behind its end"):
        unpacked(packed(small(tmp_path)) + more, tmp_path)


def member(name, kind=tarfile.REGTYPE, size=0, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, size, link
    info.mode, info.mtime = 0o600, int(AT.timestamp())
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(max(0, size))


def beginning(about=ABOUT_IT):
    text = about.written()
    head = header(Member(ABOUT, len(text), int(AT.timestamp())))
    notes = header(Member("notes", 0, int(AT.timestamp()), is_directory=True))
    return head + text + padding(len(text)) + notes


@pytest.mark.parametrize(
    "odd",
    [
        member("../memory.md"),
        member("/etc/passwd"),
        member("notes/../../x"),
        member("notes/./x"),
        member("notes//x"),
        member("notes"),
        member("ledger.db/x"),
        member("ledger.db", tarfile.DIRTYPE),
        member("apx.log"),
        member("memory.db"),
        member(".restore"),
        member("log/x"),
        member(""),
        member("memory.md", tarfile.SYMTYPE, link="/etc/passwd"),
        member("notes/x", tarfile.LNKTYPE, link="memory.md"),
        member("history", tarfile.CHRTYPE),
        member("history", tarfile.BLKTYPE),
        member("history", tarfile.FIFOTYPE),
        member("history", tarfile.GNUTYPE_SPARSE),
        member("history", tarfile.XHDTYPE),
        member("history", tarfile.CONTTYPE),
        member("history", size=-512),
        member("history") * 2,
        member("files/missing/x"),
        member("files", tarfile.DIRTYPE, 512),
        header(Member("history", 1 << 62, int(AT.timestamp()))),
        header(Member("././@LongLink", 1 << 40, 0)).replace(b"0600", b"0644"),
    ],
)
def test_what_is_not_part_of_a_home_is_refused(tmp_path, odd):
    """Not written anywhere either, above all not outside."""
    before = {path.name for path in tmp_path.iterdir()}

    with pytest.raises((StoreError, OSError)):
        unpacked(beginning() + odd + END, tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == before | {"out", "out.tar"}
    assert len(list((tmp_path / "out").rglob("*"))) <= 2


@pytest.mark.parametrize("content", [b"", b"hello", bytes(2048), b"x" * 4096, END])
def test_what_is_no_backup_is_refused(tmp_path, content):
    with pytest.raises(StoreError):
        unpacked(content, tmp_path)


def test_a_newer_backup_is_refused_before_it_is_read(tmp_path):
    """Of its format, or of the ledger in it."""
    newer = replace(ABOUT_IT, schema=NEWEST + 1)
    with pytest.raises(StoreError, match="newer apx"):
        unpacked(beginning(newer), tmp_path)

    text = ABOUT_IT.written().replace(b'"format": 1', b'"format": 2')
    with pytest.raises(StoreError, match="newer apx"):
        About.read(text)


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b"\xff", b'{"made_at": 1}', b'{"made_at": "x"}']
)
def test_a_backup_that_says_nothing_of_itself_is_refused(text):
    with pytest.raises(StoreError, match="cannot be read"):
        About.read(text)
