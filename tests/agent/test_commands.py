"""The chat commands: each answers at once, none asks a model."""

from datetime import UTC, timedelta

import pytest

from apx.agent.commands import HELP
from apx.domain.errors import InputError
from apx.domain.recall import Findings, Kind, Memory, Query
from apx.memory.daily_log import DailyLog
from apx.memory.forgetting import Forgetting, Rooms
from apx.store.erase import Eraser
from apx.testing import FixedSource, ScriptedModel
from tests.memory.rooms import rooms


@pytest.fixture
async def gateway(world, tmp_path):
    world.model = ScriptedModel(lambda m: [f"re {m[-1].text}"])
    async with rooms(tmp_path, world.history) as memory:
        daily = DailyLog(tmp_path / "log", world.history, UTC)
        places = Rooms(tmp_path, world.books, memory.chunks, memory.indexer, daily)
        world.forgetting = Forgetting(Eraser(world.database), places, world.clock)
        async with world.open(world.model) as gateway:
            yield gateway


async def test_help_names_every_command_that_works(world, gateway, hear):
    """And each of them answers with something."""
    await world.ask(gateway, hear("hello"))
    names = [line.split()[0] for line in HELP.splitlines()]

    for name in names:
        assert await gateway.hear(hear(name)), name
    assert len(world.model.prompts) == 1


async def test_what_comes_later_says_so(gateway, hear):
    """It is neither done nor sent to the model as a message."""
    assert "not part of this version" in (await gateway.hear(hear("/undo")) or "")


@pytest.mark.parametrize("text", ["/etc/hosts is empty", "/unknown", "// comment", "/"])
async def test_other_text_with_a_slash_is_a_message(world, gateway, hear, text):
    """People paste paths."""
    turn = await world.ask(gateway, hear(text))

    assert turn.final == f"re {text}"


async def test_new_forgets_the_prompt_but_not_the_memory(world, gateway, hear):
    """The next prompt starts without what was said before."""
    await world.ask(gateway, hear("first"))
    assert await gateway.hear(hear("/new"))
    await world.ask(gateway, hear("second"))

    texts = [message.text for message in world.model.prompts[-1]]
    assert "first" not in texts
    assert texts[-1] == "second"


async def test_notes_by_command(world, gateway, hear):
    """Saved with a number, listed with it, forgotten by it."""
    saved = await gateway.hear(hear("/remember   tea is\nat five "))
    [note] = await world.book.sync()
    assert saved == f"Saved as note {note.id}: tea is at five"
    assert f"(note {note.id})" in (await gateway.hear(hear("/memory")) or "")

    assert "Forgot" in (await gateway.hear(hear(f"/forget {note.id}")) or "")
    assert await gateway.hear(hear("/memory")) == "No notes yet."


async def test_the_same_command_twice_saves_once(world, gateway, hear):
    """A platform may deliver it again."""
    heard = hear("/remember tea", external_id="7")
    assert await gateway.hear(heard) == await gateway.hear(heard)
    assert len(await world.book.sync()) == 1


async def test_forgetting_asks_back(world, gateway, hear):
    """When several notes are meant, none is forgotten."""
    for text in ("green tea", "black tea"):
        await gateway.hear(hear(f"/remember {text}"))

    assert "Several" in (await gateway.hear(hear("/forget tea")) or "")
    assert "No note" in (await gateway.hear(hear("/forget coffee")) or "")
    assert "No note" in (await gateway.hear(hear("/forget 99999")) or "")
    assert len(await world.book.sync()) == 2
    assert "Forgot 1 note" in (await gateway.hear(hear("/forget GREEN tea")) or "")
    assert [note.text for note in await world.book.sync()] == ["black tea"]


@pytest.mark.parametrize(
    ("what", "is_meant"),
    [
        ("e", False),
        ("oom", False),
        ("the", False),
        ("room 101", True),
        ("the room", True),
        ("MEETING", True),
        ("den Schlüssel", False),
    ],
)
async def test_a_part_of_a_word_means_no_note(world, gateway, hear, what, is_meant):
    """Else `/forget e` would take the only note that there is."""
    await gateway.hear(hear("/remember the meeting is in room 101"))

    answer = await gateway.hear(hear(f"/forget {what}")) or ""

    assert ("Forgot" in answer) is is_meant
    assert len(await world.book.sync()) == (0 if is_meant else 1)


@pytest.mark.parametrize(
    ("what", "means"),
    [
        ("--dry-run the meeting", "apx memory forget --dry-run"),
        ("--yes the meeting", "no options"),
        ("d-2026-12-01-the-meeting", "by its words"),
        ("h-2026-12-01-会議", "/mem show h-2026-12-01-会議"),
    ],
)
async def test_what_is_no_text_erases_nothing(world, gateway, hear, what, means):
    """Of an id it would leave the words, and of an option say that there are none."""
    await gateway.hear(hear("/remember the meeting is in room 101"))

    assert means in (await gateway.hear(hear(f"/forget {what}")) or "")
    assert len(await world.book.sync()) == 1


