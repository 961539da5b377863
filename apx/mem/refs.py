"""What a repository says in small files of its own: its place, its head."""

from __future__ import annotations

import os

from apx.mem.faults import MemFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_LINK: Final = "ref: "


def head(root: str) -> str | None:
    """Give the commit that HEAD names, "" if there is none yet; None: ask git.

    A damaged one is never taken for none: a new history would begin beside the old.
    """
    where = place(root)
    text = _text(f"{where}/HEAD")
    if not text.startswith(_LINK):
        return _checked(text, f"{where}/HEAD")
    name = text[len(_LINK) :]
    if name.endswith("/.invalid"):
        # References are kept in another way, which git alone knows.
        return None
    shared = common(where)
    if not os.path.lexists(f"{shared}/{name}"):
        return _packed(f"{shared}/packed-refs", name)
    text = _text(f"{shared}/{name}")
    return None if text.startswith(_LINK) else _checked(text, f"{shared}/{name}")


def place(root: str) -> str:
    """Give the directory of the repository: `.git`, or where such a file points."""
    where = f"{root}/.git"
    text = _text(where)
    if not text.startswith("gitdir: "):
        return where
    return os.path.join(root, text[len("gitdir: ") :])  # noqa: PTH118 -- pathlib takes too long to load


def common(where: str) -> str:
    """Give the directory that all working trees of a repository share."""
    text = _text(f"{where}/commondir")
    return os.path.join(where, text) if text else where  # noqa: PTH118 -- as above


def _packed(path: str, name: str) -> str:
    text = "\n" + _text(path) + "\n"
    end = text.find(f" {name}\n")
    return text[text.rfind("\n", 0, end) + 1 : end] if end >= 0 else ""


def _checked(text: str, path: str) -> str:
    if len(text) in {40, 64} and set(text) <= set("0123456789abcdef"):
        return text
    raise MemFault("git", f"{path} is missing or damaged", "apx mem doctor")


def _text(path: str) -> str:
    """Give the text of a small file, "" if it is not there."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123 -- as above
            return file.read().strip()
    except OSError:
        return ""
