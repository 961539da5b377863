"""Memories as a person's editor leaves them: files, without git."""

from __future__ import annotations

from apx.mem import cache, wanted
from apx.mem.memory import LETTERS


def put(root, name, title="", body="", **fields):
    """Write a memory's file; give its path."""
    path = root / "objects" / LETTERS[name[0]].folder / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    every = {"title": title or name, **fields}
    lines = "".join(f"{key}: {value}\n" for key, value in every.items())
    path.write_text(f"---\n{lines}---\n\n{body}", encoding="utf-8", newline="")
    return path


def found(root, query="", **filters):
    """Give the ids of what a search finds, in its order."""
    with cache.opened(str(root)) as known:
        wish = wanted.parsed(query, **filters)
        rows = known.rows(wish)
        if not wish.limit:
            assert known.count(wish) == len(rows)
        return [row["id"] for row in rows]


def asked(root, question):
    """Give what a store's cache says to a question."""
    with cache.opened(str(root)) as known:
        return question(known)


def told(root):
    """Give all that a store's cache tells of its memories."""
    with cache.opened(str(root)) as known:
        rows = [tuple(row) for row in known.rows(wanted.parsed(status="all"))]
        hits = [row["id"] for row in known.rows(wanted.parsed("te"))]
        return rows, hits, known.unreadable(), known.total()
