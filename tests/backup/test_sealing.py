"""A locked backup: opened by its passphrase alone, and only as it was."""

import io
import os
import random
import tarfile
from itertools import islice
from pathlib import Path

import pyrage
import pytest

from apx.backup.sealing import is_sealed, seal, unlock, unseal
from apx.domain.errors import StoreError

WORD = "correct horse, Batterie — 马"
TEXT = os.urandom(200_000)
FLIPS = 2000 if os.environ.get("APX_LONG") else 200


def pieces():
    yield from (TEXT[n : n + 30_000] for n in range(0, len(TEXT), 30_000))


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    path = tmp_path_factory.mktemp("sealed") / "file"
    with path.open("wb") as file:
        seal(pieces(), file, WORD, 1_800_000_000)
    return path


@pytest.fixture(scope="module")
def key(sealed):
    """Opening the key takes a second, by design."""
    with sealed.open("rb") as file:
        return unlock(file, WORD)


def unsealed(path, key):
    target = io.BytesIO()
    with path.open("rb") as file:
        unseal(file, target, key)
    return target.getvalue()


def test_the_passphrase_opens_it(sealed, key):
    """And nothing of what is in it can be seen without."""
    with sealed.open("rb") as file:
        assert is_sealed(file)
    assert unsealed(sealed, key) == TEXT
    assert TEXT[1000:1016] not in sealed.read_bytes()


def test_age_opens_it(sealed):
    """Whoever has lost apx: with `tar` and `age -d`, as the module says."""
    with tarfile.open(sealed) as tar:
        files = [tar.extractfile(name) for name in tar.getnames()]
        locked, rest = [file.read() for file in files if file]
    key = pyrage.passphrase.decrypt(locked, WORD).decode().strip()
    identity = pyrage.x25519.Identity.from_str(key)

    assert pyrage.decrypt(rest, [identity]) == TEXT


def test_another_passphrase_does_not(sealed):
    """Not even one that differs by a blank."""
    with sealed.open("rb") as file, pytest.raises(StoreError, match="wrong passphrase"):
        unlock(file, WORD + " ")


def flipped(path, places, target):
    """Flip a bit at each of some places, one after the other."""
    content = path.read_bytes()
    luck = random.Random(20261130)  # noqa: S311 -- a test that can be repeated
    for place in luck.sample(places, min(len(places), FLIPS)):
        changed = bytearray(content)
        changed[place] ^= 1 << luck.randrange(8)
        target.write_bytes(changed)
        yield target


def test_a_bit_that_flips_is_noticed(sealed, key, tmp_path):
    """In what is locked, at its end, and in what is said of it."""
    size, begin = sealed.stat().st_size, 1024
    for places in (
        range(begin, size),
        range(begin, begin + 900),
        range(size - 1600, size),
    ):
        for path in flipped(sealed, places, tmp_path / "changed"):
            with pytest.raises(StoreError):
                unsealed(path, key)


@pytest.mark.timeout(900)
def test_a_bit_that_flips_in_the_key_is_noticed(sealed, tmp_path):
    """Half a second each."""
    changes = flipped(sealed, range(1024), tmp_path / "changed")
    for path in islice(changes, FLIPS // 50):
        with path.open("rb") as file, pytest.raises(StoreError):
            unlock(file, WORD)


@pytest.mark.parametrize("lost", [1, 512, 1024, 1500, 70_000, 199_000])
def test_an_end_that_is_missing_is_noticed(sealed, key, tmp_path, lost):
    (tmp_path / "short").write_bytes(sealed.read_bytes()[:-lost])

    with pytest.raises(StoreError):
        unsealed(tmp_path / "short", key)


def test_what_goes_wrong_while_it_is_read_comes_through(tmp_path):
    """age would only quote it."""
    error = StoreError("it shrank")

    def failing():
        yield TEXT
        raise error

    with (tmp_path / "file").open("wb") as file, pytest.raises(type(error)) as caught:
        seal(failing(), file, WORD, 0)

    assert caught.value is error


def test_a_full_disk_is_named(sealed, key):
    """It is not the file that is to blame."""
    with (
        Path("/dev/full").open("wb") as full,
        sealed.open("rb") as file,
        pytest.raises(OSError, match="No space"),
    ):
        unseal(file, full, key)
