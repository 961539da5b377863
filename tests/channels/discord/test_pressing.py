"""Buttons: each press is answered, and only what worked goes away."""

import pytest

from apx.domain.errors import Expired, InputError, StoreError
from apx.domain.heard import Button
from apx.testing import until
from channels.discord.buttons import rows
from channels.discord.interactions_commands import FAILED, NOT_HERE
from channels.discord.message import Message, payload
from channels.discord.places import Own, State
from tests.channels.discord.controls import controls, done, stopped_clock
from tests.channels.telegram.hearers import RecordingDoor
from tests.servers.discord.furnished import ANA, BEN, GENERAL, OFFICE

EPHEMERAL = 1 << 6
LET_IN = (Button("Yes", "yes:1"), Button("No", "no:1"))
REVIEW = tuple(
    Button(f"{label} {n}", f"{word}:{n}")
    for n in (1, 2, 3)
    for label, word in (("Keep", "accept"), ("Drop", "reject"))
)


async def shown(desk, buttons=LET_IN, channel=GENERAL, reply_to=None):
    """Say something with buttons under it, and give its number."""
    said = Message("Well?", components=rows(buttons), reply_to=reply_to)
    made = await desk.client.call(
        "POST", "/channels/{channel}/messages", json=payload(said), channel=channel
    )
    return int(made["id"])


def left(discord, channel=GENERAL):
    """Give what may still be pressed."""
    return [label for one in discord.sent(channel) for label in one.buttons]


async def test_a_press_does_what_it_says_and_its_row_goes(discord):
    """What the door says of it is said where the button was."""
    door = RecordingDoor()
    door.outcome = "Bo is let in."

    async with controls(discord, door) as desk:
        number = discord.press(await shown(desk), "Yes", ANA)
        await discord.until(lambda: discord.answer(number).texts == ["Bo is let in."])
        await discord.until(lambda: left(discord) == [])
        thread = desk.places.thread(GENERAL)

    [press] = door.pressed
    assert (press.data, press.caller.thread) == ("yes:1", thread)
    assert press.caller.account.user == str(ANA)
    assert not press.is_aside
    assert discord.texts(GENERAL) == ["Well?", "Bo is let in."]


async def test_what_has_nothing_to_say_says_nothing(discord):
    """Yes is enough of an answer to a question."""
    async with controls(discord, RecordingDoor()) as desk:
        discord.press(await shown(desk), "No", ANA)
        await discord.until(lambda: left(discord) == [])

    assert discord.texts(GENERAL) == ["Well?"]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (InputError("That is for Bo to say."), "That is for Bo to say."),
        (StoreError("full"), FAILED),
    ],
)
async def test_a_refusal_is_for_the_presser_alone(discord, failure, told):
    """Anybody may press; the right one still can, afterwards."""
    door = RecordingDoor()
    door.failures = [failure]

    async with controls(discord, door) as desk:
        message = await shown(desk)
        number = discord.press(message, "Yes", BEN)
        await discord.until(lambda: discord.answer(number).texts == [told])
        # Whatever would follow has happened by the end of a command.
        await done(discord, discord.slash("status", user=BEN, channel=GENERAL))
        assert left(discord) == ["Yes", "No"]
        discord.press(message, "Yes", ANA)
        await discord.until(lambda: left(discord) == [])

    [refused] = discord.answer(number).messages
    assert refused.flags & EPHEMERAL
    assert discord.texts(GENERAL) == ["Well?"]


async def test_a_stranger_presses_in_vain(discord):
    """They are not even asked what for."""
    door = RecordingDoor()
    door.admitted = False

    async with controls(discord, door) as desk:
        number = discord.press(await shown(desk), "Yes", BEN)
        told = ["This is not yours to press."]
        await discord.until(lambda: discord.answer(number).texts == told)

    assert door.pressed == []
    assert left(discord) == ["Yes", "No"]


async def test_an_old_stop_has_expired_and_goes(discord):
    """After a restart its turn is over, whoever presses."""
    door = RecordingDoor()
    door.failures = [Expired("This button has expired.")]

    async with controls(discord, door) as desk:
        message = await shown(desk, (Button("Stop", "stop:31"),))
        number = discord.press(message, "Stop", ANA)
        await discord.until(lambda: left(discord) == [])
        await discord.until(lambda: discord.answer(number).texts)

    [told] = discord.answer(number).messages
    assert told.text == "This button has expired."
    assert told.flags & EPHEMERAL


