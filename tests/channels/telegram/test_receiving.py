"""Each update is taken exactly once, and each command answered once."""

from dataclasses import replace

import pytest

from apx.domain.errors import Conflict, InputError, StoreError
from apx.domain.heard import Button, What
from apx.testing import MemoryDrawer, until
from channels.shared.apologies import SORRY
from tests.channels.telegram.hearers import BOT, SWIFT, RecordingDoor, running
from tests.servers.telegram import Refused, TelegramServer

GROUP = -1001234567890
REPEAT = "(may be a repeat)"


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        server.user(8, "Bo")
        yield server


async def test_messages_go_through_the_door_in_their_order(telegram):
    """Two chats side by side, each in its order; all of it is confirmed."""
    door = RecordingDoor()
    for number in range(20):
        telegram.say(f"{number}", user=7 + number % 2)

    async with running(telegram, door):
        await until(lambda: len(door.heard) == 20 and not telegram.pending())

    for user in ("7", "8"):
        heard = [one for one in door.heard if one.caller.account.user == user]
        assert [int(one.text) for one in heard] == sorted(int(h.text) for h in heard)


async def test_nothing_is_confirmed_before_it_is_written_down(telegram):
    """While one message of a batch waits, all of it would come again."""
    door = RecordingDoor()
    telegram.say("quick")
    telegram.say("slow", user=8)

    async with running(telegram, door):
        await until(lambda: door.texts == ["quick"])
        assert len(telegram.pending()) == 2
        door.gate.set()
        await telegram.until(lambda: not telegram.pending())

    assert sorted(door.texts) == ["quick", "slow"]


async def test_what_was_not_confirmed_comes_to_the_next_process(telegram):
    """The door knows each message by its id, and takes it once."""
    first, second = RecordingDoor(), RecordingDoor()
    telegram.say("quick")
    telegram.say("slow")
    async with running(telegram, first):
        await until(lambda: first.texts == ["quick"])

    async with running(telegram, second):
        second.gate.set()
        await telegram.until(lambda: not telegram.pending())

    assert second.texts == ["quick", "slow"]
    assert second.heard[0].external_id == first.heard[0].external_id


async def test_a_command_is_answered_with_its_buttons(telegram):
    """And what answers it is remembered as sent."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    door.answers["/model"] = "Which?"
    door.under = (Button("Small", "model:1"),)
    telegram.say("/model")

    async with running(telegram, door, drawer):
        await telegram.until(lambda: telegram.texts(7))
        await until(lambda: "done" in drawer.values.values())

    [sent] = telegram.sent(7)
    assert sent.text == "Which?"
    assert list(drawer.values) == [f"answered/{BOT}/{_first(drawer)}"]
    assert sent.json["reply_markup"]["inline_keyboard"][0][0]["text"] == "Small"


def _first(drawer):
    return next(iter(drawer.values)).rpartition("/")[2]


@pytest.mark.parametrize(
    ("state", "answers"),
    [("done", []), ("sending", [f"yes\n\n{REPEAT}"]), (None, ["yes"])],
)
async def test_an_answer_that_was_begun_is_given_once_more_and_says_so(
    telegram, state, answers
):
    """It may have arrived; one that surely did is not given again."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    door.answers["/status"] = "yes"
    telegram.say("/status")
    telegram.say("after")
    number = telegram.pending()[0]["update_id"]
    if state:
        drawer.values[f"answered/{BOT}/{number}"] = state

    async with running(telegram, door, drawer):
        await telegram.until(lambda: not telegram.pending())

    assert telegram.texts(7) == answers
    assert "after" in door.texts


async def test_only_the_newest_answers_are_remembered(telegram):
    """Telegram does not come back to updates of long ago."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    drawer.values = {f"answered/{BOT}/{number}": "done" for number in range(1, 600)}
    door.answers["/status"] = "yes"
    telegram.say("/status")

    async with running(telegram, door, drawer):
        await telegram.until(lambda: not telegram.pending())

    assert len(drawer.values) == 500
    assert f"answered/{BOT}/1" not in drawer.values


async def test_a_long_command_holds_up_neither_stop_nor_anybody(telegram):
    """/compact may take minutes, and must be stopped meanwhile."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    door.answers |= {"/slow": "done at last", "/stop": "stopped"}
    telegram.say("/slow")
    telegram.say("/stop")

    async with running(telegram, door, drawer):
        await telegram.until(lambda: telegram.texts(7) == ["stopped"])
        await telegram.until(lambda: not telegram.pending())
        door.gate.set()
        await telegram.until(lambda: len(telegram.texts(7)) == 2)
        await until(lambda: set(drawer.values.values()) == {"done"})


