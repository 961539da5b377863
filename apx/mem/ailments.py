"""What may be wrong with a store, each with what a person can do about it."""

from __future__ import annotations

import os
import re
import shlex
import time
from pathlib import Path

from apx.mem import files, forgotten, frontmatter, git, joining, refs, settings
from apx.mem.faults import MemFault
from apx.mem.memory import LETTERS, STATES
from apx.mem.scalars import scalar

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from apx.mem.memory import Memory

    # What is wrong, and what to do.
    Problem = tuple[str, str]

# Who writes a long message holds git's index for minutes, hardly longer.
_LONG: Final = 600
_CHECKED: Final = 60
_INDEX: Final = ("index file", "bad signature", "bad index", "index uses")
_WHY: Final = 300
_CHECKABLE: Final = "status|priority|confidence|version|created|updated|verified"
_LINE: Final = re.compile(rf"^({_CHECKABLE}):[ \t]*(\S[^\r\n]{{0,80}})", re.MULTILINE)


def seen(root: str, total: int) -> list[Problem]:
    """Give what can be seen without reading the history."""
    where = refs.place(root)
    there = shlex.quote(root)
    problems: list[Problem] = []
    lock = Path(where, "index.lock")
    if _age(lock) > _LONG:
        what = "git's index has been locked for long: memories are saved all the same"
        problems.append((what, f"if no git works there any more: rm {lock}"))
    for lock in _stuck(where):
        what = f"git's {lock.name} has been there for long: nothing can be saved"
        do = f"if no git works there any more: rm {shlex.quote(str(lock))}"
        problems.append((what, do))
    if Path(where, "MERGE_HEAD").exists():
        what = "a merge by hand is under way"
        problems.append((what, f"git -C {there} merge --abort, then apx mem sync"))
    if forgotten.noted(root).pending:
        what = "a purge was interrupted, and memories that were purged are still there"
        problems.append((what, "apx mem purge ID --apply, with the same id"))
    if not git.head(root) and total:
        problems.append(_headless(root))
    return problems


def named(root: str, fault: MemFault) -> Problem:
    """Say of something that git could not do what may help."""
    words = str(fault)
    # An index of a pack is another thing; nothing but the files is whole then.
    if ".idx" not in words and any(one in words for one in _INDEX):
        index = shlex.quote(f"{refs.place(root)}/index")
        return words, f"rm {index} && git -C {shlex.quote(root)} reset"
    if fault.code == "git" and not fault.hints:
        return words, anew(root)
    return words, "; ".join(fault.hints)


def broken(root: str) -> list[Problem]:
    """Check what git has, each object of it."""
    words = ("fsck", "--full", "--no-dangling", "--no-progress")
    try:
        git.program()
        git.run(root, *words, seconds=_CHECKED)
    except MemFault as fault:
        if fault.code in {"timeout", "no_git"}:
            return []
        what, do = named(root, fault)
        return [(what[:_WHY], do)]
    return []


def anew(root: str) -> str:
    """Say how to get another history for the files, which are whole."""
    there = shlex.quote(root)
    try:
        known = settings.read(root)
    except MemFault:
        known = {}
    is_elsewhere = any(re.fullmatch(r"remote\..*\.url", key) for key in known)
    start = f"mv {there}/.git {there}.broken.git && apx mem init"
    if is_elsewhere:
        return f"{start} && apx mem sync --remote URL (the files are whole)"
    return f"{start} (the files are whole; their history starts anew)"


def differing(root: str, ids: Iterable[str]) -> list[Problem]:
    """Give the files whose frontmatter says what cannot be, and how it is read."""
    problems: list[Problem] = []
    for name in ids:
        path = _path(name)
        try:
            data = files.read(f"{root}/{path}")
            memory = frontmatter.parse(name, data) if data is not None else None
        except (OSError, MemFault):
            # That it cannot be read is told by itself.
            continue
        told = [*_claims(memory), *_slips(memory)] if memory and memory.raw else []
        problems += [(f"{path} {what}", f"edit {root}/{path}") for what in told]
    return problems


def credentials(root: str, ids: Iterable[str]) -> tuple[list[Problem], list[Problem]]:
    """Give the files that seem to hold one: in no commit, which waits for that, and in.

    Those of a commit came by a sync, or by git, or somebody knows that they hold none.
    """
    words = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    try:
        told = git.run(root, *words, "--", "objects") if git.head(root) else b""
    except MemFault:
        # Told by itself.
        return [], []
    waiting = {os.fsdecode(line[3:]) for line in told.split(b"\0") if line}
    held: list[Problem] = []
    kept: list[Problem] = []
    for path in suspects(root, waiting | set(map(_path, ids))):
        what, do = f"{path} looks like it holds a credential", f"edit {root}/{path}"
        if path in waiting:
            held.append((f"{what}, so it is in no commit", do))
        else:
            gone = f"apx mem purge {joining.stem(path)} --apply"
            kept.append((f"{what}, and is in the history", f"{do}, or {gone}"))
    return held, kept


def suspects(root: str, paths: Iterable[str]) -> list[str]:
    """Give those of some files that look like they hold a credential."""
    from apx.mem.guard import is_secret  # noqa: PLC0415 -- few commands look

    found = []
    for path in sorted(paths):
        try:
            if is_secret(path, files.read(f"{root}/{path}") or b""):
                found.append(path)
        except OSError:
            # That it cannot be read is told by itself.
            continue
    return found


def _path(name: str) -> str:
    return f"objects/{LETTERS[name[0]].folder}/{name}.md"


def _claims(memory: Memory) -> Iterator[str]:
    """Say where a file's own id and type are not those of its name."""
    said = frontmatter.claimed(memory.raw)
    for key, right in (("id", memory.id), ("type", memory.type.name)):
        if str(said.get(key, right)) != right:
            yield f"says {key}: {said[key]}, its name says {right}"


def _slips(memory: Memory) -> Iterator[str]:
    """Say which values are none: they count as if they were not there."""
    if not memory.title:
        yield "has no title"
    for key, value in _LINE.findall(memory.raw.decode("utf-8", "replace")):
        if not scalar(value):
            # It says that it says nothing, as other programs write it.
            continue
        if key == "status" and memory.text(key) not in STATES:
            yield f"says status: {value}, which counts as active"
        elif key not in memory.fields:
            yield f"says {key}: {value}, which counts as nothing"


def _headless(root: str) -> Problem:
    """Say which commit was the last that HEAD led to, if git's log of it is there."""
    where = refs.place(root)
    what = "HEAD leads to no commit, although there are memories"
    logged = (files.read(f"{where}/logs/HEAD") or b"").decode("utf-8", "replace")
    words = logged.strip().rpartition("\n")[2].split(" ")
    if len(words) > 1 and re.fullmatch(r"[0-9a-f]{40,64}", words[1]):
        do = f"git -C {shlex.quote(root)} update-ref HEAD {words[1]}"
        return what, f"{do}; if git has not got it: {anew(root)}"
    return what, anew(root)


def _stuck(where: str) -> list[Path]:
    """Give old locks of git's on what a commit moves."""
    said = (files.read(f"{where}/HEAD") or b"").decode("utf-8", "replace").strip()
    branch = said.partition("ref: ")[2]
    locks = [Path(where, "HEAD.lock")]
    if branch:
        locks.append(Path(refs.common(where), f"{branch}.lock"))
    return [lock for lock in locks if _age(lock) > _LONG]


def _age(path: Path) -> float:
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:
        return 0
