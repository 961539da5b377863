"""The commands that look at memories: home, list, search, show, history."""

from __future__ import annotations

from apx.cli.mem import rows
from apx.cli.mem.opening import one, opened, plain, several
from apx.cli.mem.shown import Told
from apx.mem import cache, wanted
from apx.mem.faults import wrong
from apx.mem.memory import KEYS, STATES, TYPES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.cache import Cache, Row
    from apx.mem.memory import Memory
    from apx.mem.toon import Json
    from apx.mem.wanted import Filters, Wanted

_LIST: Final = 50
_SEARCH: Final = 20
_HISTORY: Final = 20
_HOME: Final = 5
_CUT: Final = 500
# Scopes of one person or one room: no prompt of somebody else has them unasked.
_APART: Final = ("private:", "room:")
_OWN: Final = "private:owner"
_ADD: Final = "apx mem add --type decision --title '...' --body '...'"


def home(words: Words) -> Told:  # noqa: ARG001 -- as all commands
    """Tell what there is, and what to do next."""
    store = opened()
    with cache.opened(store.root) as known:
        total = known.total()
        best = known.rows(wanted.parsed(limit=_HOME))
        counts = known.counts()
    data: dict[str, Json] = {
        "store": store.root,
        "count": f"{total} total",
        "types": _types(counts),
        "mem": rows.table(best, rows.USUAL),
        "help": [
            "apx mem search WORDS",
            "apx mem show ID",
            _ADD,
            "apx mem help",
        ],
    }
    return Told(data)


def listed(words: Words) -> Told:
    """List memories, what matters most first."""
    names = rows.chosen(words, rows.USUAL)
    want = wanted.parsed(**_filters(words, _LIST))
    with cache.opened(opened().root) as known:
        return _found(words, known, want, names)


def search(words: Words) -> Told:
    """Find memories by words, a pattern or their meaning."""
    names = rows.chosen(words, rows.USUAL)
    query, filters = _query(words), _filters(words, _SEARCH)
    is_vector = words.text("--features") == "vector"
    if words.has("--regex") and (is_vector or words.has("--any")):
        raise wrong("--regex goes with neither --any nor --features=vector")
    if not query.strip():
        if words.has("--hook"):
            return Told({}, is_quiet=True)
        raise wrong("search: which words?", "apx mem list")
    filters["any"] = words.has("--any") or words.has("--hook")
    filters["regex"] = words.has("--regex")
    want = wanted.parsed(query, **filters)
    store = opened()
    with cache.opened(store.root) as known:
        if not is_vector:
            return _found(words, known, want, names)
        from apx.cli.mem import meaning  # noqa: PLC0415 -- few ask for it

        found, how = meaning.fused(store.root, known, want, query)
        return _answer(words, known, want, names, found, how)


def show(words: Words) -> Told:
    """Tell all of one memory, or of several."""
    names = rows.chosen(words, (), (*KEYS, "size", "body"))
    store = opened()
    with cache.opened(store.root) as known:
        ids = several(known, words.places)
    every = [store.read(name) for name in ids]
    shown = [_all(memory, names, is_full=words.has("--full")) for memory in every]
    data: dict[str, Json] = shown[0] if len(shown) == 1 else {"mem": list(shown)}
    if any(len(memory.said) > _CUT for memory in every) and not words.has("--full"):
        data["help"] = [f"apx mem show {' '.join(ids)} --full"]
    return Told(data)


def history(words: Words) -> Told:
    """Tell which commits wrote a memory."""
    from apx.mem import history as past  # noqa: PLC0415 -- it needs git

    limit = words.whole("--limit", _HISTORY)
    store = opened()
    with cache.opened(store.root) as known:
        # One whose file was removed has a history, too.
        word = words.places[0]
        name = one(known, word) if known.find(word) else word
    found = past.of(store, name, 0)
    shown: list[Json] = [dict(each) for each in found[:limit]]
    data: dict[str, Json] = {
        "id": name,
        "count": rows.counted(len(shown), len(found)),
        "history": shown,
    }
    return Told(data)


def _filters(words: Words, limit: int) -> Filters:
    found: Filters = {
        "type": words.text("--type"),
        "tags": words.many("--tag"),
        "scope": words.text("--scope"),
        "status": words.text("--status") or "active",
        "limit": words.whole("--limit", limit),
    }
    if words.has("--min-priority"):
        found["min_priority"] = words.whole("--min-priority", 0, 0)
    if _is_injected(words) and not words.has("--scope"):
        found["sees"] = _is_own
    return found


def _is_own(scope: str) -> bool:
    return scope == _OWN or not scope.startswith(_APART)


def _is_injected(words: Words) -> bool:
    return words.has("--inject") or words.has("--hook")


def _query(words: Words) -> str:
    if words.has("--hook") and not words.places:
        from apx.cli.mem import hooks  # noqa: PLC0415 -- only hooks pipe a prompt in

        return hooks.prompt()
    return " ".join(words.places)


def _found(words: Words, known: Cache, want: Wanted, names: Sequence[str]) -> Told:
    return _answer(words, known, want, names, known.rows(want), "")


def _answer(
    words: Words,
    known: Cache,
    want: Wanted,
    names: Sequence[str],
    found: Sequence[Row],
    how: str,
) -> Told:
    if _is_injected(words):
        is_quiet = words.has("--hook") and not found
        return Told({"mem": rows.lines(found)}, lines="mem", is_quiet=is_quiet)
    total = known.total(want.status)
    data: dict[str, Json] = {
        "count": rows.counted(len(found), total),
        "mem": rows.table(found, names),
    }
    if how:
        data["features"] = how
    hints = _hints(words, want, found, total, known)
    if hints:
        data["help"] = hints
    return Told(data)


def _hints(
    words: Words, want: Wanted, found: Sequence[Row], total: int, known: Cache
) -> list[Json]:
    """Say what to do next, where that is not plain."""
    if found:
        if want.limit is None or len(found) < want.limit:
            return []
        every = known.count(want)
        return [f"--limit {every} shows all that fit"] if every > len(found) else []
    if not total:
        return [_ADD]
    if words.command.name == "list":
        return ["apx mem list, without filters"]
    loosely = (
        [] if want.any or want.regex else ["--any finds what has one of the words"]
    )
    return ["other or fewer words", *loosely, "apx mem list"]


def _types(counts: Sequence[Row]) -> list[Json]:
    """Count each type by status; all types are named, also what there is none of."""
    table = {name: dict.fromkeys(STATES, 0) for name in TYPES}
    for row in counts:
        table[row["type"]][row["status"]] += row["count"]
    return [{"type": name, **states} for name, states in table.items()]


def _all(memory: Memory, names: Sequence[str], *, is_full: bool) -> dict[str, Json]:
    text = memory.said
    every: dict[str, Json] = {key: plain(value) for key, value in _set(memory).items()}
    every["size"] = len(text)
    every["body"] = text if is_full else text[:_CUT]
    return {name: every.get(name) for name in names} if names else every


def _set(memory: Memory) -> dict[str, str | int | float | tuple[str, ...]]:
    """Give the fields in the order of a file, with what goes without saying."""
    every = {
        **memory.fields,
        "id": memory.id,
        "type": memory.type.name,
        "status": memory.status,
        "priority": memory.priority,
        "confidence": memory.confidence,
        "version": memory.version,
    }
    return {key: every[key] for key in KEYS if key in every}