async def test_stop_is_heard_while_a_command_runs(discord):
    """It waits behind nothing."""
    door = RecordingDoor()
    door.answers["/compact slow"] = "Condensed."

    async with controls(discord, door) as desk:
        slow = discord.slash("compact", "slow", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.answer(slow).thinking)
        discord.press(await shown(desk, (Button("Stop", "stop:31"),)), "Stop", ANA)
        await until(lambda: door.pressed)
        assert discord.answer(slow).thinking
        door.gate.set()
        await done(discord, slow)

    assert door.pressed[0].data == "stop:31"


async def test_what_only_one_person_sees_stays_so(discord):
    """Its buttons can be changed by the way back alone."""
    door = RecordingDoor()
    door.answers["/memory review"] = "1. Ana likes tea"
    door.under, door.outcome = REVIEW[:2], "Saved."

    async with controls(discord, door):
        asked = discord.slash("memory", "review", user=ANA, channel=GENERAL)
        await done(discord, asked)
        [review] = discord.answer(asked).messages
        number = discord.press(review.id, "Keep 1", ANA)
        await discord.until(lambda: discord.answer(number).texts)
        await discord.until(lambda: not discord.answer(asked).messages[0].buttons)

    [saved] = discord.answer(number).messages
    assert (saved.text, bool(saved.flags & EPHEMERAL)) == ("Saved.", True)
    assert discord.texts(GENERAL) == []
    assert [press.is_aside for press in door.pressed] == [True]


async def test_two_pressed_at_once_are_both_gone(discord):
    """Each press brings the message as it was then."""
    door = RecordingDoor()

    async with controls(discord, door) as desk:
        message = await shown(desk, REVIEW)
        discord.press(message, "Keep 1", ANA)
        discord.press(message, "Drop 3", ANA)
        await discord.until(lambda: left(discord) == ["Keep 2", "Drop 2"])
        await discord.until(lambda: len(discord.calls("PATCH", "/webhooks/**")) == 2)

    assert left(discord) == ["Keep 2", "Drop 2"]


@pytest.mark.parametrize("clock", [None, stopped_clock])
async def test_a_press_that_took_too_long_is_told_as_a_message(discord, clock):
    """And the message is edited as any other of ours."""
    door = RecordingDoor()
    door.outcome = "done"

    async with controls(discord, door, clock=clock) as desk:
        message = await shown(desk, (Button("Go", "slow:1"),))
        number = discord.press(message, "Go", ANA)
        await discord.until(lambda: discord.answer(number).acked_ms is not None)
        discord.advance(901)
        door.gate.set()
        await discord.until(lambda: discord.texts(GENERAL) == ["Well?", "done"])
        await discord.until(lambda: left(discord) == [])


@pytest.mark.parametrize("state", [State.FLAT, State.MADE])
async def test_a_thread_that_could_not_be_made_has_its_buttons(discord, state):
    """Its messages stand in the channel, below the question."""
    door = RecordingDoor()
    question = discord.say(GENERAL, ANA, "what is up?")

    async with controls(discord, door) as desk:
        await desk.places.keep_own(question, Own(GENERAL, ANA, state))
        message = await shown(desk, (Button("Stop", "stop:3"),), reply_to=question)
        discord.press(message, "Stop", ANA)
        await until(lambda: door.pressed)
        place = question if state is State.FLAT else GENERAL
        assert door.pressed[0].caller.thread == desk.places.thread(place)
        await discord.until(lambda: left(discord) == [])


@pytest.mark.parametrize(
    "change",
    [
        {"message": 5},
        {"member": None},
        {"data": {"custom_id": "yes:1", "component_type": 3}},
        {"data": {}},
    ],
)
async def test_what_cannot_be_read_is_said(discord, change):
    """A list to choose from is none of ours either."""
    door = RecordingDoor()
    seen: list[dict[str, object]] = []

    async with controls(discord, door) as desk:
        message = await shown(desk)
        [ear] = discord.bot().sessions
        ear.take = seen.append
        number = discord.press(message, "Yes", ANA)
        desk.interactions.take(seen[0] | change)
        await discord.until(lambda: discord.answer(number).texts)

    assert door.pressed == []
    assert left(discord) == ["Yes", "No"]


async def test_where_the_bot_does_not_listen_nothing_is_pressed(discord):
    """A guild may have been taken out of config.json."""
    door = RecordingDoor()

    async with controls(discord, door) as desk:
        number = discord.press(await shown(desk, channel=OFFICE), "Yes", ANA)
        await discord.until(lambda: discord.answer(number).texts == [NOT_HERE])

    assert door.pressed == []