async def test_whoever_waits_for_a_lost_answer_is_told(telegram):
    """The process ended while a long command ran, whose update was confirmed."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    telegram.say("/slow")
    async with running(telegram, door, drawer):
        await telegram.until(lambda: not telegram.pending())

    async with running(telegram, RecordingDoor(), drawer):
        await telegram.until(lambda: telegram.texts(7))
        await until(lambda: set(drawer.values.values()) == {"done"})

    [text] = telegram.texts(7)
    assert "ask again" in text


async def test_an_answer_survives_a_server_that_fails(telegram):
    """A flood and a lost connection only delay it."""
    door = RecordingDoor()
    door.answers["/status"] = "yes"
    telegram.fail("sendMessage", Refused(502, "Bad Gateway"), times=2)
    telegram.say("/status")

    async with running(telegram, door):
        await telegram.until(lambda: telegram.texts(7))

    # Nobody knows what a gateway did with the first.
    assert telegram.texts(7) == [f"yes\n\n{REPEAT}"]
    assert door.texts == ["/status"]


@pytest.mark.parametrize(
    "error",
    [InputError("x"), Conflict("x"), ValueError("x"), KeyError("x"), TypeError("x")],
)
async def test_what_no_one_can_take_is_set_aside(telegram, error):
    """Its person is told, once; the rest goes on, and no word of it is kept."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    door.failures = [error, error, None]
    for text in ("a secret", "another", "hello"):
        telegram.say(text)
    number = telegram.pending()[0]["update_id"]

    async with running(telegram, door, drawer) as channel:
        await telegram.until(lambda: not telegram.pending() and telegram.texts(7))
        problem = channel.problems["main"]

    name = type(error).__name__
    assert door.texts == ["hello"]
    assert telegram.texts(7) == [SORRY]
    assert f"2 updates set aside: 2 x message ({name})" in problem
    assert name in drawer.values[f"aside/{BOT}/{number}"]
    assert "secret" not in str(drawer.values)


async def test_an_update_that_cannot_be_read_ends_nothing(telegram):
    """Not even its chat may be there."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    telegram.raw({"message": {"text": "hello"}})
    telegram.raw({"message": {"chat": {"id": 7, "type": "private"}, "text": 5}})
    telegram.raw({"of_tomorrow": 1})
    telegram.raw({"callback_query": []})
    telegram.raw({"update_id": "x", "message": {}})
    telegram.say("hello")

    async with running(telegram, door, drawer) as channel:
        await telegram.until(lambda: telegram.texts(7) == [SORRY])
        await telegram.until(lambda: len(telegram.pending()) == 1)
        assert "3 updates set aside" in channel.problems["main"]

    assert door.texts == ["hello"]


async def test_what_was_set_aside_is_not_tried_again(telegram):
    """The process may have ended before it was confirmed."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    telegram.say("hello")
    number = telegram.pending()[0]["update_id"]
    told = '{"kind": "message", "error": "KeyError", "at": "2030-01-01T00:00"}'
    drawer.values[f"aside/{BOT}/{number}"] = told

    async with running(telegram, door, drawer) as channel:
        await telegram.until(lambda: not telegram.pending())
        assert "1 update set aside" in channel.problems["main"]

    assert door.heard == []


async def test_a_stranger_is_not_told_of_what_cannot_be_read(telegram):
    """Whoever is not let in must not make the bot speak."""
    door = RecordingDoor()
    door.admitted = False
    door.failures = [KeyError("x")]
    telegram.say("hello")
    telegram.say("more")

    async with running(telegram, door):
        await telegram.until(lambda: not telegram.pending())

    assert telegram.texts(7) == []


