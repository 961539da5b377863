"""Years of one conversation: whatever happens to it, nothing falls between."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from apx.domain.compaction import Compaction
from apx.domain.errors import ProviderUnavailable
from apx.domain.message import Role
from apx.testing import ScriptedModel, until
from tests.memory.records import UNHELPFUL, faithful, good, saying
from tests.stories.year import MAIN, SMALL, WIDE, Conversation, Kind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from apx.domain.message import Message

LONG: Final = bool(os.environ.get("APX_LONG"))
GOAL: Final = (
    "I want to empty my grandmother's house in Porto before 12 May, crate 00001 first."
    " It must cost at most 9000 EUR. Never throw a letter away."
)
SUMMARISERS: Final[dict[str, Callable[[], list[ScriptedModel]]]] = {
    "good": lambda: [good()],
    "unhelpful": lambda: [saying(UNHELPFUL)],
    "failing": lambda: [saying(ProviderUnavailable("away", provider="x"))],
    "failing, then good": lambda: [saying("OK"), good()],
    "none": list,
}
# Lists of hypothesis are short: said over and over they make up to forty turns.
kinds = st.builds(
    lambda some, times: some * times,
    st.lists(st.sampled_from(Kind), min_size=1, max_size=8),
    st.integers(1, 5),
)
summarisers = st.sampled_from(sorted(SUMMARISERS))


class AnyYear(RuleBasedStateMachine):
    """Everything that can happen to a thread, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._runner = asyncio.Runner()
        # What was shown before each condensation that may be taken back.
        self._before: list[list[Message]] = []

    def teardown(self) -> None:
        """End as a process does; the log and the tables agree."""
        self.run(self.talk.verify())
        self.run(self.talk.close())
        self._runner.close()
        self._folder.cleanup()

    def run(self, doing: Coroutine[object, object, object]) -> None:
        self._runner.run(doing)

    @initialize(rules=st.sampled_from([Compaction(), Compaction(8, 4, 2)]))
    def begin(self, rules: Compaction) -> None:
        path = Path(self._folder.name) / "ledger.db"
        self.talk = Conversation(path, rules)
        self.run(self.talk.open())
        # The very first message says what it is all about.
        self.run(self._checked(self.talk.say([Kind.PLAIN], GOAL)))

    async def _checked(self, doing: Coroutine[object, object, object]) -> None:
        """Do something that changes what a model is shown."""
        await doing
        self._before.clear()
        await self.talk.check()

    @rule(kinds=kinds)
    def say(self, kinds: list[Kind]) -> None:
        self.run(self._checked(self.talk.say(kinds)))

    @rule()
    def retry(self) -> None:
        self.run(self._checked(self.talk.retry()))

    @rule()
    def new(self) -> None:
        self.run(self._checked(self._afresh()))

    async def _afresh(self) -> None:
        await self.talk.fresh()
        await self.talk.check()

    @precondition(lambda self: self.talk.shown())
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        to = data.draw(st.sampled_from(self.talk.shown()))
        self.run(self._checked(self.talk.rewind(to)))

    @rule(who=summarisers, kinds=kinds)
    def condense(self, who: str, kinds: list[Kind]) -> None:
        """By hand."""
        self.run(self._checked(self.talk.say(kinds)))
        self.talk.summarisers = SUMMARISERS[who]()

        async def act() -> None:
            shown = await self.talk.seen()
            if await self.talk.by_hand() is not None:
                self._before.append(shown)
            await self.talk.check()

        self.run(act())

    @rule(who=summarisers, kinds=kinds)
    def settle(self, who: str, kinds: list[Kind]) -> None:
        """Behind the conversation."""
        self.run(self._checked(self.talk.say(kinds)))
        self.talk.summarisers = SUMMARISERS[who]()

        async def act() -> None:
            shown, before = await self.talk.seen(), await self._newest()
            await self.talk.settle()
            if await self._newest() != before:
                self._before.append(shown)
            await self.talk.check()

        self.run(act())

    async def _newest(self) -> int:
        newest = await self.talk.condensations.newest(MAIN)
        return newest.id if newest else 0

    @rule(data=st.data(), end=st.sampled_from(["new", "rewind", "say"]))
    def condense_meanwhile(self, data: st.DataObject, end: str) -> None:
        """Something happens while a model writes its record."""
        shown = self.talk.shown()
        doings: dict[str, Callable[[], Coroutine[object, object, object]]] = {
            "new": self._afresh,
            "say": lambda: self.talk.say([Kind.PLAIN, Kind.RULE]),
            "rewind": self._afresh,
        }
        if shown:
            to = data.draw(st.sampled_from(shown))
            doings["rewind"] = lambda: self.talk.rewind(to)
        meanwhile = doings[end]
        self.run(self._checked(during(self.talk, meanwhile)))

    @rule()
    def undo(self) -> None:
        async def act() -> None:
            newest = await self._newest()
            assert await self.talk.undo() == bool(newest)
            if self._before:
                assert await self.talk.seen() == self._before.pop()
            await self.talk.check()

        self.run(act())

    @rule()
    def switch(self) -> None:
        """To a model with a small window, or back."""
        self.talk.model = WIDE if self.talk.model is SMALL else SMALL
        self._before.clear()

    @rule()
    def restart(self) -> None:
        self.run(self.talk.restart())


