"""What a store's git was told about remotes, as far as anybody may see it."""

from __future__ import annotations

import os
import re

from apx.mem import git

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_ASKED: Final = r"^(remote|branch|extensions|user)\."


def without_secrets(words: str) -> str:
    """Give words without what addresses in them have of names, passwords and tokens."""
    words = re.sub(r"://[^/\s]*@", "://", words)
    return re.sub(r"(://[^\s'\"?]*)\?[^\s'\"]*", r"\1", words)


def read(root: str) -> dict[str, str]:
    """Give what git's settings say about remotes, branches, and who signs."""
    told = git.run(root, "config", "--null", "--get-regexp", _ASKED, ok=(0, 1))
    pairs = (one.partition("\n") for one in os.fsdecode(told).split("\0") if one)
    return {key: value for key, _, value in pairs}


def branch(root: str) -> str:
    """Give the branch that HEAD is on; empty if it is on none."""
    words = ("symbolic-ref", "--quiet", "--short", "HEAD")
    return os.fsdecode(git.run(root, *words, ok=(0, 1))).strip()
