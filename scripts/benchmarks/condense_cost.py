"""What condensing costs: reading a view, the digest, the gate; in CPU time."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.compaction import Plan
from apx.domain.digest import digest
from apx.domain.gate import Candidate, refusal
from apx.domain.message import Message, Role
from apx.domain.thread import Thread
from apx.memory.drafting import Assignment
from apx.memory.ordering import demanded, ordered
from apx.store.condensations import Condensations, Record
from scripts.benchmarks.condense_ledger import RULES, SETTING, rig
from scripts.benchmarks.condense_models import good
from scripts.benchmarks.condense_threads import talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.domain.history import View
    from scripts.benchmarks.condense_ledger import Rig

_SHORT: Final = 100
_KEPT: Final = 20
_PAGE: Final = 5_000
_READS: Final = 100
_TIMES: Final = 10


async def printed(long: int) -> None:
    """Print the cost of views of a short and a long thread, of digest and gate."""
    async with rig(32_768) as place:
        costs = [await _view_ms(place, turns) for turns in (_SHORT, long)]
        some = await _turns(place)
    print("\nCPU ms")
    for turns, ms in zip((_SHORT, long), costs, strict=True):
        print(f"{f'the view of {turns:,} turns, condensed':44}{ms:8.2f}")
    print(f"{'the second to the first':44}{costs[1] / costs[0]:8.2f}")
    for name, act in _acts(some):
        act()  # fills caches that a process fills once
        print(f"{name:44}{_ms(act, _TIMES):8.2f}")


async def _view_ms(place: Rig, turns: int) -> float:
    thread = Thread("bench", str(turns))
    told = talk(0, "en").turns
    for first in range(0, turns, _PAGE):
        # Counted from the end: what is read word for word is the same in both.
        places = range(turns - first, max(turns - first - _PAGE, 0), -1)
        page = [told[-place % len(told)] for place in places]
        await place.say(thread, page, first + 1)
    early = await place.history.earliest(thread, _KEPT)
    made = replace(digest(None, early.past), last=turns - _KEPT)
    newest = (await place.history.view(thread)).past
    [last] = [past.turn.id for past in newest if past.turn.ordinal == made.last]
    record = Record(thread, made, last, 0, made.at, {}, 0)
    if not await Condensations(place.database).add(record):
        raise RuntimeError(f"{thread} was not condensed")
    await place.history.view(thread)
    began = time.process_time()
    for _ in range(_READS):
        await place.history.view(thread)
    return (time.process_time() - began) * 1000 / _READS


async def _turns(place: Rig) -> View:
    """Read turns of which none is condensed."""
    thread = Thread("bench", "raw")
    await place.say(thread, talk(1, "en").turns[: RULES.threshold // 2 + 1], 1)
    return await place.history.view(thread)


def _acts(view: View) -> list[tuple[str, Callable[[], object]]]:
    plan = Plan(None, view.past, ())
    given = Assignment(plan, 20_000)
    order = ordered(given)
    events = "\n".join(event.written(1_000) for event in order.events)
    prompt = [Message(Role.SYSTEM, order.instructions()), Message(Role.USER, events)]
    written = Candidate(str(good(prompt)[0]))
    demand = demanded(given, order, SETTING.instructions)
    many = len(view.past)
    return [
        (f"the digest of {many} turns", lambda: digest(None, view.past)),
        (f"the order for {many} turns", lambda: ordered(given)),
        (f"the gate for {many} turns", lambda: refusal(written, demand)),
    ]


def _ms(act: Callable[[], object], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - began) * 1000 / times
