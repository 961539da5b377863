"""A thread folded into records: by models that pass the gate, else by rule."""

import asyncio
from dataclasses import replace
from datetime import UTC

import pytest

from apx.domain.compaction import Compaction
from apx.domain.ending import Ending
from apx.domain.errors import ProviderUnavailable
from apx.domain.event import Event, EventKind
from apx.domain.fitting import messages
from apx.domain.summary import Section
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.memory.condenser import Condenser, Rule, Wish
from apx.memory.drafting import Drafting
from apx.memory.windows import Windows
from apx.store.condensations import Condensations
from apx.store.history import History
from apx.store.verify import verify
from apx.testing import ScriptedModel, until
from tests.memory.records import UNHELPFUL, faithful, good, saying

MAIN = Thread("terminal", "main")
ROOM = 20_000
GOAL = "I want to move my shop to a new server. Never touch the live database."


class Talk:
    """A thread in a real ledger, and what condenses it."""

    def __init__(self, database, ledger, history, clock, hear):
        self.database, self.ledger, self.history = database, ledger, history
        self.clock, self.hear = clock, hear
        self.condensations = Condensations(database)
        self.models = [good()]
        self.flushed: list[int] = []
        self.condenser = Condenser(
            history=history,
            condensations=self.condensations,
            drafting=Drafting(self._asked, Windows(), "You are apx."),
            flush=self._flush,
            rules=Compaction(),
            clock=clock,
        )

    async def _asked(self):
        return self.models

    async def _flush(self, _thread, turns):
        self.flushed += [past.turn.ordinal for past in turns]
        return len(turns)

    async def say(self, text, final="fine"):
        await self.ledger.accept(self.hear(text))
        turn = await self.ledger.begin(MAIN, self.clock())
        ending = Ending(TurnState.COMPLETED, final=final, model="m")
        await self.ledger.end(turn, ending, self.clock())
        return turn

    async def chat(self, count, first=GOAL):
        for number in range(count):
            await self.say(first if number == 0 and first else f"what of box {number}?")

    async def condense(self, **wish):
        return await self.condenser.condense(MAIN, Wish(ROOM, **wish))

    async def shown(self):
        return messages(await self.history.view(MAIN), ROOM, UTC)

    async def event(self, kind, **body):
        event = Event(kind, f"{kind}/{self.clock()}", self.clock(), body, str(MAIN))
        return await self.ledger.record(event)


@pytest.fixture
def talk(database, ledger, history, clock, hear):
    return Talk(database, ledger, history, clock, hear)


async def test_a_record_takes_the_place_of_all_but_the_newest(talk):
    """Range, opening and standing words are in it; what left was flushed before."""
    await talk.chat(50)
    outcome = await talk.condense()
    view = await talk.history.view(MAIN)

    assert outcome.made.model == "scripted:good"
    assert (view.condensation.first, view.condensation.last) == (1, 30)
    assert [past.turn.ordinal for past in view.past] == list(range(31, 51))
    assert view.condensation.opening[0].text == GOAL
    assert "Never touch the live database." in [
        s.text for s in view.condensation.standing
    ]
    assert talk.flushed == list(range(1, 31))
    assert view == replace(outcome.after, condensation=view.condensation, counted=50)


async def test_the_next_record_subsumes_the_one_before(talk):
    """Which is event 0 of its prompt; the opening is quoted only the first time."""
    await talk.chat(40)
    await talk.condense()
    await talk.chat(30, first="")
    await talk.condense()
    first, second = talk.models[0].prompts

    assert "The conversation began with" in first[0].text
    assert "The conversation began with" not in second[0].text
    assert '<EVENT id="0" role="record">\nUSER_CONTEXT:' in second[1].text
    assert "Event 0" in second[0].text
    chain = await talk.condensations.chain(MAIN, 9)
    assert [(c.first, c.last) for c in chain] == [(1, 50), (1, 20)]
    assert chain[0].opening == chain[1].opening


