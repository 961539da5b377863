"""The git program, as the curated store calls it: each call, a commit, the head."""

from __future__ import annotations

import os
import time
from _thread import get_ident

from apx.mem import identity, refs
from apx.mem.faults import MemFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

_TRIES: Final = 5
_PAUSE: Final = 0.05
_CROSSED: Final = ("Not updating HEAD", "cannot lock ref")
_LONGEST: Final = 600
# What git says when the disk is full, or nothing may be written to it.
_DISK: Final = (
    "No space left",
    "quota exceeded",
    "File too large",
    "Read-only file system",
    "Permission denied",
    "Operation not permitted",
)
# What a person set for themselves must not change what we read or write.
_SETTINGS: Final = (
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.autocrlf=false",
    "core.fileMode=false",
    "core.fsmonitor=false",
    "core.excludesFile=/dev/null",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "color.ui=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    # Threads cost more than they save with so few files.
    "core.preloadIndex=false",
    # A commit writes the list of all files of a folder again. To press it costs more
    # than all else; git gc does it once, some day.
    "core.looseCompression=0",
    # Its pack stays one: to take it apart would be another process.
    "fastimport.unpackLimit=0",
    # After a power cut there is no empty object or reference. The first is the name
    # that git had for it before 2.36.
    "core.fsyncObjectFiles=true",
    "core.fsync=loose-object,pack,pack-metadata,reference",
)
# What a person configured for ssh, only that it is not to ask; run if it is needed.
_SSH: Final = (
    'apx() { eval "$(git config core.sshCommand || echo ssh)"'
    """ -oBatchMode=yes '"$@"'; }; apx"""
)
# The same for the pack of a commit.
_UNPRESSED: Final = ("-c", "pack.compression=0")
_FLAGS: Final = tuple(word for one in _SETTINGS for word in ("-c", one))
# Of git's own variables, those that say how to reach a remote, and where settings are.
_KEPT: Final = (
    "GIT_SSH",
    "GIT_SSL_",
    "GIT_PROXY_",
    "GIT_CONFIG_",
    "GIT_EXEC_PATH",
)
# The thread, and the descriptor of the lock that its programs inherit: while one of
# them lives, the store is locked, also if this process was killed.
_HELD: dict[int, int] = {}


def hold(handle: int) -> None:
    """Have the programs that this thread starts hold a descriptor as well."""
    _HELD[get_ident()] = handle


def let_go() -> None:
    """Have the programs that this thread starts hold nothing."""
    _HELD.pop(get_ident(), None)


def program() -> str:
    """Give the path of git; MemFault `no_git` if there is none."""
    # Never the directory that somebody happens to be in.
    for place in filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(":")):
        path = os.path.join(place, "git")  # noqa: PTH118 -- pathlib takes too long to load
        if os.access(path, os.X_OK) and os.path.isfile(path):  # noqa: PTH113 -- as above
            return path
    raise MemFault("no_git", "git is not installed, or not in PATH", "install git")


def run(
    root: str,
    *args: str,
    given: bytes = b"",
    seconds: float = 60,
    ok: tuple[int, ...] = (0,),
    also: Mapping[str, str] | None = None,
) -> bytes:
    """Give what git says; MemFault `git` with its words if its code is not in `ok`."""
    from apx.mem import spawn  # noqa: PLC0415 -- who only reads runs no program

    words = (program(), *_FLAGS, "-C", root, *args)
    what = args[2] if args[0] == "-c" else args[0]
    holds = _HELD.get(get_ident(), -1)
    call = spawn.Call(words, {**_environ(root), **(also or {})}, given, seconds, holds)
    try:
        code, out, err = spawn.run(call)
    except spawn.Late:
        late = f"git {what} took longer than {seconds:g} s and was ended"
        raise MemFault("timeout", late) from None
    except OSError as error:
        raise MemFault("git", f"git cannot be started: {error.strerror}") from error
    if code in ok:
        return out
    raise _refused(root, what, code, err)


