"""What a backup says of curated memories that are somewhere else."""

import os

import pytest

from apx.cli.backup import backup
from apx.mem.store import Store


@pytest.fixture
def home(tmp_path, monkeypatch):
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    monkeypatch.setenv("APX_HOME", str(path))
    monkeypatch.delenv("MEM_DIR", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return path


def told(tmp_path, capsys):
    """Make a backup; give what it says beside."""
    backup(tmp_path / "kept.apx", force=True)
    return capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_a_store_outside_of_the_home_is_named(tmp_path, monkeypatch, capsys):
    """It is not in the backup, and whoever trusts that has lost it."""
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("MEM_DIR", str(elsewhere))
    assert told(tmp_path, capsys) == ""

    Store(str(elsewhere)).init()

    assert f"outside of the home, in {elsewhere} (MEM_DIR)" in told(tmp_path, capsys)


def test_a_store_in_the_home_is_in_the_backup(tmp_path, home, capsys):
    """There is nothing to say."""
    Store(str(home / "mem")).init()

    assert told(tmp_path, capsys) == ""
    assert b"mem/.git/" in (tmp_path / "kept.apx").read_bytes()
