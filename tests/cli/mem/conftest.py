"""`apx mem` in this very process, each of its answers decoded by a strict reader."""

import json
import os
import shutil
import subprocess

import pytest
import toon_format

from apx.cli.mem import main
from apx.mem.store import Store


class Mem:
    """Runs `apx mem` on a store of the test's own; nothing is ever said on stderr."""

    def __init__(self, root, capsys, monkeypatch):
        self.root = root
        self.text = ""
        self._capsys = capsys
        self._patch = monkeypatch

    def __call__(self, *words, code=0, stdin=b""):
        # A file, as only that has a number to be read by.
        piped = self.root.with_name("piped")
        piped.write_bytes(stdin)
        with piped.open(encoding="utf-8") as file:
            self._patch.setattr("sys.stdin", file)
            given = main(words)
        self.text, err = self._capsys.readouterr()
        assert err == ""
        assert given == code, self.text
        assert self.text.endswith("\n") or not self.text
        if "--json" in words:
            return json.loads(self.text)
        if "md" in words:
            return self.text
        # The same reader takes the place of every agent's.
        return toon_format.decode(self.text, strict=True, indent_size=2)

    def add(self, title, kind="decision", **fields):
        """Add one, and give its id."""
        flags = [
            word for name, value in fields.items() for word in (f"--{name}", value)
        ]
        return self("add", "--type", kind, f"--title={title}", *flags)["id"]

    def files(self):
        """Give every file of the store but those of git and of the cache."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*.md"))
        }

    def commits(self):
        """Give the subjects of all commits, the newest first."""
        log = subprocess.run(
            ["git", "log", "--format=%s"],  # noqa: S607 -- as apx finds it, too
            cwd=self.root,
            capture_output=True,
            check=True,
        )
        return log.stdout.decode().splitlines()


@pytest.fixture
def bare(tmp_path, capsys, monkeypatch):
    """Without a store, without a home, without any setting of a person."""
    for name in ("MEM_REMOTE", "APX_HOME", "GIT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEM_DIR", str(tmp_path / "mem"))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    before = os.umask(0o022)
    yield Mem(tmp_path / "mem", capsys, monkeypatch)
    os.umask(before)


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    """An empty store to be copied, as making one takes five processes."""
    root = tmp_path_factory.mktemp("empty") / "mem"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        Store(str(root)).init()
    return root


@pytest.fixture
def mem(bare, empty):
    """With an empty store."""
    shutil.copytree(empty, bare.root)
    return bare
