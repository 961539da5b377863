"""The commands that take memories in from elsewhere: import, promote --notes."""

from __future__ import annotations

import os

from apx.cli.mem.opening import contents, opened, stdin, today
from apx.cli.mem.shown import Told
from apx.mem import cache, importing, wanted
from apx.mem.faults import MemFault, wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.store import Store
    from apx.mem.toon import Json

_NOTES: Final = "memory.md"
_SHOWN: Final = 20


def take(words: Words) -> Told:
    """Take in files, directories or JSON lines, all of them or none."""
    paths = words.places
    is_piped = paths == ["-"]
    if "-" in paths and not is_piped:
        raise wrong("import: either - or paths", "apx mem help import")
    store = opened()
    given = stdin() if is_piped else paths
    force, dry = words.has("--force"), words.has("--dry-run")
    done = importing.imported(store, given, today=today(), force=force, dry=dry)
    new = [one for one in done if one.outcome == "added"]
    outcome = "dry-run" if dry else "added" if new else "no-op"
    table: list[Json] = [{"id": one.id, "outcome": one.outcome} for one in done]
    data: dict[str, Json] = {
        "outcome": outcome,
        "count": f"{len(new)} of {len(done)} new",
        "mem": table[:_SHOWN],
    }
    if new and not dry:
        data["help"] = ["apx mem review"]
    return Told(data)


def notes(words: Words) -> Told:
    """Propose what the notes of apx say."""
    if words.places or words.has("--scope"):
        raise wrong(
            "promote: --notes takes no ID and no --scope", "apx mem help promote"
        )
    store, found = opened(), _noted()
    if words.has("--dry-run"):
        return _planned(store, found)
    done = importing.proposals(store, found, scope="", today=today())
    if not done:
        return Told({"outcome": "no-op", "count": "0 proposed", "mem": []})
    table: list[Json] = [{"id": each.id, "outcome": each.outcome} for each in done]
    data: dict[str, Json] = {
        "outcome": "proposed",
        "count": f"{len(done)} proposed",
        "mem": table,
        "help": ["apx mem review"],
    }
    return Told(data)


def _planned(store: Store, found: list[tuple[str, str]]) -> Told:
    with cache.opened(store.root) as known:
        rows = known.rows(wanted.parsed(status=wanted.ALL))
    sources = {row["source"] for row in rows}
    table: list[Json] = [
        {"type": importing.guessed(text), "note": text}
        for text, _ in found
        if importing.note_source(text) not in sources
    ]
    count = f"{len(table)} of {len(found)} notes"
    return Told({"outcome": "dry-run", "count": count, "notes": table})


def _noted() -> list[tuple[str, str]]:
    """Give the notes of the home: what each says, and its day."""
    from apx.domain.memory_file import decode, parse  # noqa: PLC0415 -- few need them
    from apx.home import place  # noqa: PLC0415 -- as above

    path = str(place(os.environ) / _NOTES)
    if not os.path.exists(path):  # noqa: PTH110 -- pathlib takes long to load
        raise MemFault("no_notes", f"no notes at {path}", "apx memory remember TEXT")
    entries = parse(decode(contents(path))).entries
    day = today()
    return [(one.text, one.day.isoformat() if one.day else day) for one in entries]