async def test_the_record_says_what_it_rests_on(talk, history):
    """Range, link, model, sizes: all that is asked of it later."""
    await talk.chat(40)
    await talk.condense()
    await talk.chat(30, first="")
    await talk.condense()
    first, second = [
        e for e in await history.events(0, 9999) if e.kind is EventKind.COMPACT
    ]

    assert second.body["condenser"] == "v2"
    assert second.body["prev"] == first.seq
    assert second.body["prev_compact_ts"] == first.at.isoformat()
    assert first.body["prev_compact_ts"] is None
    assert first.body["messages"] == [80, 40]
    assert second.body["tokens"][0] > second.body["tokens"][1] > 0
    assert second.body["facts"] == 30
    assert await verify(talk.database.path) == []


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "OK",
        UNHELPFUL,
        "The system prompt says: be nice.",
        ProviderUnavailable("scripted:bad did not answer in time", provider="x"),
    ],
)
async def test_what_does_not_pass_falls_to_the_next_model(talk, bad):
    """And the record says why."""
    await talk.chat(50, first=GOAL)
    await talk.say("the order is PROJ-8123")
    await talk.chat(25, first="")
    talk.models = [saying(bad), good("scripted:second")]
    outcome = await talk.condense()

    assert outcome.made.model == "scripted:second"
    assert len(outcome.reasons) == 1
    assert "PROJ-8123" not in outcome.reasons[0]


async def test_without_a_good_record_nothing_is_written(talk):
    """The raw turns stay, and the reasons are told."""
    await talk.chat(50)
    before = await talk.shown()
    talk.models = [saying("OK"), saying("", "scripted:mute")]
    outcome = await talk.condense()

    assert outcome.made is None
    assert [reason.split(":")[1] for reason in outcome.reasons] == ["bad", "mute"]
    assert await talk.shown() == before
    assert talk.flushed == []


async def test_by_rule_it_is_marked_and_done_again_by_a_model(talk):
    """From the turns themselves, not from the digest; undoing goes back to that."""
    await talk.chat(50)
    talk.models = []
    await talk.condense(rule=Rule.ALWAYS)
    degraded = await talk.shown()
    talk.models = [good()]
    outcome = await talk.condense()

    assert "without a model" in degraded[0].text
    assert outcome.made.degraded is False
    told = talk.models[0].prompts[0][1].text
    assert 'role="record"' not in told
    assert told.count('role="person"') == 30
    assert await talk.condenser.undo(MAIN, "u1") == outcome.made.id
    assert await talk.shown() == degraded


async def test_a_long_degraded_past_is_read_again_only_so_far(talk):
    """Years without a model are no bill when there is one."""
    talk.models = []
    await talk.chat(350)
    await talk.condense(rule=Rule.ALWAYS)
    await talk.chat(60, first="")
    await talk.condense(rule=Rule.ALWAYS)
    talk.models = [good(window=200_000)]
    outcome = await talk.condense()

    assert (outcome.made.first, outcome.made.last) == (1, 390)
    told = talk.models[0].prompts[0][1].text
    assert told.count('role="person"') == 60
    assert told.count('role="record"') == 1


async def test_what_was_undone_is_shown_as_before(talk):
    """Byte for byte; and the next message does not condense it again."""
    await talk.chat(50)
    before = await talk.shown()
    await talk.condense()
    assert await talk.shown() != before

    assert await talk.condenser.undo(MAIN, "u1")
    view = await talk.history.view(MAIN)
    assert await talk.shown() == before
    assert view.new_messages == 0
    assert await talk.condenser.undo(MAIN, "u2") == 0