async def test_what_stands_in_no_note_is_erased_by_its_words(world, gateway, hear):
    """From what was said, too; a word that may stand anywhere only in quotes."""
    turn = await world.ask(gateway, hear("my locker is number 4471 at the gym"))

    word = await gateway.hear(hear("/forget locker")) or ""
    said = await world.ledger.turn(turn.id)
    gone = await gateway.hear(hear("/forget locker is number 4471")) or ""
    quoted = await gateway.hear(hear('/forget "gym"')) or ""

    assert 'forget "locker"' in word
    assert "locker" in said.request
    assert "2 messages" in gone
    assert "2 messages" in quoted
    left = await world.ledger.turn(turn.id)
    assert left.request == "my [forgotten] at the [forgotten]"
    assert "4471" not in (left.final or "")


async def test_words_are_enough_in_any_order_and_script(world, gateway, hear):
    """Articles and cases do not matter, nor do spaces that a script has not."""
    for note in ("der Schlüssel liegt unter der Matte", "备份脚本在服务器上"):
        await gateway.hear(hear(f"/remember {note}"))

    assert "Forgot" in (await gateway.hear(hear("/forget die Matte")) or "")
    assert "Forgot" in (await gateway.hear(hear("/forget 备份")) or "")
    assert await world.book.sync() == []


async def test_a_note_has_a_size(gateway, hear):
    """A novel is not a note."""
    with pytest.raises(InputError, match="4000"):
        await gateway.hear(hear("/remember " + "x" * 4001))


async def test_why_names_the_sources(world, clock, hear):
    """What was injected, from where, with which score, and what was late."""
    memory = Memory(
        Kind.MESSAGE, "x" * 300, clock(), "telegram", "turn 9", score=0.8, why="lexical"
    )
    world.sources = [FixedSource("recall", [memory])]
    async with world.open(ScriptedModel(["ok"])) as gateway:
        await world.ask(gateway, hear("what?"))
        why = await gateway.hear(hear("/why")) or ""

    assert "turn 9 [2030-01-01][telegram] xxx" in why
    assert "lexical, score 0.8" in why


async def test_threads_lists_all_channels(world, gateway, hear):
    """Newest first."""
    await world.ask(gateway, hear("a"))
    await world.ask(gateway, hear("b", thread="telegram:1:2"))

    listed = (await gateway.hear(hear("/threads")) or "").splitlines()
    assert [line.split()[0] for line in listed] == ["telegram:1:2", "terminal:main"]


async def test_retry_without_a_failure(world, gateway, hear):
    """There is nothing to run again."""
    await world.ask(gateway, hear("a"))

    assert "answered" in (await gateway.hear(hear("/retry")) or "")


class Past:
    """A source that keeps old facts back unless they are wanted."""

    name = "recall"

    def __init__(self, clock):
        self.asked: list[Query] = []
        self.old, self.new = (
            Memory(Kind.MESSAGE, text, clock() - timedelta(days=days), "", f"turn {n}")
            for n, (text, days) in enumerate(
                [("I live in Paris", 400), ("I moved to Rome", 2)], 1
            )
        )
        self.other = Memory(Kind.MESSAGE, "Where is it?", clock(), "", "turn 3")

    async def fetch(self, query):
        self.asked.append(query)
        old = [self.old] if query.history else []
        return Findings((self.new, self.other, *old))


@pytest.fixture
def past(world, clock):
    """A gateway whose memory knows an old fact and a new one."""
    source = Past(clock)
    world.recalled = source
    return source, world.gateway(ScriptedModel(["ok"]))


async def test_history_shows_what_was_so_before(past, hear):
    """With dates, the oldest first, and nothing that tells no fact."""
    _, gateway = past

    assert await gateway.hear(hear("/memory history")) == (
        "• [2028-11-27][message] I live in Paris (turn 1)\n"
        "• [2029-12-30][message] I moved to Rome (turn 2)"
    )


async def test_history_of_something(past, hear):
    """Words say of what, and then all that is found is shown."""
    source, gateway = past

    told = await gateway.hear(hear("/memory history home town")) or ""

    assert [one.text for one in source.asked] == ["home town"]
    assert [line[-7:-1] for line in told.splitlines()] == ["turn 1", "turn 2", "turn 3"]


async def test_a_search_shows_what_holds_now(past, hear):
    """Old facts are asked for by name only."""
    _, gateway = past

    assert "Paris" not in (await gateway.hear(hear("/memory search home")) or "")
