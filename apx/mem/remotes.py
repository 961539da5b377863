"""The other end of a store: what is there, what comes from it, what goes there."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from apx.mem import git, settings, trees
from apx.mem.faults import MemFault, wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HEADS: Final = "refs/heads/"
_USUAL: Final = ("main", "master")
# What git says of a push if somebody else was faster; the next try brings theirs.
_FASTER: Final = (
    "fetch first",
    "non-fast-forward",
    "stale info",
    "cannot lock ref",
    "failed to update ref",
    "incorrect old value",
    "reference already exists",
)
_FETCH: Final = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
)
_PUSH: Final = (
    *("push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags"),
    "--recurse-submodules=no",
)


class Remote:
    """A remote of a store, as its git knows it; each call ends at the deadline.

    `branch` is what we push to there, known once it was looked at. `said` is its
    address if a person just named it.
    """

    __slots__ = ("_ours", "_settings", "_until", "branch", "name", "root", "said")

    def __init__(self, root: str, remote: str, seconds: float) -> None:
        self.root = root
        self._until = time.monotonic() + seconds
        self._settings = settings.read(root)
        self.name, self.said = self._named(remote)
        self._ours = settings.branch(root)
        self.branch = ""

    @property
    def is_late(self) -> bool:
        """Whether the deadline is over."""
        return time.monotonic() >= self._until

    @property
    def signer(self) -> str:
        """Who signs a commit, as git's own settings say."""
        name, address = (
            "".join(char for char in self._settings.get(key, "") if char not in "<>\n")
            for key in ("user.name", "user.email")
        )
        return f"{name.strip() or 'apx'} <{address.strip() or 'apx@localhost'}>"

    def look(self) -> str:
        """Choose the branch, and give its newest commit there; empty if it has none."""
        told = self._call("ls-remote", "--symref", "--", self._where)
        heads: dict[str, str] = {}
        default = ""
        for line in told.decode("utf-8", "replace").splitlines():
            value, _, name = line.partition("\t")
            if name == "HEAD" and value.startswith(f"ref: {_HEADS}"):
                default = value.removeprefix(f"ref: {_HEADS}")
            elif name.startswith(_HEADS):
                heads[name.removeprefix(_HEADS)] = value
        self.branch = self._chosen(heads, default)
        if self.said:
            self._keep()
        return heads.get(self.branch, "")

    def fetch(self, commit: str) -> str:
        """Bring in what is there, at least this commit; give the newest one."""
        place = f"refs/remotes/{self.name}/{self.branch}"
        if commit and trees.commit(self.root, place) != commit:
            refs = f"+{_HEADS}{self.branch}:{place}"
            self._call(*_FETCH, "--", self.name, refs)
            return trees.commit(self.root, place)
        return commit

    def push(self, commit: str) -> bool:
        """Have a commit there; False if somebody else was faster."""
        refs = f"{commit}:{_HEADS}{self.branch}"
        told = self._call(*_PUSH, "--", self.name, refs, ok=(0, 1))
        lines = told.decode("utf-8", "replace").splitlines()
        refused = [line.split("\t")[-1] for line in lines if line.startswith("!")]
        if any(words in line for line in refused for words in _FASTER):
            return False
        if refused:
            raise MemFault(
                "refused",
                f"the remote {self.name} did not take it: {self._plain(refused[0])}",
                "what came from there is here; look at the remote, then apx mem sync",
            )
        if "Done" not in lines:
            raise MemFault("unreachable", f"the push to {self.name} did not end")
        place = f"refs/remotes/{self.name}/{self.branch}"
        git.run(self.root, "update-ref", place, commit)
        return True

    def follow(self) -> None:
        """Have `git status` compare with it, if it compares with nothing else."""
        key = f"branch.{self._ours}"
        if self._ours and f"{key}.merge" not in self._settings:
            git.run(self.root, "config", f"{key}.remote", self.name)
            git.run(self.root, "config", f"{key}.merge", f"{_HEADS}{self.branch}")

    @property
    def _label(self) -> str:
        return settings.without_secrets(self.said) or f"the remote {self.name}"

    @property
    def _where(self) -> str:
        return self.said or self.name

    def _named(self, remote: str) -> tuple[str, str]:
        """Tell a name from an address."""
        usual = os.environ.get("MEM_REMOTE") or "origin"
        is_name = bool(_NAME.fullmatch(remote))
        if f"remote.{remote}.url" in self._settings:
            return remote, ""
        if not remote or remote.startswith("-") or not remote.isprintable():
            raise wrong(
                "--remote: no name, and no address", "apx mem sync --remote URL"
            )
        if is_name and not Path(remote).is_dir():
            raise MemFault(
                "no_remote",
                f"the store has no remote {remote}",
                "apx mem sync --remote URL",
            )
        name = usual if _NAME.fullmatch(usual) else "origin"
        # A path is one from here, not from the store.
        return name, str(Path(remote).absolute()) if Path(remote).exists() else remote

    def _keep(self) -> None:
        """Note the address that a person named, now that it answered."""
        is_there = f"remote.{self.name}.url" in self._settings
        words = ("set-url",) if is_there else ("add",)
        git.run(self.root, "remote", *words, "--", self.name, self.said)
        self._settings[f"remote.{self.name}.url"] = self.said
        self.said = ""

    def _chosen(self, heads: dict[str, str], default: str) -> str:
        """Choose a branch there: the one we follow, its own first one, or as ours."""
        followed = ""
        if self._settings.get(f"branch.{self._ours}.remote") == self.name:
            merge = self._settings.get(f"branch.{self._ours}.merge", "")
            followed = merge.removeprefix(_HEADS)
        ours = self._ours or _USUAL[0]
        for name in (followed, default, ours, *_USUAL):
            if name in heads:
                return name
        if len(heads) == 1:
            return next(iter(heads))
        return ours if heads else self._unborn() or ours

    def _unborn(self) -> str:
        """Give the branch that an empty remote calls its first one.

        Else who clones it next would see nothing. Only a clone is told.
        """
        from tempfile import TemporaryDirectory  # noqa: PLC0415 -- once in a store's life

        with TemporaryDirectory(prefix="apx-") as folder:
            words = ("clone", "--quiet", "--bare", "--template=", "--")
            try:
                self._call(*words, self._address, f"{folder}/it")
                told = git.run(f"{folder}/it", "symbolic-ref", "--short", "HEAD")
            except MemFault as fault:
                if fault.code == "unreachable" and self.is_late:
                    raise
                return ""
        return told.decode("utf-8", "replace").strip()

    @property
    def _address(self) -> str:
        return self.said or self._settings.get(f"remote.{self.name}.url", self.name)

    def _call(self, *args: str, ok: tuple[int, ...] = (0,)) -> bytes:
        """Ask the remote something, within the time that is left."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise self._late()
        try:
            return git.run(self.root, *args, seconds=left, ok=ok)
        except MemFault as fault:
            if fault.code == "timeout":
                raise self._late() from fault
            # A disk of theirs, as long as nothing is written to ours.
            if fault.code not in ("git", "io")[: 1 + (args[0] == "ls-remote")]:
                raise
            words = self._plain(str(fault))
            raise MemFault(
                "unreachable",
                f"{self._label} cannot be reached: {words}",
                f"git -C {self.root} ls-remote {settings.without_secrets(self._where)}",
                "apx mem sync --remote URL",
            ) from None

    def _late(self) -> MemFault:
        return MemFault(
            "unreachable",
            f"{self._label} did not answer in time; nothing is lost",
            "apx mem sync --timeout 120",
        )

    def _plain(self, words: str) -> str:
        """Take out what an address may hold: a name, a password, a token."""
        for address in {self.said, self._address} - {"", self.name}:
            words = words.replace(address, settings.without_secrets(address))
        return settings.without_secrets(words)
