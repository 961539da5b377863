"""Stores that share a bare repository, and what tests ask of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from apx.mem import frontmatter
from apx.mem.memory import LETTERS, Memory
from apx.mem.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from apx.mem.memory import Value

NAME = "d-2026-12-01-tea"
PATH = f"objects/decisions/{NAME}.md"


def made(place: Path) -> Store:
    store = Store(str(place), wait=5)
    assert store.init()
    return store


def cloned(bare: str, place: Path) -> Store:
    run("clone", "--quiet", bare, str(place))
    return Store(str(place), wait=5)


def memory(name: str = NAME, body: str = "green\n", **fields) -> Memory:
    kind = LETTERS[name[0]].name
    first: dict[str, Value] = {
        "id": name,
        "type": kind,
        "title": "Tea",
        "version": 1,
        "confidence": 0.7,
    }
    return Memory({**first, "created": "2026-12-01", **fields}, body.encode())


def put(store: Store, *memories: Memory) -> int:
    with store.writing() as writing:
        for one in memories:
            writing.put(one)
        return writing.commit("mem(decision): add Tea")


def said(store: Store, body: str, name: str = NAME, **fields) -> None:
    """Have a memory say something else."""
    now = store.read(name)
    later = now.changed(version=now.version + 1, **fields).saying(body.encode())
    put(store, later)


def drop(store: Store, name: str = NAME) -> None:
    with store.writing() as writing:
        writing.remove(writing.read(name))
        writing.commit("mem(decision): remove Tea")


def by_hand(store: Store, data: bytes, path: str = PATH) -> None:
    """Write a file as an editor does."""
    place = Path(store.root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def run(*words: str) -> str:
    """Run git as a person would."""
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@localhost", *words],  # noqa: S607 -- whichever git there is
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.rstrip("\n")


def asked(store: Store, *words: str) -> str:
    return run("-C", store.root, *words)


def tree(store: Store) -> str:
    return asked(store, "rev-parse", "HEAD^{tree}")


def texts(store: Store) -> dict[str, bytes]:
    """Give the files of the store."""
    root = Path(store.root)
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in {".git", ".cache"}
    }


def rendered(one: Memory) -> bytes:
    return frontmatter.render(one)


def check_clean(store: Store) -> None:
    """Nothing is left open, and no file is another than in history."""
    status = ("status", "--porcelain", "--untracked-files=all", "--", ".", ":!.cache")
    assert asked(store, *status) == ""
    assert asked(store, "fsck", "--no-dangling") == ""
    assert not any(Path(store.root, ".git/apx").iterdir())
    assert not any(b"<<<<<<<" in data for data in texts(store).values())