async def during(
    talk: Conversation, meanwhile: Callable[[], Coroutine[object, object, object]]
) -> None:
    """Condense, and do something when the model has begun to write."""
    gate = asyncio.Event()
    model = ScriptedModel(lambda prompt: [gate, *faithful(prompt)])
    talk.summarisers = [model]
    async with asyncio.TaskGroup() as group:
        task = group.create_task(talk.condensing.now(MAIN))
        await until(lambda: model.prompts or task.done())
        await meanwhile()
        gate.set()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search gives what it found in time: here it has the time for all."""
    monkeypatch.setattr("apx.store.search._SECONDS", 60.0)


TestAnyYear = AnyYear.TestCase
TestAnyYear.settings = settings(
    max_examples=100 if LONG else 20,
    stateful_step_count=40 if LONG else 16,
    deadline=None,
    # The same lives each time; the long profile looks for others.
    derandomize=not LONG,
    # To make a failing story shorter takes minutes; these are short as they are.
    phases=[Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] * LONG)],
)
TestAnyYear = pytest.mark.timeout(3600 if LONG else 180)(TestAnyYear)


# A year of days: what is said on each of them, and at the end of the day a look.
DAYS: Final = 400
DAY: Final = (
    (Kind.PLAIN, Kind.TOOL, Kind.PLAIN, Kind.STOPPED, Kind.PLAIN),
    (Kind.PLAIN, Kind.RETRIED, Kind.LONG, Kind.PLAIN),
    (Kind.PLAIN, Kind.PLAIN, Kind.HEAVY, Kind.FAILED, Kind.PLAIN),
    (Kind.PLAIN, Kind.TASK, Kind.ORPHAN, Kind.PLAIN, Kind.PLAIN),
)
# Who writes the records, one after the other.
_MOSTLY: Final = ("good", "good", "failing, then good", "good", "good")
WRITERS: Final = (*_MOSTLY, "unhelpful", *_MOSTLY, "failing")


class Year:
    """Two thousand turns, with what a person does at fixed places."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self.made: list[int] = []

    async def live(self) -> None:
        for day in range(DAYS):
            await self._say(day)
            await self._happen(day)
            await self._settle(WRITERS[len(self.made) % len(WRITERS)])

    async def _say(self, day: int) -> None:
        said = list(DAY[day % len(DAY)])
        if day % 25 == 1:
            said[0] = Kind.RULE
        await self.talk.say(said, "" if day else GOAL)

    async def _settle(self, who: str) -> None:
        """Condense if it is due, as the product does after a reply."""
        self.talk.summarisers = SUMMARISERS[who]()
        before = await self._newest()
        await self.talk.settle()
        if len(self.made) < WRITERS.index("unhelpful"):
            # No model was asked in vain so far: it is done as soon as it is due.
            view = await self.talk.history.view(MAIN)
            assert view.new_messages <= Compaction().threshold
        if (newest := await self._newest()) != before:
            self.made.append(newest)
            await self.talk.check()

    async def _newest(self) -> int:
        newest = await self.talk.condensations.newest(MAIN)
        return newest.id if newest else 0

    async def _happen(self, day: int) -> None:
        if day % 60 == 59:
            await self.talk.restart()
        if day in {90, 250}:
            await self._rewound(turns=70 if day == 90 else 5)
        if day in {140, 300}:
            await self._undone()
        if day in {180, 330}:
            self.talk.model = SMALL
        if day in {200, 350}:
            await self._back()

    async def _rewound(self, turns: int) -> None:
        """Into what was condensed, and then within what was not."""
        before = await self._newest()
        await self.talk.rewind(self.talk.shown()[-turns])
        assert (await self._newest() < before) == (turns > 60)
        await self.talk.check()

    async def _undone(self) -> None:
        """Condense by hand, and think better of it."""
        await self.talk.say([Kind.PLAIN] * 25)
        shown = await self.talk.seen()
        self.talk.summarisers = [good()]
        assert (await self.talk.by_hand()) is not None
        await self.talk.check()
        assert await self.talk.seen() != shown
        assert await self.talk.undo()
        assert await self.talk.seen() == shown
        await self.talk.check()

    async def _back(self) -> None:
        """The wide model sees what the small one saw, and no less."""
        await self.talk.check()
        small = [m.text for m in await self.talk.seen() if m.role is Role.USER]
        self.talk.model = WIDE
        wide = [m.text for m in await self.talk.seen() if m.role is Role.USER]
        assert len(wide) >= len(small)
        await self.talk.check()


