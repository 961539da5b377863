"""The commit in which two histories of a store meet."""

from __future__ import annotations

import os
import time

from apx.mem import git

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from apx.mem.landing import Wanted

# It is there for as long as git writes the commit; then only HEAD leads to it.
_PLACE: Final = "refs/apx/sync"
_ESCAPED: Final = {34: '\\"', 92: "\\\\", 10: "\\n"}


def joined(
    root: str,
    parents: tuple[str, str],
    wanted: Mapping[str, Wanted],
    message: str,
    signer: str,
) -> str:
    """Give a commit of two parents: the first one's files but for what is wanted.

    No reference leads to it yet. `signer` is `Name <address>`.
    """
    when = f"{int(time.time())} {time.strftime('%z')}"
    ours, theirs = parents
    stream = [
        f"commit {_PLACE}\nmark :1\ncommitter {signer} {when}\n".encode(),
        _data(message.encode("utf-8", "replace")),
        f"from {ours}\nmerge {theirs}\n".encode(),
        # What goes first: a directory may stand where a file was.
        *(_line(path, None) for path, one in wanted.items() if one is None),
        *(_line(path, one) for path, one in wanted.items() if one is not None),
        f"reset {_PLACE}\nfrom {'0' * len(ours)}\n\n".encode(),
        b"get-mark :1\ndone\n",
    ]
    words = ("fast-import", "--quiet", "--force", "--done", "--date-format=raw")
    return git.run(root, *words, given=b"".join(stream)).decode().strip()


def _line(path: str, one: Wanted) -> bytes:
    name = b'"' + os.fsencode(path.translate(_ESCAPED)) + b'"\n'
    if one is None:
        return b"D " + name
    if isinstance(one, tuple):
        mode, blob = one
        return f"M {mode} {blob} ".encode() + name
    return b"M 100644 inline " + name + _data(one)


def _data(data: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(data), data)