def commit(
    root: str,
    changes: Mapping[str, bytes | None],
    subject: str,
    more: str = "",
    merged: str = "",
) -> str:
    """Commit files at these paths (None: removed) onto HEAD; give the new commit.

    The working tree and the index are not looked at, so no lock of the index matters.
    `merged` is the second parent of a merge.
    """
    name, address = identity.signer(root, run)
    also = {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": address}
    when = f"{int(time.time())} {time.strftime('%z')}"
    message = _message(subject, more)
    fault: MemFault | None = None
    for _ in range(_TRIES):
        before = head(root)
        stream = [
            f"commit HEAD\nmark :1\ncommitter {name} <{address}> {when}\n".encode(),
            _data(message),
            f"from {before}\n".encode() if before else b"",
            f"merge {merged}\n".encode() if merged else b"",
            *(_change(path, data) for path, data in changes.items()),
            # Without the last word nothing is done: half a stream changes nothing.
            b"get-mark :1\ndone\n",
        ]
        words = (*_UNPRESSED, "fast-import", "--quiet", "--done", "--date-format=raw")
        try:
            made = run(root, *words, given=b"".join(stream), also=also)
            return made.decode().strip()
        except MemFault as error:
            # Somebody committed in between, or is about to: once more, onto theirs.
            if not any(words in str(error) for words in _CROSSED):
                raise
            fault = error
            time.sleep(_PAUSE)
    raise fault or MemFault("git", "other programs commit all the time")


def head(root: str) -> str:
    """Give the commit that HEAD names, "" if there is none: by itself, if it can."""
    found = refs.head(root)
    return _asked(root) if found is None else found


def _asked(root: str) -> str:
    words = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return run(root, *words, ok=(0, 1)).decode().strip()


def _environ(root: str) -> dict[str, str]:
    """Give an environment in which git asks nobody and knows no other repository."""
    environ = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("GIT_") or key.startswith(_KEPT)
    }
    if "GIT_SSH" not in environ:
        environ.setdefault("GIT_SSH_COMMAND", _SSH)
        environ.setdefault("GIT_SSH_VARIANT", "ssh")
    environ.update(
        LC_ALL="C",
        GIT_TERMINAL_PROMPT="0",
        GIT_ASKPASS="true",
        GCM_INTERACTIVE="never",
        GIT_EDITOR="true",
        GIT_OPTIONAL_LOCKS="0",
        # The store's own repository, never one around it.
        GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(root)),  # noqa: PTH120 -- as above
    )
    environ.pop("SSH_ASKPASS", None)
    return environ


def _message(subject: str, more: str) -> bytes:
    text = " ".join(subject.split()) + (f"\n\n{more}" if more else "")
    return text.replace("\0", " ").encode("utf-8", "replace").rstrip() + b"\n"


def _change(path: str, data: bytes | None) -> bytes:
    name = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    name = b'"' + name.replace(b"\n", b"\\n") + b'"'
    if data is None:
        return b"D " + name + b"\n"
    return b"M 100644 inline " + name + b"\n" + _data(data)


def _data(data: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(data), data)


def _refused(root: str, what: str, code: int, err: bytes) -> MemFault:
    """Make of git's complaint a fault that tells a person what to do."""
    import re  # noqa: PLC0415 -- only when something went wrong

    text = err.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [one for one in lines if _tells(one)] or lines[-3:]
    # A remote's address may hold a password.
    words = re.sub(r"://[^/\s@]+@", "://", "; ".join(said) or f"ended with {code}")
    is_disk = any(one in text for one in _DISK) and "Permission denied (" not in text
    hints: tuple[str, ...] = ()
    if "dubious ownership" in text or "unsafe repository" in text:
        hints = (f"git config --global --add safe.directory {root}",)
        words = f"{root} belongs to another user, so git does not use it"
    elif lock := re.search(r"Unable to create '([^']+\.lock)': File exists", text):
        hints = (f"if no git works there any more: rm {lock[1]}",)
    return MemFault(
        "io" if is_disk else "git", f"git {what}: {words}"[:_LONGEST], *hints
    )


def _tells(line: str) -> bool:
    """Say whether a line of git's is why it failed; ssh speaks through it too."""
    begins = line.startswith(("fatal:", "error:", "ssh:", "remote:"))
    return begins or "Permission denied (" in line or "Host key" in line
