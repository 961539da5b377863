"""Stores that share a bare repository, and what tests ask of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from apx.mem import frontmatter
from apx.mem.memory import LETTERS, Memory
from apx.mem.store import Store
from apx.mem.sync import sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from apx.mem.memory import Value

NAME = "d-2026-12-01-tea"
PATH = f"objects/decisions/{NAME}.md"


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No settings of whoever runs the tests."""
    _shut(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def began(tmp_path_factory):
    """A remote whose first branch has another name than ours, a store, a clone."""
    place = tmp_path_factory.mktemp("began")
    with pytest.MonkeyPatch.context() as patch:
        _shut(patch, place)
        bare = str(place / "bare")
        _bare(bare)
        store = made(place / "one")
        put(store, memory())
        sync(store, bare)
        cloned(bare, place / "two")
    return place


@pytest.fixture
def bare(tmp_path, request):
    """The remote; it is empty if no store of the test has it."""
    place = tmp_path / "bare"
    if "one" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("began") / "bare", place)
    else:
        _bare(str(place))
    return str(place)


@pytest.fixture
def one(tmp_path, bare, began):
    """A store with a memory that the remote has, too."""
    return _copied(began / "one", tmp_path / "one", bare)


@pytest.fixture
def two(tmp_path, bare, one, began):  # noqa: ARG001 -- it fills the remote
    """A clone of the same remote."""
    return _copied(began / "two", tmp_path / "two", bare)


def _shut(patch: pytest.MonkeyPatch, home: Path) -> None:
    patch.setenv("HOME", str(home))
    patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    patch.delenv("MEM_REMOTE", raising=False)


def _bare(place: str) -> None:
    run("init", "--quiet", "--bare", "--initial-branch=trunk", place)


def _copied(whose: Path, place: Path, bare: str) -> Store:
    shutil.copytree(whose, place)
    settings = place / ".git/config"
    was = str(whose.parent / "bare")
    settings.write_text(settings.read_text().replace(was, bare))
    return Store(str(place), wait=5)


def made(place: Path) -> Store:
    store = Store(str(place), wait=5)
    assert store.init()
    return store


def cloned(bare: str, place: Path) -> Store:
    run("clone", "--quiet", bare, str(place))
    return Store(str(place), wait=5)


def memory(name: str = NAME, body: str = "green\n", **fields) -> Memory:
    kind = LETTERS[name[0]].name
    first: dict[str, Value] = {
        "id": name,
        "type": kind,
        "title": "Tea",
        "version": 1,
        "confidence": 0.7,
    }
    return Memory({**first, "created": "2026-12-01", **fields}, body.encode())


def put(store: Store, *memories: Memory) -> int:
    with store.writing() as writing:
        for one in memories:
            writing.put(one)
        return writing.commit("mem(decision): add Tea")


def said(store: Store, body: str, name: str = NAME, **fields) -> None:
    """Have a memory say something else."""
    now = store.read(name)
    later = now.changed(version=now.version + 1, **fields).saying(body.encode())
    put(store, later)


def drop(store: Store, name: str = NAME) -> None:
    with store.writing() as writing:
        writing.remove(writing.read(name))
        writing.commit("mem(decision): remove Tea")


def by_hand(store: Store, data: bytes, path: str = PATH) -> None:
    """Write a file as an editor does."""
    place = Path(store.root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def run(*words: str) -> str:
    """Run git as a person would."""
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@localhost", *words],  # noqa: S607 -- whichever git there is
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.rstrip("\n")


def asked(store: Store, *words: str) -> str:
    return run("-C", store.root, *words)


def tree(store: Store) -> str:
    return asked(store, "rev-parse", "HEAD^{tree}")


def texts(store: Store) -> dict[str, bytes]:
    """Give the files of the store."""
    root = Path(store.root)
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in {".git", ".cache"}
    }


def rendered(one: Memory) -> bytes:
    return frontmatter.render(one)


def check_clean(store: Store) -> None:
    """Nothing is left open, and no file is another than in history."""
    status = ("status", "--porcelain", "--untracked-files=all", "--", ".", ":!.cache")
    assert asked(store, *status) == ""
    assert asked(store, "fsck", "--no-dangling") == ""
    assert not any(Path(store.root, ".git/apx").iterdir())
    assert not any(b"<<<<<<<" in data for data in texts(store).values())
