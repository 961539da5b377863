"""What people attach lies on the disk once, privately and whole."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
import time
from threading import Lock
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.errors import DamagedStore, HomeError, InputError
from apx.store.files import Files, Kept, _Incoming

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

HOUR = 3600.0
PHOTO = b"a photo"
SHA = hashlib.sha256(PHOTO).hexdigest()


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "files")


async def coming(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def there(tmp_path: Path) -> list[str]:
    """Name all that lies in the directory, at any depth."""
    found = (tmp_path / "files").rglob("*")
    return sorted(path.name for path in found if path.is_file())


def grow_old(path: Path) -> None:
    then = time.time() - 2 * HOUR
    os.utime(path, (then, then))


async def test_a_file_is_kept_under_the_sum_of_its_bytes(files: Files, tmp_path: Path):
    """Its name proves its contents, in whatever pieces it came."""
    kept = await files.keep(coming(b"a ", b"", b"photo"), 100)

    assert kept == Kept(SHA, len(PHOTO))
    assert files.path(SHA) == tmp_path / "files" / SHA[:2] / SHA
    assert files.read(SHA) == PHOTO


async def test_the_same_bytes_twice_are_one_file(files: Files, tmp_path: Path):
    """Also at the same time."""
    kept = await asyncio.gather(*(files.keep(coming(PHOTO), 100) for _ in range(8)))

    assert set(kept) == {Kept(SHA, len(PHOTO))}
    assert there(tmp_path) == [SHA]


async def test_nothing_is_a_file_as_well(files: Files):
    """A platform may well bring an empty one."""
    kept = await files.keep(coming(), 0)

    assert kept.size == 0
    assert files.read(kept.sha) == b""


@pytest.fixture(params=[0o000, 0o022, 0o277])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_umask")
async def test_files_are_ours_alone_whatever_the_umask(files: Files):
    """What people send is nobody else's, and we can read it ourselves."""
    await files.keep(coming(PHOTO), 100)

    path = files.path(SHA)
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, *path.parents[:2])]
    assert modes == [0o600, 0o700, 0o700]


async def test_too_large_a_file_is_refused_in_words(files: Files, tmp_path: Path):
    """As soon as it is known; what platforms claim of a size may be wrong."""
    asked = []

    async def endless() -> AsyncIterator[bytes]:
        while True:
            asked.append(1)
            yield b"x" * 1_000_000

    with pytest.raises(InputError, match=r"too large: I keep at most 2\.5 MB"):
        await files.keep(endless(), 2_500_000)

    assert len(asked) == 3
    assert there(tmp_path) == []


async def test_exactly_as_much_as_is_allowed_is_kept(files: Files):
    """The bound itself is allowed."""
    assert (await files.keep(coming(PHOTO), len(PHOTO))).sha == SHA


async def test_a_download_that_breaks_leaves_nothing(files: Files, tmp_path: Path):
    """The platform's error comes through as it is."""

    async def broken() -> AsyncIterator[bytes]:
        yield b"half"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await files.keep(broken(), 100)

    assert there(tmp_path) == []


@pytest.mark.parametrize("steps", range(12))
async def test_a_cancelled_download_leaves_nothing(
    files: Files, tmp_path: Path, steps: int
):
    """At whatever moment: before it is opened, in a write, when it gets its name."""
    task = asyncio.ensure_future(files.keep(coming(b"a ", b"photo"), 100))
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(there(tmp_path)) <= {SHA}


def test_a_thread_that_comes_late_makes_nothing(tmp_path: Path):
    """Whoever was cancelled has cleaned up, and nobody will again."""
    incoming = _Incoming(tmp_path / "files", Lock())
    incoming.drop()

    with pytest.raises(InputError):
        incoming.open()

    assert not (tmp_path / "files").exists()


async def test_a_full_disk_is_the_homes_trouble(tmp_path: Path):
    """Here: a file stands where the directory should."""
    (tmp_path / "files").write_text("in the way")

    with pytest.raises(HomeError, match="files: cannot be used"):
        await Files(tmp_path / "files").keep(coming(PHOTO), 100)


@given(st.text(max_size=70))
def test_nothing_but_a_sum_is_a_place(name: str):
    """No name leads out of the directory."""
    with pytest.raises(InputError):
        Files(None).path(name)  # type: ignore[arg-type] # it is not looked at


@pytest.mark.parametrize(
    "name", ["../" * 21 + "a", "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n", "٣" * 64]
)
def test_what_looks_like_a_sum_is_none(files: Files, name: str):
    """Nearly right is wrong."""
    with pytest.raises(InputError):
        files.path(name)


async def test_a_removed_file_is_gone(files: Files, tmp_path: Path):
    """And may be removed again."""
    await files.keep(coming(PHOTO), 100)

    files.remove(SHA)
    files.remove(SHA)

    assert there(tmp_path) == []
    with pytest.raises(InputError, match="no longer kept"):
        files.read(SHA)


async def test_damage_is_found_and_healed_by_the_same_bytes(files: Files):
    """A model is not shown half a picture; who sends it again has it whole."""
    await files.keep(coming(PHOTO), 100)
    files.path(SHA).write_bytes(b"a pho")

    with pytest.raises(DamagedStore, match="is damaged"):
        files.read(SHA)

    await files.keep(coming(PHOTO), 100)
    assert files.read(SHA) == PHOTO


async def test_a_sweep_takes_what_is_old_and_nobody_names(files: Files, tmp_path: Path):
    """Also what a kill left half; nothing that is not ours."""
    named, young, old = [
        (await files.keep(coming(data), 9)).sha for data in (b"1", b"2", b"3")
    ]
    left, coming_in = tmp_path / "files/.incoming.x", tmp_path / "files/.incoming.y"
    strange = files.path(old).with_name("notes.txt")
    for path in (left, coming_in, strange):
        path.write_bytes(b"half")
    for path in (files.path(named), files.path(old), left, strange):
        grow_old(path)

    files.coming.clear()

    removed = await files.sweep({named}, HOUR)

    assert removed == 2
    assert there(tmp_path) == sorted([named, young, ".incoming.y", "notes.txt"])


async def test_what_is_given_again_is_young_again(files: Files):
    """Whoever sends it once more is about to name it."""
    await files.keep(coming(PHOTO), 100)
    grow_old(files.path(SHA))
    await files.keep(coming(PHOTO), 100)

    assert await files.sweep((), HOUR) == 0
    assert files.read(SHA) == PHOTO


async def test_a_home_without_files_is_swept_in_no_time(files: Files, tmp_path: Path):
    """Nothing is made for it."""
    assert await files.sweep((), 0) == 0
    assert not (tmp_path / "files").exists()


async def test_what_is_soon_to_be_named_is_not_swept(files: Files):
    """Somebody forgets something while an attachment is still being read."""
    kept = await files.keep(coming(b"1"), 9)

    while_coming = await files.sweep(set(), 0.0)
    files.coming.discard(kept.sha)
    afterwards = await files.sweep(set(), 0.0)

    assert (while_coming, afterwards) == (0, 1)
