"""The curated store: where it is, what it holds, who may write to it.

A write is locked (`writing`), and finds all that is on the disk in HEAD, also what a
killed process left (`journal`, `mending`) and what a person edited by hand.
"""

from __future__ import annotations

import os

from apx.mem import files, frontmatter
from apx.mem.faults import MemFault
from apx.mem.memory import LETTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from apx.mem.memory import Memory
    from apx.mem.writing import Writing

_IGNORED: Final = b".cache/\n"
# What may be in a directory that becomes a store.
_OURS: Final = frozenset({".git", ".gitignore", ".cache", "objects"})


def place(environ: Mapping[str, str] = os.environ) -> str:
    """Say where the store is: `MEM_DIR`, else `mem` in `APX_HOME` or `~/.apx`."""
    wanted = environ.get("MEM_DIR", "")
    if not wanted:
        wanted = os.path.join(environ.get("APX_HOME") or "~/.apx", "mem")  # noqa: PTH118 -- pathlib takes too long to load
    if wanted.split("/")[0] == "~" and environ.get("HOME") == "":
        # What would be made of it is a directory at the root of the machine.
        raise MemFault("no_store", "HOME is empty", "set MEM_DIR to a directory")
    try:
        return os.path.abspath(os.path.expanduser(wanted))  # noqa: PTH100,PTH111 -- as above
    except FileNotFoundError as error:
        # Somebody removed the directory that a relative one is in.
        what = f"{wanted} is nowhere: the current directory is gone"
        raise MemFault("no_store", what, "set MEM_DIR to a whole path") from error


class Store:
    """A directory of memories under git."""

    __slots__ = ("_wait", "root")

    def __init__(self, root: str, *, wait: float = 30) -> None:
        self.root = os.path.abspath(root)  # noqa: PTH100 -- as above
        self._wait = wait

    def is_there(self) -> bool:
        """Tell whether it was made; its git repository is its own, not one above."""
        return os.path.isdir(f"{self.root}/objects") and os.path.lexists(  # noqa: PTH112 -- as above
            f"{self.root}/.git"
        )

    def check(self) -> None:
        """Raise MemFault `no_store` if there is none; end what was interrupted."""
        if not self.is_there():
            words = f"no memory store at {self.root}"
            raise MemFault("no_store", words, "apx mem init")
        from apx.mem import journal  # noqa: PLC0415 -- keeps who asks for the place light

        if journal.is_open(self.root):
            self._mend()

    def init(self) -> bool:
        """Make the store; False if it was there already."""
        if self.is_there():
            return False
        from apx.mem import git  # noqa: PLC0415 -- who only reads runs no program

        git.program()
        try:
            self._make(git.run)
        except OSError as error:
            raise files.fault(error, self.root) from error
        return True

    def read(self, name: str) -> Memory:
        """Give a memory from its file; MemFault `not_found` if there is none."""
        kind = LETTERS.get(name[:1])
        if kind is not None and "/" not in name and "\0" not in name:
            path = f"{self.root}/objects/{kind.folder}/{name}.md"
            try:
                data = files.read(path)
            except OSError as error:
                raise files.fault(error, path) from error
            if data is not None:
                return frontmatter.parse(name, data)
        raise MemFault("not_found", f"no memory {name}", "apx mem search WORDS")

    def has(self, name: str) -> bool:
        """Tell whether a file has this very id, though it may be no memory."""
        kind = LETTERS.get(name[:1])
        if kind is None or name[1:2] != "-":
            return False
        try:
            return f"{name}.md" in os.listdir(f"{self.root}/objects/{kind.folder}")  # noqa: PTH208 -- as above
        except OSError:
            return False

    def writing(self) -> Writing:
        """Give what writes, as a context: MemFault `busy` if somebody else does."""
        from apx.mem.writing import Writing  # noqa: PLC0415 -- reading needs none of it

        return Writing(self, self._wait)

    def _mend(self) -> None:
        """Let who reads see an interrupted write ended, or wait for it to be."""
        from apx.mem.writing import Writing  # noqa: PLC0415 -- only then

        try:
            with Writing(self, 0):
                pass
        except MemFault:
            # Somebody is just writing, or nobody can: reading works all the same.
            pass

    def _make(self, run: Callable[..., bytes]) -> None:
        files.make(self.root)
        is_git = os.path.lexists(f"{self.root}/.git")
        if not is_git and not _OURS.issuperset(os.listdir(self.root)):  # noqa: PTH208 -- as above
            words = f"{self.root} holds other things"
            raise MemFault("not_empty", words, "set MEM_DIR to a directory of its own")
        if not is_git:
            run(self.root, "init", "--quiet", "--template=")
            os.chmod(f"{self.root}/.git", 0o700)  # noqa: PTH101 -- as above
            # The same on all machines, whatever they call it by themselves.
            run(self.root, "symbolic-ref", "HEAD", "refs/heads/main")
            run(self.root, "config", "core.autocrlf", "false")
        files.make(f"{self.root}/objects")
        with self.writing() as writing:
            if not os.path.lexists(f"{self.root}/.gitignore"):
                writing.put_file(".gitignore", _IGNORED)
            writing.commit("mem: init")
