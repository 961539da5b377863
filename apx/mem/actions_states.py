"""The ways of a memory between proposed, active, archived."""

from __future__ import annotations

from apx.mem import cache
from apx.mem.actions_rules import (
    archived,
    changed_since,
    counted,
    keep,
    place,
    put_away,
    subject,
    unclaimed,
)
from apx.mem.deeds import ACCEPTED, NO_OP, PROMOTED, REJECTED, RESTORED, SHELVED, Done
from apx.mem.faults import MemFault
from apx.mem.memory import ACTIVE, ARCHIVED

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.mem.memory import Memory
    from apx.mem.store import Store
    from apx.mem.writing import Writing

# A person looked at it and said that it is so.
ACCEPTED_AT_LEAST: Final = 0.8


def archive(store: Store, ids: Sequence[str], *, today: str) -> list[Done]:
    """Put memories away, all of them or none, in one commit."""
    with store.writing() as writing:
        every = [writing.read(id) for id in dict.fromkeys(ids)]
        shelved = {one.id: put_away(one, today) for one in every}
        new = [one for one in every if one.status != ARCHIVED]
        keep(writing, *(shelved[one.id] for one in new))
        if len(new) == 1:
            writing.commit(subject("archive", new[0]))
        elif new:
            names = "\n".join(memory.id for memory in new)
            writing.commit(f"mem: archive {len(new)} memories", names)
    return [
        Done(one, NO_OP, f"{one.id} is archived already")
        if one.status == ARCHIVED
        else Done(shelved[one.id], SHELVED, f"archived {one.id}")
        for one in every
    ]


def reject(store: Store, id: str, *, today: str) -> Done:
    """Put away what a person looked at and does not want."""
    with store.writing() as writing:
        before = writing.read(id)
        if before.status == ARCHIVED:
            return Done(before, NO_OP, f"{id} is archived already")
        after = put_away(before, today)
        keep(writing, after)
        writing.commit(subject("reject", after))
    return Done(after, REJECTED, f"rejected {id}")


def accept(store: Store, id: str, *, today: str) -> Done:
    """Make a memory active, as a person looked at it today and it is so."""
    with store.writing() as writing:
        before = writing.read(id)
        if before.status == ARCHIVED:
            raise archived(before)
        after = before.changed(
            status=ACTIVE,
            verified=today,
            confidence=max(before.confidence, ACCEPTED_AT_LEAST),
        )
        if (before.status, before.confidence, before.text("verified")) == (
            ACTIVE,
            after.confidence,
            today,
        ):
            return Done(before, NO_OP, f"{id} is accepted already")
        after = counted(after, before, today)
        keep(writing, after)
        writing.commit(subject("accept", after))
    return Done(after, ACCEPTED, f"accepted {id}")


def promote(
    store: Store,
    id: str,
    *,
    scope: str | None = None,
    today: str,
) -> Done:
    """Make a proposed memory active; with a scope, for those of that scope."""
    with store.writing() as writing:
        before = writing.read(id)
        if before.status == ARCHIVED:
            raise archived(before)
        wanted = before.text("scope") if scope is None else scope
        after = before.changed(status=ACTIVE, scope=wanted or None)
        if before.status == ACTIVE and place(after) == place(before):
            return Done(before, NO_OP, f"{id} is active already")
        if place(after) != place(before):
            with cache.opened(store.root) as known:
                unclaimed(known, after)
        after = counted(after, before, today)
        keep(writing, after)
        writing.commit(subject("promote", after))
    return Done(after, PROMOTED, f"promoted {id}")


def restore(store: Store, id: str, *, today: str) -> Done:
    """Make an archived memory active, or bring back one whose file is gone."""
    with store.writing() as writing:
        before, is_there, broken = _found(store, writing, id)
        if is_there and before.status != ARCHIVED:
            return Done(before, NO_OP, f"{id} is {before.status} already")
        after = before
        if before.status == ARCHIVED:
            after = before.changed(status=ACTIVE)
        if not is_there:
            with cache.opened(store.root) as known:
                unclaimed(known, after)
        after = counted(after, before, today)
        keep(writing, after)
        writing.commit(subject("restore", after))
    said = f"restored {id}"
    if broken:
        said += f" as of version {before.version}: what came later cannot be read"
    return Done(after, RESTORED, said)


def undo(store: Store, id: str, version: int, *, today: str) -> Done:
    """Take back the write that made a version, if nobody wrote since.

    What was new is archived.
    """
    from apx.mem import history  # noqa: PLC0415 -- no other write reads history

    with store.writing() as writing:
        now = writing.read(id)
        if now.version != version:
            raise changed_since(now)
        data = history.before(store, id)
        if data is None:
            after, outcome = put_away(now, today), SHELVED
        else:
            after, outcome = _earlier(now, data, today), RESTORED
            if place(after) != place(now):
                with cache.opened(store.root) as known:
                    unclaimed(known, after)
        if after != now:
            keep(writing, after)
            writing.commit(subject("undo", now))
    return Done(after, outcome, f"took back version {version} of {id}")


def _found(store: Store, writing: Writing, id: str) -> tuple[Memory, bool, int]:
    """Read a memory from its file, else from history; say how many are passed over."""
    try:
        return writing.read(id), True, 0
    except MemFault as fault:
        if fault.code != "not_found":
            raise
    from apx.mem import frontmatter, history  # noqa: PLC0415 -- seldom needed

    data, broken = history.readable(store, id)
    return frontmatter.parse(id, data), False, broken


def _earlier(now: Memory, data: bytes, today: str) -> Memory:
    """Give what a memory was before; by hand, its file changes without a version."""
    from apx.mem import frontmatter  # noqa: PLC0415 -- seldom needed

    before = frontmatter.parse(now.id, data)
    if before.version >= now.version:
        raise changed_since(now)
    return counted(before, now, today)