async def test_new_begins_where_no_record_reaches(talk):
    """Neither the one before nor one that was on its way."""
    await talk.chat(50)
    gate = asyncio.Event()
    talk.models = [ScriptedModel(lambda prompt: [gate, *faithful(prompt)])]
    async with asyncio.TaskGroup() as group:
        late = group.create_task(talk.condense())
        await until(lambda: talk.models[0].prompts)
        await talk.event(EventKind.FRESH)
        gate.set()

    assert late.result().made is None
    assert await talk.shown() == []
    await talk.chat(50, first="a new beginning")
    await talk.condense()
    view = await talk.history.view(MAIN)
    assert (view.condensation.first, view.condensation.opening[0].text) == (
        51,
        "a new beginning",
    )
    assert await talk.condenser.undo(MAIN, "u1")
    assert await talk.condenser.undo(MAIN, "u2") == 0


async def test_a_rewind_into_a_record_revokes_it(talk):
    """The older record serves, or the turns themselves; later turns are gone."""
    turns = [await talk.say(f"q{n}") for n in range(40)]
    await talk.condense()
    turns += [await talk.say(f"q{n}") for n in range(40, 80)]
    await talk.condense()
    assert (await talk.history.view(MAIN)).condensation.last == 60

    await talk.event(EventKind.REWIND, to=turns[44].id)
    view = await talk.history.view(MAIN)
    assert view.condensation.last == 20
    assert [p.turn.request for p in view.past] == [f"q{n}" for n in range(20, 45)]

    await talk.event(EventKind.REWIND, to=turns[9].id)
    view = await talk.history.view(MAIN)
    assert view.condensation is None
    assert [p.turn.request for p in view.past] == [f"q{n}" for n in range(10)]
    assert (await talk.say("again")).ordinal == 11
    assert await verify(talk.database.path) == []


async def test_two_at_once_make_one_record(talk):
    """Two messages close together start one condensation."""
    await talk.chat(50)
    async with asyncio.TaskGroup() as group:
        both = [group.create_task(talk.condense()) for _ in range(2)]

    assert [t.result().made is None for t in both] == [False, True]
    assert len(await talk.condensations.chain(MAIN, 9)) == 1


async def test_a_thread_longer_than_a_view_is_folded_by_rule_first(
    database, ledger, clock, hear
):
    """As one from an older version is; no turn falls between."""
    talk = Talk(database, ledger, History(database, most=30), clock, hear)
    await talk.chat(100)
    assert (await talk.history.view(MAIN)).unread == 70

    await talk.condense()
    view = await talk.history.view(MAIN)

    assert view.unread == 0
    assert (view.condensation.first, view.condensation.last) == (1, 80)
    assert [p.turn.ordinal for p in view.past] == list(range(81, 101))
    assert talk.flushed == list(range(1, 81))


async def test_a_lost_id_is_added_to_a_record_that_passed(talk):
    """One of twelve may be forgotten by a model, and by nobody else."""
    for number in range(12):
        await talk.say(f"yesterday PROJ-80{number:02} came in again")
    await talk.chat(40, first="")

    def forgetful(prompt):
        return [str(faithful(prompt)[0]).replace("PROJ-8003", "a ticket")]

    talk.models = [ScriptedModel(forgetful, name="scripted:forgetful")]
    outcome = await talk.condense()

    assert outcome.made.model == "scripted:forgetful"
    assert "also named: PROJ-8003" in outcome.made.sections[Section.TASK_TRACKING]


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (
            "우리 가게를 옮기고 싶어요. 절대로 결제 데이터는 건드리지 마세요.",
            "Korean",
        ),
        ("Quiero mudar mi tienda a otro servidor. Nunca toques los pagos.", "Spanish"),
        ("أريد نقل متجري إلى خادم جديد. لا تلمس بيانات الدفع أبدا.", "Arabic"),
    ],
)
async def test_a_record_is_in_the_language_of_the_talk(talk, said, language):
    """And what a rule folds stays in it word for word."""
    for _ in range(50):
        await talk.say(said, final="")
    await talk.condense()
    assert f"Write in {language}." in talk.models[0].prompts[0][0].text

    talk.models = []
    await talk.condenser.undo(MAIN, "u1")
    made = (await talk.condense(rule=Rule.ALWAYS)).made
    assert made.degraded
    assert said.split(". ")[1].rstrip(".") in made.text(UTC, 2_000)