@pytest.mark.parametrize("error", [StoreError("full"), OSError("no space")])
async def test_a_store_that_cannot_write_is_no_fault_of_the_updates(telegram, error):
    """They are handled again, in their order, and nothing is confirmed before."""
    door = RecordingDoor()
    door.failures = [error, error, error]
    telegram.say("one")
    telegram.say("two")

    async with running(telegram, door) as channel:
        await telegram.until(lambda: not telegram.pending())
        assert channel.problems == {}

    assert door.texts == ["one", "two"]
    assert telegram.texts(7) == []


async def test_while_nothing_can_be_written_people_can_know(telegram):
    """It is named among what is wrong."""
    door = RecordingDoor()
    door.failures = [StoreError("full")] * 1000
    telegram.say("one")

    async with running(telegram, door, waits=replace(SWIFT, first=0.001)) as channel:
        await until(lambda: channel.problems)
        assert "cannot be written down (StoreError)" in channel.problems["main"]
        assert len(telegram.pending()) == 1


async def test_all_pictures_of_an_album_are_for_us_if_one_is(telegram):
    """Only one of them can carry the words that name the bot."""
    telegram.supergroup(GROUP, "Home")
    telegram.become(7, GROUP, "member")
    door = RecordingDoor()
    mark = {"type": "mention", "offset": 0, "length": 9}
    named = {"caption": "@loop_bot look", "caption_entities": [mark]}
    for number in range(3):
        picture = {"photo": [{"file_id": f"P{number}"}], "media_group_id": "77"}
        telegram.post(picture | (named if number == 1 else {}), GROUP)

    async with running(telegram, door, group_context=True):
        await until(lambda: len(door.heard) == 3)

    assert {one.what for one in door.heard} == {What.MESSAGE}
    assert len({one.album for one in door.heard}) == 1


async def test_a_picture_that_came_before_the_words_comes_with_them(telegram):
    """In any order, and each in an answer of its own of the server."""
    telegram.supergroup(GROUP, "Home")
    telegram.become(7, GROUP, "member")
    door = RecordingDoor()
    mark = {"type": "mention", "offset": 0, "length": 9}
    named = {"caption": "@loop_bot look", "caption_entities": [mark]}

    async with running(telegram, door):
        for number in range(3):
            picture = {"photo": [{"file_id": f"P{number}"}], "media_group_id": "77"}
            telegram.post(picture | (named if number == 2 else {}), GROUP)
            await telegram.until(lambda: not telegram.pending())
        await until(lambda: len(door.heard) == 3)

    assert {one.what for one in door.heard} == {What.MESSAGE}
    assert sorted(one.files[0].ref for one in door.heard) == ["P0", "P1", "P2"]


@pytest.mark.parametrize("has_new", [False, True])
async def test_a_group_that_moves_stays_one_thread(telegram, has_new):
    """Telegram gives it another id, and says so in both; config.json has either."""
    telegram.group(-55, "Home")
    telegram.become(7, -55, "member")
    door = RecordingDoor()
    telegram.say("@loop_bot before", chat=-55)

    groups = frozenset({str(-1_000_000_000_055)}) if has_new else frozenset()
    async with running(telegram, door, groups=groups):
        await until(lambda: len(door.heard) == 1)
        new = telegram.migrate(-55)
        telegram.say("@loop_bot after", chat=new)
        await until(lambda: len(door.heard) == 2)

    assert door.heard[0].caller.thread == door.heard[1].caller.thread
    assert door.heard[1].caller.group == (str(new) if has_new else "-55")


async def test_an_edit_and_a_removed_bot_are_heard_or_only_noted(telegram):
    """An edit goes to the core; being thrown out is no problem of anybody's."""
    telegram.supergroup(GROUP, "Home")
    door = RecordingDoor()

    async with running(telegram, door) as channel:
        said = telegram.say("helo")
        await until(lambda: len(door.heard) == 1)
        telegram.edit(said, "hello")
        telegram.kick_bot(GROUP)
        await until(lambda: len(door.heard) == 2 and not telegram.pending())
        assert channel.problems == {}

    assert door.heard[1].what is What.EDIT
    assert door.heard[1].external_id == door.heard[0].external_id
