"""The laws of the ledger, each against real SQLite."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apx.domain.ending import Ending
from apx.domain.errors import Conflict, StoreError
from apx.domain.event import Event, EventKind
from apx.domain.note import NewNote
from apx.domain.person import Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import PartState, TurnState
from apx.store.database import Database
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox
from apx.store.schema import LEDGER
from apx.store.verify import verify
from apx.testing import TickingClock

MAIN = Thread("terminal", "main")
DONE = Ending(TurnState.COMPLETED, final="done", model="m:m", parts=("done",))


async def begun(ledger, clock, heard):
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    return turn


async def events(database):
    return (await database.fetch("select count(*) as many from event"))[0]["many"]


async def test_a_request_waits_until_a_turn_takes_it(ledger, clock, hear):
    """Accepting and beginning are two steps; a crash between loses nothing."""
    accepted = await ledger.accept(hear("hello"))

    assert accepted.is_new
    assert accepted.turn is None
    assert await ledger.waiting() == ["terminal:main"]

    turn = await ledger.begin(MAIN, clock())
    assert turn is not None
    assert (turn.request, turn.state) == ("hello", TurnState.RUNNING)
    assert await ledger.waiting() == []


async def test_the_same_message_twice_is_one(ledger, database, clock, hear):
    """Platforms deliver at least once; also after the turn has ended."""
    heard = hear("hello", external_id="77")
    turn = await begun(ledger, clock, heard)
    await ledger.end(turn, DONE, clock())
    before = await events(database)

    again = await ledger.accept(replace(heard, at=clock()))

    assert not again.is_new
    assert again.turn == turn.id
    assert await events(database) == before
    assert await ledger.begin(MAIN, clock()) is None


async def test_an_id_that_meant_another_text_is_a_conflict(ledger, hear):
    """Two messages under one id would make one of them vanish."""
    await ledger.accept(hear("hello", external_id="77"))

    with pytest.raises(Conflict):
        await ledger.accept(hear("other", external_id="77"))


async def test_one_turn_a_thread_runs_at_a_time(ledger, clock, hear):
    """A second one waits; another thread does not."""
    await begun(ledger, clock, hear("a1"))
    await ledger.accept(hear("a2"))
    await ledger.accept(hear("b1", thread="terminal:other"))

    assert await ledger.begin(MAIN, clock()) is None
    assert await ledger.begin(Thread("terminal", "other"), clock()) is not None


async def test_what_waited_is_one_turn(ledger, clock, hear):
    """A burst that came while another turn ran gets one answer, in order."""
    first = await begun(ledger, clock, hear("first"))
    for text in ("one", "two", "three"):
        await ledger.accept(hear(text))
    await ledger.end(first, DONE, clock())

    turn = await ledger.begin(MAIN, clock())

    assert turn is not None
    assert turn.request == "one\ntwo\nthree"
    assert await ledger.begin(MAIN, clock()) is None


async def test_a_request_joins_the_turn_that_runs(ledger, clock, hear):
    """And waits for the next one if that has ended meanwhile."""
    turn = await begun(ledger, clock, hear("first"))
    more, late = hear("more"), hear("late")
    for heard in (more, late):
        await ledger.accept(heard)
    await ledger.join(turn, more)
    await ledger.join(turn, more)
    await ledger.end(turn, DONE, clock())
    await ledger.join(turn, late)

    assert (await ledger.accept(more)).turn == turn.id
    assert (await ledger.accept(late)).turn is None
    kept = await ledger.turn(turn.id)
    assert kept is not None
    assert kept.request == "first\nmore"


async def test_a_turn_ends_once(ledger, clock, hear):
    """With its reply in the outbox, in the same transaction."""
    turn = await begun(ledger, clock, hear("hello"))
    await ledger.end(turn, DONE, clock())

    with pytest.raises(Conflict):
        await ledger.end(turn, Ending(TurnState.FAILED, error="x"), clock())

    kept = await ledger.turn(turn.id)
    assert kept is not None
    assert (kept.state, kept.final) == (TurnState.COMPLETED, "done")


@pytest.mark.parametrize(
    "sql",
    [
        "update turn set state = 'failed'",
        "update turn set state = 'running'",
        "update turn set partial = 'more'",
        "delete from turn",
        "update event set body = '{}'",
        "delete from event",
        "insert or replace into event select * from event",
        "insert or replace into turn select * from turn",
    ],
)
async def test_sql_cannot_change_the_past(ledger, database, clock, hear, sql):
    """The rules are in the database, not in our good manners."""
    turn = await begun(ledger, clock, hear("hello"))
    await ledger.end(turn, DONE, clock())
    before = await database.fetch("select * from event")

    with pytest.raises(StoreError):
        await database.write(lambda tx: tx.execute(sql))

    after = await database.fetch("select * from event")
    assert list(map(tuple, after)) == list(map(tuple, before))
    assert await ledger.turn(turn.id) is not None


async def test_an_operation_is_done_once(ledger, database):
    """Equal contents: nothing happens. Different ones: a conflict."""
    at = TickingClock()
    event = Event(
        EventKind.FRESH, "fresh/1", at(), {"why": "x"}, thread="terminal:main"
    )

    assert await ledger.record(event) > 0
    assert await ledger.record(replace(event, at=at())) == 0
    with pytest.raises(Conflict):
        await ledger.record(replace(event, body={"why": "y"}))
    assert await events(database) == 1


async def test_an_interrupted_request_waits_to_be_run_again(ledger, clock, hear):
    """The retry knows what it repeats, and the asker finds the newest of them."""
    heard = hear("hello")
    turn = await begun(ledger, clock, heard)
    await ledger.interrupt(turn, Ending(TurnState.INTERRUPTED), clock())

    assert await ledger.repeats(turn.id)
    retry = await ledger.begin(MAIN, clock())

    assert retry is not None
    assert (retry.retry_of, retry.request) == (turn.id, "hello")
    assert await ledger.turn_of(heard.key) == retry


async def test_writers_of_many_threads_do_not_disturb_each_other(ledger, clock, hear):
    """A thousand messages at once are all there, each once."""
    heard = [hear(f"m{n}", thread=f"terminal:t{n % 50}") for n in range(1000)]

    await asyncio.gather(*(ledger.accept(message) for message in heard))

    turns = [
        await ledger.begin(Thread("terminal", f"t{n}"), clock()) for n in range(50)
    ]
    texts = [text for turn in turns if turn for text in turn.request.split("\n")]
    assert sorted(texts) == sorted(f"m{n}" for n in range(1000))


STEPS = (
    *("accept", "join", "begin", "end", "interrupt", "output"),
    *("note", "forget", "fresh", "sending", "sent"),
)

steps = st.lists(
    st.tuples(
        st.sampled_from(STEPS),
        st.integers(0, 2),
        st.text(max_size=8),
    ),
    max_size=40,
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps)
async def test_the_tables_say_what_the_log_says(tmp_path_factory, hear, script):
    """Whatever happened, replaying the log gives the same rows."""
    path = tmp_path_factory.mktemp("law") / "ledger.db"
    async with Database.open(path, LEDGER) as database:
        work = Workload(database, hear)
        for number, (step, place, text) in enumerate(script):
            await work.do(number, step, Thread("terminal", f"t{place}"), text)
        assert await verify(path) == []


class Workload:
    """Random steps, each allowed in the state that it meets."""

    def __init__(self, database, hear):
        self.ledger = Ledger(database)
        self.outbox = Outbox(database)
        self.notes = Notes(database)
        self.hear = hear
        self.clock = TickingClock()
        self.turns = {}

    async def do(self, number, step, thread, text):
        turn = self.turns.get(thread)
        if step in {"accept", "join"}:
            heard = self.hear(text, str(thread))
            await self.ledger.accept(heard)
            if turn and step == "join":
                await self.ledger.join(turn, heard)
        elif step == "begin" and turn is None:
            self.turns[thread] = await self.ledger.begin(thread, self.clock())
        elif step in {"end", "interrupt", "output"} and turn:
            await self.change(number, step, turn, text)
        elif step in {"note", "forget", "fresh"}:
            await self.remember(number, step, thread, text)
        elif step in {"sending", "sent"}:
            for part in await self.outbox.due(thread):
                await self.outbox.mark(part, PartState(step), self.clock())

    async def change(self, number, step, turn, text):
        at = self.clock()
        if step == "output":
            event = Event(
                EventKind.OUTPUT, f"o{number}", at, {"text": text}, turn=turn.id
            )
            await self.ledger.record(event)
            return
        ending = Ending(TurnState.INTERRUPTED, parts=(text,))
        act = self.ledger.interrupt if step == "interrupt" else self.ledger.end
        await act(turn, ending, at)
        self.turns[turn.thread] = None

    async def remember(self, number, step, thread, text):
        at = self.clock()
        if step == "note":
            await self.notes.add_note(
                NewNote(op=f"n{number}", text=text, at=at, audience="private:owner")
            )
        elif step == "fresh":
            event = Event(EventKind.FRESH, f"f{number}", at, thread=str(thread))
            await self.ledger.record(event)
        else:
            for note in (await self.notes.live_notes("private:owner"))[:1]:
                await self.notes.forget_note(note.id, f"x{number}", at)


SEED = (
    "abandon ability able about above absent absorb abstract absurd abuse access"
    " accident"
)


async def said(ledger, clock, turn, *pieces):
    """Record what was shown, a piece an event."""
    for number, text in enumerate(pieces):
        await ledger.record(
            Event(
                EventKind.OUTPUT,
                f"output/{turn.id}/{number}",
                clock(),
                {"text": text},
                thread=str(turn.thread),
                turn=turn.id,
            )
        )


@pytest.mark.parametrize("shown", [SEED.split(), SEED.split()[:4]])
async def test_a_password_in_pieces_is_gone_when_the_reply_is_whole(
    ledger, database, clock, hear, shown
):
    """All of it was shown, or its beginning: the reply tells what it was."""
    turn = await begun(ledger, clock, hear("which words?"))
    await said(ledger, clock, turn, "The seed ", *(f"{word} " for word in shown))
    phrase = f"The seed phrase: {SEED}"

    await ledger.end(turn, replace(DONE, final=phrase, parts=(phrase,)), clock())

    [held] = await database.fetch("select group_concat(body) as all_ from event")
    assert not any(word in held["all_"] for word in SEED.split())
    assert await verify(database.path) == []


async def test_a_password_in_pieces_of_a_turn_that_failed_is_masked(
    ledger, database, clock, hear
):
    """What else was shown is all that there is of the reply, and stays."""
    turn = await begun(ledger, clock, hear("which words?"))
    await said(
        ledger, clock, turn, "Seed phrase: ", *(f"{word} " for word in SEED.split())
    )

    await ledger.end(turn, Ending(TurnState.FAILED, error="down"), clock())

    kept = await ledger.turn(turn.id)
    [held] = await database.fetch("select group_concat(body) as all_ from event")
    assert kept is not None
    assert kept.partial == "Seed phrase: [secret: recovery phrase] "
    assert "abandon" not in held["all_"]
    assert await verify(database.path) == []


async def test_what_was_shown_stays_where_there_is_no_password(
    ledger, history, clock, hear
):
    """The log is changed for nothing else."""
    turn = await begun(ledger, clock, hear("hello"))
    await said(ledger, clock, turn, "do", "ne")

    await ledger.end(turn, DONE, clock())

    events = await history.events_of(turn.id, EventKind.OUTPUT)
    assert [event.body["text"] for event in events] == ["do", "ne"]


async def test_the_same_message_is_the_same_whoever_says_it_how(ledger, hear):
    """A platform that hears of a conflict delivers it for ever."""
    first = hear("my password is Tiger#4471cub", external_id="77")
    await ledger.keep_secrets(keeps=True)
    await ledger.accept(first)
    await ledger.keep_secrets(keeps=False)

    bob = Quoted(Provenance.FORWARDED, "Bob", "one")
    for other in (
        replace(first, speaker="Anna B"),
        replace(first, role=Role.GUEST),
        replace(first, quoted=(bob,)),
        replace(first, text="my password is [secret: password]"),
    ):
        assert not (await ledger.accept(other)).is_new
    with pytest.raises(Conflict):
        await ledger.accept(replace(first, text="my dog is Tiger"))
