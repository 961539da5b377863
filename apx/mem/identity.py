"""Who signs a commit: asked of git once, and kept until its settings change."""

# ruff: noqa: PTH111, PTH123 -- pathlib takes too long to load

from __future__ import annotations

import os
import time
from binascii import crc32

from apx.mem import files, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_NAME: Final = "apx"
_ADDRESS: Final = "apx@localhost"
# Where git's settings of a machine are cannot be told everywhere.
_DAY: Final = 86400
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
# Settings that stand nowhere in a file, or in one that another one names.
_ELSEWHERE: Final = ("GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG")
_WORDS: Final = ("config", "--null", "--get-regexp", r"^user\.(name|email)$")


def signer(root: str, run: Callable[..., bytes]) -> tuple[str, str]:
    """Give the name and the address that git would sign with, or ours."""
    name = os.environ.get("GIT_AUTHOR_NAME", "")
    address = os.environ.get("GIT_AUTHOR_EMAIL", "")
    if not (name and address):
        found = _kept(root, run)
        name = name or found.get("user.name", "")
        address = address or found.get("user.email", "")
    return _plain(name) or _NAME, _plain(address) or _ADDRESS


def _kept(root: str, run: Callable[..., bytes]) -> dict[str, str]:
    """Give what was kept, if it is of these settings; else ask."""
    place, key = f"{refs.place(root)}/apx-signer", _key(root)
    kept = (_read(place) or b"").decode("utf-8", "replace")
    before, _, told = kept.partition("\n")
    if not key or before != key:
        told = run(root, *_WORDS, ok=(0, 1)).decode("utf-8", "replace")
        if key:
            _keep(place, f"{key}\n{told}")
    # The last one counts, as for git.
    return dict(one.split("\n", 1) for one in told.split("\0") if "\n" in one)


def _key(root: str) -> str:
    """Say which settings these are; nothing, if that cannot be told."""
    if any(name in os.environ for name in _ELSEWHERE):
        return ""
    said = [str(int(time.time()) // _DAY)]
    for path in _places(root):
        data = _read(path)
        if data is None or b"[include" in data.lower():
            return ""
        said.append(f"{path}\0{len(data)} {crc32(data)}")
    return f"{crc32(os.fsencode(chr(0).join(said)))} {said[0]}"


def _places(root: str) -> list[str]:
    where = refs.place(root)
    home, get = os.path.expanduser("~"), os.environ.get
    more = get("XDG_CONFIG_HOME") or f"{home}/.config"
    everybody = get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"
    mine = get("GIT_CONFIG_GLOBAL")
    return [
        *([] if get("GIT_CONFIG_NOSYSTEM") else [everybody]),
        *([f"{more}/git/config", f"{home}/.gitconfig"] if mine is None else [mine]),
        f"{refs.common(where)}/config",
        f"{where}/config.worktree",
    ]


def _read(path: str) -> bytes | None:
    """Give a file's bytes, b"" for none, None for what is no plain file."""
    if not path or path == os.devnull:
        return b""
    try:
        if os.path.islink(path):  # noqa: PTH114 -- as above
            path = os.path.realpath(path)
        return files.read(path) or b""
    except OSError:
        return None


def _keep(place: str, text: str) -> None:
    try:
        with open(os.open(place, _WRITE, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError:
        # It is asked again next time.
        pass


def _plain(text: str) -> str:
    return " ".join(text.translate({60: " ", 62: " ", 0: " "}).split())
