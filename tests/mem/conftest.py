"""Stores, each a copy: to make one costs several processes."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from apx.mem.store import Store
from apx.mem.sync import sync
from tests.mem.clones import cloned, made, memory, put, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No settings of whoever runs the tests."""
    _shut(monkeypatch, tmp_path)


@pytest.fixture(scope="session")
def begun(tmp_path_factory):
    """A store without memories, to be copied."""
    place = tmp_path_factory.mktemp("begun") / "mem"
    with pytest.MonkeyPatch.context() as patch:
        _shut(patch, place.parent)
        made(place)
    return place


@pytest.fixture
def store(begun, tmp_path):
    """A store without memories."""
    shutil.copytree(begun, tmp_path / "mem")
    return Store(str(tmp_path / "mem"), wait=5)


@pytest.fixture(scope="session")
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
    for name in ("MEM_DIR", "MEM_REMOTE"):
        patch.delenv(name, raising=False)


def _bare(place: str) -> None:
    run("init", "--quiet", "--bare", "--initial-branch=trunk", place)


def _copied(whose: Path, place: Path, bare: str) -> Store:
    shutil.copytree(whose, place)
    settings = place / ".git/config"
    was = str(whose.parent / "bare")
    settings.write_text(settings.read_text().replace(was, bare))
    return Store(str(place), wait=5)
