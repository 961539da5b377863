"""The commands that write memories: add, update, merge, archive and the like."""

from __future__ import annotations

from apx.cli.mem.opening import body, fields, one, opened, several, today
from apx.cli.mem.shown import Told, done, every
from apx.mem import actions, cache
from apx.mem.faults import MemFault, wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.memory import Value
    from apx.mem.store import Store
    from apx.mem.toon import Json

_TEXTS: Final = (
    "title",
    "abstract",
    "scope",
    "confidence",
    "priority",
    "verified",
    "source",
    "status",
)
_LIKE: Final = 0.6
# Each time somebody else wrote in between; that many do not.
_TRIES: Final = 100


def add(words: Words) -> Told:
    """Add a memory."""
    missing = [name for name in ("--type", "--title") if words.text(name) is None]
    if missing:
        raise wrong(f"add: {' and '.join(missing)} missing", "apx mem help add")
    given = fields(words, ("type", *_TEXTS, "tags"))
    draft = actions.Draft(
        {name: value for name, value in given.items() if value is not None},
        body(words) or b"",
    )
    force = words.has("--force")
    added = actions.add(opened(), draft, today=today(), force=force)
    return done(added, f"apx mem show {added.id}")


def update(words: Words) -> Told:
    """Change fields of a memory, or its body."""
    changes, text = fields(words, _TEXTS), body(words)
    shift = _shift(words.text("--tags"))
    if shift is None:
        changes |= fields(words, ("tags",))
    if not changes and text is None and shift is None:
        raise wrong("update: nothing to change was given", "apx mem help update")
    expect = words.whole("--expect", 0) or None
    store = opened()
    name = _one(store, words.places[0])
    for _ in range(_TRIES):
        version = expect
        if shift is not None:
            now = store.read(name)
            changes["tags"] = _shifted(now.tags, shift)
            version = expect or now.version
        try:
            updated = actions.update(
                store,
                name,
                changes,
                text,
                today=today(),
                force=words.has("--force"),
                expect=version,
            )
        except MemFault as fault:
            if fault.code != "conflict" or expect is not None:
                raise
        else:
            return done(updated)
    raise MemFault("busy", f"{name} is written all the time", "try again")


def merge(words: Words) -> Told:
    """Take one memory into another."""
    store = opened()
    keep, absorb = (_one(store, word) for word in words.places)
    if keep == absorb:
        raise wrong(f"merge: {keep} cannot take in itself")
    dry = words.has("--dry-run")
    merged = actions.merge(store, keep, absorb, today=today(), dry=dry)
    if dry:
        return Told({"outcome": "dry-run", "id": merged.id, "said": merged.said})
    return done(merged, f"apx mem restore {absorb}")


def dedup(words: Words) -> Told:
    """Find pairs that say much the same."""
    threshold = words.number("--threshold", _LIKE)
    kind, apply = words.text("--type"), words.has("--apply")
    found = actions.dedup(opened(), threshold, kind, apply=apply, today=today())
    pairs: list[Json] = [
        {"keep": pair.keep, "absorb": pair.absorb, "likeness": round(pair.likeness, 2)}
        for pair in found
    ]
    outcome = "dry-run" if not apply else "merged" if pairs else "no-op"
    data: dict[str, Json] = {
        "outcome": outcome,
        "count": f"{len(pairs)} pairs",
        "pairs": pairs,
    }
    if pairs and not apply:
        first = found[0]
        data["help"] = [f"apx mem merge {first.keep} {first.absorb}", "--apply for all"]
    return Told(data)


def archive(words: Words) -> Told:
    """Put memories away."""
    store = opened()
    with cache.opened(store.root) as known:
        ids = several(known, words.places)
    archived = actions.archive(store, ids, today=today())
    return every(archived, f"apx mem restore {ids[0]}")


def restore(words: Words) -> Told:
    """Bring back what was archived or removed."""
    store, word = opened(), words.places[0]
    with cache.opened(store.root) as known:
        # The file of one that was removed is not there to be found.
        name = one(known, word) if known.find(word) else word
    return done(actions.restore(store, name, today=today()))


def promote(words: Words) -> Told:
    """Make a proposed memory active; or notes of apx proposed ones."""
    if words.has("--notes"):
        from apx.cli.mem.taking import notes  # noqa: PLC0415 -- it reads files of apx

        return notes(words)
    if not words.places:
        raise wrong("promote: which memory?", "apx mem review", "apx mem help promote")
    if words.has("--dry-run"):
        raise wrong("--dry-run goes with --notes", "apx mem help promote")
    given = fields(words, ("scope",))
    scope = None if "scope" not in given else str(given["scope"] or "")
    store = opened()
    name = _one(store, words.places[0])
    return done(actions.promote(store, name, scope=scope, today=today()))


def _shift(text: str | None) -> tuple[list[str], list[str]] | None:
    """Tell which tags come and which go; None if all are given anew."""
    items = [item.strip() for item in (text or "").split(",") if item.strip()]
    signs = {item[0] for item in items}
    if not signs & {"+", "-"}:
        return None
    if not signs <= {"+", "-"}:
        raise wrong("--tags: either all with + or -, or none", "--tags +new,-old")
    from apx.mem import check  # noqa: PLC0415 -- only this command needs it

    checked = [
        _words(check.field("tags", ",".join(i[1:] for i in items if i[0] == sign)))
        for sign in "+-"
    ]
    return checked[0], checked[1]


def _words(value: Value) -> list[str]:
    return list(value) if isinstance(value, tuple) else []


def _shifted(tags: Sequence[str], shift: tuple[list[str], list[str]]) -> Value:
    come, go = shift
    return tuple(dict.fromkeys(tag for tag in (*tags, *come) if tag not in go))


def _one(store: Store, word: str) -> str:
    # A whole id needs no look at all files: the write takes one of its own.
    if store.has(word):
        return word
    with cache.opened(store.root) as known:
        return one(known, word)
