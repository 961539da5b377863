"""Contents out of the history of a store, many of them through one process of git."""

from __future__ import annotations

from apx.mem import git

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def contents(root: str, names: Iterable[str]) -> dict[str, bytes]:
    """Give what these names of git stand for; a name that leads nowhere is not in it.

    A name is the id of a blob or `commit:path`; it has no line break.
    """
    wanted = [name for name in dict.fromkeys(names) if "\n" not in name]
    if not wanted:
        return {}
    given = "".join(f"{name}\n" for name in wanted)
    answer = git.run(
        root, "cat-file", "--batch", given=given.encode("utf-8", "replace")
    )
    found = zip(wanted, _answers(answer), strict=False)
    return {name: data for name, data in found if data is not None}


def _answers(answer: bytes) -> Iterator[bytes | None]:
    """Take the answers of `cat-file --batch` apart, in the order of the questions."""
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        words = answer[at:end].split(b" ")
        at = end + 1
        if words[-1].isdigit() and len(words) > 2:  # noqa: PLR2004 -- id, kind, size
            size = int(words[-1])
            data = answer[at : at + size]
            at += size + 1
            yield data if words[-2] == b"blob" else None
        else:
            yield None
