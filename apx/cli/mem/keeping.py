"""The commands that keep the store itself: init, sync, status, stats, doctor, purge."""

from __future__ import annotations

import os

from apx.cli.mem.opening import opened, several
from apx.cli.mem.shown import Told
from apx.mem import cache, wanted
from apx.mem.faults import wrong
from apx.mem.store import Store, place

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.toon import Json

_SECONDS: Final = 30
_MOST: Final = 3600
_TAGS: Final = 20


def init(words: Words) -> Told:  # noqa: ARG001 -- as all commands
    """Make the store, or say that it is there."""
    store = Store(place(os.environ))
    is_new = store.init()
    data: dict[str, Json] = {
        "outcome": "created" if is_new else "no-op",
        "store": store.root,
        "said": "an empty store" if is_new else "there is a store already",
        "help": ["apx mem add --type decision --title '...' --body '...'", "apx mem"],
    }
    return Told(data)


def sync(words: Words) -> Told:
    """Fetch what others wrote, merge, push."""
    from apx.mem import sync as syncing  # noqa: PLC0415 -- only this command needs it

    seconds = words.whole("--timeout", _SECONDS)
    if seconds > _MOST:
        raise wrong(f"--timeout: {_MOST} seconds at most")
    store = opened()
    remote = words.text("--remote") or os.environ.get("MEM_REMOTE") or "origin"
    result = syncing.sync(store, remote, seconds)
    if words.has("--hook"):
        return Told({}, is_quiet=True)
    data: dict[str, Json] = {**result}
    hints: list[Json] = ["apx mem review"] * bool(result["merged"])
    hints += ["apx mem doctor"] * ("credentials" in result)
    if hints:
        data["help"] = hints
    return Told(data)


def status(words: Words) -> Told:  # noqa: ARG001 -- as all commands
    """Tell where the store is and how it stands, as far as a glance shows."""
    from apx.mem import health  # noqa: PLC0415 -- it asks git

    store = opened()
    with cache.opened(store.root) as known:
        data: dict[str, Json] = {**health.brief(store, known)}
    if data["problems"]:
        data["help"] = ["apx mem doctor"]
    return Told(data)


def doctor(words: Words) -> Told:  # noqa: ARG001 -- as all commands
    """Tell what is wrong, and what to do about it."""
    from apx.mem import health  # noqa: PLC0415 -- as above

    store = opened()
    with cache.opened(store.root) as known:
        found = health.report(store, known)
    code = 1 if found["problems"] else 0
    return Told({"outcome": "problems" if code else "ok", **found}, code=code)


def stats(words: Words) -> Told:  # noqa: ARG001 -- as all commands
    """Count what there is, and how it grew."""
    store = opened()
    with cache.opened(store.root) as known:
        every = known.rows(wanted.parsed(status=wanted.ALL))
    tags = [tag for row in every for tag in row["tags"].split("\n") if tag]
    data: dict[str, Json] = {
        "store": store.root,
        "count": f"{len(every)} total",
        "types": _counted("type", (row["type"] for row in every)),
        "states": _counted("status", (row["status"] for row in every)),
        "scopes": _counted("scope", (row["scope"] or "your own" for row in every)),
        "tags": _counted("tag", tags)[:_TAGS],
        "months": _counted("month", sorted(row["created"][:7] for row in every), 0),
    }
    return Told(data)


def purge(words: Words) -> Told:
    """Take memories out of the whole history."""
    from apx.mem import history  # noqa: PLC0415 -- only this command needs them
    from apx.mem import purge as purging  # noqa: PLC0415 -- as above

    store = opened()
    with cache.opened(store.root) as known:
        # What was removed is in the history alone, under its whole id.
        ids = [
            name
            for word in words.places
            for name in (several(known, [word]) if known.find(word) else [word])
        ]
    ids += history.earlier(store.root, ids)
    if not words.has("--apply"):
        told: dict[str, Json] = {
            "outcome": "dry-run",
            "mem": list(ids),
            "said": "they would be gone for ever, from the history as well",
            "remotes": purging.unreached(store),
            "help": [f"apx mem purge {' '.join(ids)} --apply"],
        }
        return Told(told)
    count = purging.purge(store, ids)
    outcome = "purged" if count else "no-op"
    data: dict[str, Json] = {"outcome": outcome, "count": count, "mem": list(ids)}
    remotes = purging.unreached(store)
    if remotes:
        data |= {"remotes": remotes, "said": "what remotes and other copies have stays"}
    return Told(data)


def _counted(name: str, values: Iterable[str], order: int = 1) -> list[Json]:
    """Count each value: the most frequent first, or for 0 as they come."""
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    pairs = list(counts.items())
    if order:
        pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return [{name: value, "count": count} for value, count in pairs]