@pytest.mark.timeout(300)
async def test_a_year(tmp_path: Path) -> None:
    """Condensed some sixty times; what the first message said is still there."""
    talk = Conversation(tmp_path / "ledger.db", Compaction())
    await talk.open()
    try:
        year = Year(talk)
        await year.live()
        await talk.restart()
        await talk.verify()
        chain = await talk.condensations.chain(MAIN, 999)
        for model in (WIDE, SMALL):
            talk.model = model
            shown = await talk.seen()
            assert GOAL in shown[1].text
            assert shown[-1].role is Role.ASSISTANT
    finally:
        await talk.close()

    assert 40 <= len(year.made) <= 70
    assert len(talk.said) >= 2_000
    # Models write most records: what they cannot is done by rule, as an exception.
    assert 0 < sum(record.degraded for record in chain) < len(chain) // 3
    assert all(record.first == 1 for record in chain)


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Conversation]:
    """A thread of which little is kept."""
    talk = Conversation(tmp_path / "ledger.db", Compaction(12, 4, 2))
    await talk.open()
    yield talk
    await talk.close()


async def test_a_stopped_turn_does_not_open_a_thread(talk: Conversation) -> None:
    """Its person did not want it; the goal came after it."""
    await talk.say([Kind.STOPPED])
    await talk.say([Kind.PLAIN] * 9, GOAL)
    made = await talk.by_hand()

    assert made is not None
    assert [quote.text for quote in made.opening][:1] == [GOAL]


async def test_a_record_whose_end_was_rewound_is_not_taken(talk: Conversation) -> None:
    """A rewind while a model writes counts more than what it wrote."""
    await talk.say([Kind.PLAIN] * 10)
    await during(talk, lambda: talk.rewind(talk.said[3]))

    assert await talk.condensations.newest(MAIN) is None
    await talk.check()


async def test_a_record_of_rewound_turns_is_not_taken(talk: Conversation) -> None:
    """Another turn has the place of its last one by now; nobody has summed that up."""
    await talk.say([Kind.PLAIN] * 10)

    async def rewind_and_go_on() -> None:
        await talk.rewind(talk.said[6])
        await talk.say([Kind.PLAIN])

    await during(talk, rewind_and_go_on)
    await talk.check()


async def test_a_rewind_between_a_turn_and_its_repetition(talk: Conversation) -> None:
    """The repetition is gone, so the turn itself is shown."""
    await talk.say([Kind.PLAIN, Kind.RETRIED, Kind.PLAIN])
    repeated = talk.said[1]
    await talk.rewind(repeated)
    repeated.is_repeated = False

    await talk.check()


async def test_a_turn_that_ran_through_a_rewind(talk: Conversation) -> None:
    """It is gone with the others; every turn after it stays."""
    await talk.say([Kind.PLAIN] * 5)
    running = await talk.begin()
    await talk.rewind(talk.said[2])
    await talk.finish(running)
    await talk.say([Kind.PLAIN] * 4)
    assert (await talk.by_hand()) is not None

    view = await talk.history.view(MAIN)
    assert view.turn_ids >= {said.turn.id for said in talk.said[-2:]}


async def test_what_was_undone_does_not_come_again_at_once(talk: Conversation) -> None:
    """Also where the record before was made by rule and waits for a model."""
    await talk.say([Kind.PLAIN] * 10)
    assert (await talk.by_hand()) is not None
    await talk.say([Kind.PLAIN] * 3)
    talk.summarisers = [good()]
    assert (await talk.by_hand()) is not None
    assert await talk.undo()
    await talk.say([Kind.PLAIN])
    shown = await talk.seen()
    await talk.settle()

    assert await talk.seen() == shown


async def test_a_fresh_start_leaves_no_degraded_record(talk: Conversation) -> None:
    """Nobody sees it any more, and no model will make a better one."""
    await talk.say([Kind.PLAIN] * 10)
    assert (await talk.by_hand()) is not None
    assert await talk.condensations.degraded(9) == [str(MAIN)]
    await talk.fresh()

    assert await talk.condensations.degraded(9) == []
