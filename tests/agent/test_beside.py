"""What comes to a conversation beside its messages: edits, a room's words, buttons."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from apx.domain.attachment import Attachment, Medium
from apx.domain.errors import DamagedStore, HomeError, InputError
from apx.domain.heard import Press, What
from apx.domain.person import Role
from apx.domain.quoted import Provenance
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.candidates import Candidates, NewCandidate
from apx.store.codes import Wanted, shown
from apx.store.verify import verify
from apx.testing import ScriptedModel, until
from tests.agent.test_door import House, Visitor, say

assert say  # the fixture


@pytest.fixture
def bob():
    return Visitor("5", "Bob")


async def let_in(house, *visitors, role=Role.MEMBER):
    for one in visitors:
        at = house.world.clock()
        await house.who.people.add(one.account, role, "", at, paired=True)


async def asked(house, door, heard):
    await door.hear(heard)
    thread = heard.caller.thread
    return await house.gateway.settled(thread, f"{thread}/{heard.external_id}")


async def test_an_edit_is_told_to_the_next_turn_and_starts_none(world, say, bob):
    """Of the same person; a command that somebody edits in does nothing."""
    model = ScriptedModel(["ok"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        first = say(bob.private, "dinner at five")
        await asked(house, door, first)
        edit = replace(first, what=What.EDIT, text="dinner at six", revision="1")
        assert await door.hear(edit) is None
        await door.hear(replace(edit, text="/new", revision="2"))
        await door.hear(replace(edit, text="dinner at six", revision="3"))
        turn = await asked(house, door, say(bob.private, "when?"))

    assert "dinner at six" in turn.request
    assert turn.request.count("dinner at six") == 1
    assert await world.history.turn_counts() == {"completed": 2}


async def test_a_stranger_edits_nothing(world, say, bob):
    """Whoever is not let in is not heard, whatever kind of event it is."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        edit = say(bob.private, "let me in", what=What.EDIT, revision="1")

        assert await house.door().hear(edit) is None

    assert await world.history.last_seq() == 0


async def test_what_a_room_says_is_context_of_its_next_question(world, say, bob):
    """From anybody in a room that was allowed; others' words to the model."""
    model = ScriptedModel(["ok"])
    eve = Visitor("6", "Eve")
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        await door.hear(say(eve.in_group, "the picnic is on Sunday", what=What.CONTEXT))
        await door.hear(
            say(replace(eve.in_group, is_bot=True), "BUY GOLD", what=What.CONTEXT)
        )
        other = replace(eve.in_group, group="-999")
        await door.hear(say(other, "elsewhere", what=What.CONTEXT))
        turn = await asked(house, door, say(bob.in_group, "when is it?"))

    assert [(q.provenance, q.by, q.text) for q in turn.quoted] == [
        (Provenance.OVERHEARD, "Eve", "the picnic is on Sunday")
    ]
    assert turn.request == "when is it?"


async def test_stop_is_bound_to_its_turn_and_its_person(world, say, bob):
    """An old button stops nothing; another member's press neither."""
    never = asyncio.Event()
    eve = Visitor("6", "Eve")
    async with world.open(ScriptedModel(["one", never])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob, eve)
        door = house.door()
        heard = say(bob.in_group, "tell me a story")
        await door.hear(heard)
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)
        turn = gateway.runs[bob.in_group.thread].turn.id

        def press(visitor, data):
            return door.press(Press(visitor.in_group, data, world.clock()))

        with pytest.raises(InputError, match="expired"):
            await press(bob, f"stop:{turn - 1}")
        with pytest.raises(InputError, match="Only who asked"):
            await press(eve, f"stop:{turn}")
        own = await press(bob, f"stop:{turn}")
        ended = await gateway.settled(
            bob.in_group.thread, f"{bob.in_group.thread}/{heard.external_id}"
        )

    assert own == "Stopped."
    assert ended.state is TurnState.STOPPED
    assert world.channel.lives[0].is_stopped


async def test_retry_is_of_the_turn_that_failed_and_once(world, say, bob):
    """Two presses are one retry; after another turn the button has expired."""
    fails = ScriptedModel([RuntimeError("x")], ["fine"], ["later"])
    pressed, deliver = asyncio.Event(), world.channel.deliver

    async def slow(part, note):
        # The retry begins when the failure was told: not between the presses.
        await pressed.wait()
        return await deliver(part, note)

    world.channel.deliver = slow
    async with world.open(fails) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        turn = await asked(house, door, say(bob.private, "hello"))
        press = Press(bob.private, f"retry:{turn.id}", world.clock())
        first = await door.press(press)
        second = await door.press(press)
        pressed.set()
        await until(lambda: len(world.channel.sent) == 2)
        with pytest.raises(InputError, match="expired"):
            await door.press(press)

    assert first == "Again: hello"
    assert second != first
    assert [part.text for part in world.channel.sent][1] == "fine"
    assert world.channel.sent[0].is_failure
    assert not world.channel.sent[1].is_failure


async def test_a_model_is_chosen_by_a_button(world, say, bob):
    """Those that are offered fit a button; what is not allowed changes nothing."""
    model = ScriptedModel(["ok"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        asks = say(bob.private, "/model")
        listed = await door.hear(asks)
        buttons = await door.buttons(asks)
        said = await door.press(Press(bob.private, buttons[0].data, world.clock()))
        chosen = await world.ledger.model_of(bob.private.thread)
        back = await door.press(Press(bob.private, "model:usual", world.clock()))
        usual = await world.ledger.model_of(bob.private.thread)
        more = await door.hear(say(bob.private, "/model openai:dearest"))

    assert "a:one" in listed
    assert [button.data for button in buttons] == [
        "model:a:one",
        "model:a:two",
        "model:usual",
    ]
    assert said.startswith("a:one answers")
    assert "answers in this conversation" in back
    assert (chosen, usual) == ("a:one", "")
    assert "not offered" in more


async def test_a_guest_of_a_room_chooses_no_model(world, say, bob):
    """It would answer everybody there."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob, role=Role.GUEST)

        said = await house.door().hear(say(bob.in_group, "/model a:one"))

    assert "not a guest's" in said


async def test_facts_are_kept_by_a_button(world, say):
    """Two buttons for each that waits; pressed, they do what is typed."""
    me = Visitor("1", "Me")
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        code = await house.who.codes.issue(world.clock(), Wanted())
        door = house.door()
        await door.hear(say(me.private, shown(code)))
        main, at = Thread("terminal", "main"), world.clock()
        facts = [NewCandidate(t, at, main, 3) for t in ("likes tea", "likes coffee")]
        await Candidates(world.database).propose(facts, at)
        asks = say(me.private, "/memory review")
        await door.hear(asks)
        buttons = await door.buttons(asks)
        kept = await door.press(Press(me.private, buttons[0].data, world.clock()))
        dropped = await door.press(Press(me.private, buttons[3].data, world.clock()))
        with pytest.raises(InputError, match="no candidate"):
            await door.press(Press(me.private, buttons[0].data, world.clock()))

    assert [button.label.split()[0] for button in buttons] == [
        "Keep",
        "Drop",
    ] * 2
    assert "likes tea" in kept
    assert dropped


async def test_what_only_its_presser_sees_is_about_what_is_theirs(world, say):
    """A list that a room does not see has buttons that do what they say."""
    me = Visitor("1", "Me")
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        code = await house.who.codes.issue(world.clock(), Wanted())
        door, at = house.door(), world.clock()
        await door.hear(say(me.private, shown(code)))
        fact = NewCandidate("likes tea", at, Thread("terminal", "main"), 3)
        [waits] = await Candidates(world.database).propose([fact], at)
        press = Press(me.in_group, f"accept:{waits.id}", at)
        with pytest.raises(InputError, match="no candidate"):
            await door.press(press)
        kept = await door.press(replace(press, is_aside=True))

    assert "likes tea" in kept


async def test_a_model_is_the_rooms_wherever_it_is_chosen(world, bob):
    """A guest who alone sees the list chooses for everybody all the same."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob, role=Role.GUEST)
        press = Press(bob.in_group, "model:a:one", world.clock(), is_aside=True)
        said = await house.door().press(press)

    assert "not a guest's" in said


async def test_what_a_member_corrects_in_a_room_is_overheard_as_corrected(
    world, say, bob
):
    """It was no message to the assistant, so the room's words change."""
    eve = Visitor("6", "Eve")
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob, eve)
        door = house.door()
        said = say(eve.in_group, "the picnic is on Sunday", what=What.CONTEXT)
        await door.hear(said)
        edit = {"what": What.EDIT, "text": "the picnic is on Monday", "revision": "1"}
        await door.hear(replace(said, **edit))
        unheard = say(eve.in_group, "never said before", what=What.EDIT)
        await door.hear(replace(unheard, revision="2"))
        turn = await asked(house, door, say(bob.in_group, "when is it?"))

    assert [one.text for one in turn.quoted] == ["the picnic is on Monday"]


@pytest.mark.parametrize(
    "fault", [DamagedStore("memory.db is damaged"), HomeError("x")]
)
async def test_a_command_that_cannot_read_is_answered(world, say, bob, fault):
    """Else its update would be brought again for ever, and nobody else heard."""

    class Broken:
        async def fetch(self, query):
            del query
            raise fault

    world.recalled = Broken()
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)

        said = await house.door().hear(say(bob.private, "/memory search tea"))

    assert said == "That did not work here."


async def test_what_is_said_after_a_picture_waits_for_it(world, say, bob):
    """It may be about it; it does not join what is answered just now."""
    here = asyncio.Event()

    async def slow(thread, file):
        del thread, file
        await here.wait()
        yield b"\x89PNG\r\n\x1a\n"

    world.channel.fetch = slow
    never = asyncio.Event()
    async with world.open(ScriptedModel([never, "first"], ["second"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        await door.hear(say(bob.private, "hello"))
        await until(lambda: gateway.runs)
        photo = Attachment(Medium.PHOTO, "p")
        await door.hear(replace(say(bob.private, ""), files=(photo,)))
        about = say(bob.private, "what is on it?")
        await door.hear(about)
        here.set()
        never.set()
        thread = bob.private.thread
        turn = await gateway.settled(thread, f"{thread}/{about.external_id}")

    assert turn.request == "what is on it?"
    assert len(turn.files) == 1


async def test_an_edit_while_nothing_was_shown_counts_at_once(world, say, bob):
    """The model that was asked is asked anew, with what was changed."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "four"], ["six"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        asks = say(bob.private, "what is 2+2")
        await door.hear(asks)
        await until(lambda: model.prompts)
        for _ in range(2):  # a platform may tell it twice
            edit = {"what": What.EDIT, "text": "what is 3+3", "revision": "1"}
            await door.hear(replace(asks, **edit))
        gate.set()
        thread = bob.private.thread
        turn = await gateway.settled(thread, f"{thread}/{asks.external_id}")
        after = await asked(house, door, say(bob.private, "thanks"))

    assert turn.final == "six"
    assert turn.request.count("3+3") == 1
    assert after.request == "thanks"
    assert await verify(world.database.path) == []


async def test_a_fresh_start_has_no_old_corrections(world, say, bob):
    """What was changed before it belongs to what went before."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        first = say(bob.private, "dinner at five")
        await asked(house, door, first)
        edit = {"what": What.EDIT, "text": "dinner at six", "revision": "1"}
        await door.hear(replace(first, **edit))
        await door.hear(say(bob.private, "/new"))
        turn = await asked(house, door, say(bob.private, "hello"))

    assert turn.request == "hello"
    assert await verify(world.database.path) == []


def is_shown(house, thread):
    run = house.gateway.runs.get(thread)
    return run is not None and not run.is_open


async def deleted(house, door, heard):
    await door.gone(heard.caller.thread, heard.external_id, house.world.clock())


async def test_what_is_deleted_before_its_turn_begins_none(world, say, bob):
    """It waited for the turn before it."""
    gate = asyncio.Event()
    model = ScriptedModel(["so", gate, " it is"], ["third"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        await door.hear(say(bob.private, "a long story"))
        await until(lambda: is_shown(house, bob.private.thread))
        second = say(bob.private, "never mind")
        await door.hear(second)
        await deleted(house, door, second)
        gate.set()
        await asked(house, door, say(bob.private, "the last"))

    assert await world.history.turn_counts() == {"completed": 2}
    assert not any("never mind" in str(prompt) for prompt in model.prompts)
    assert await verify(world.database.path) == []


@pytest.mark.parametrize("others", [0, 1])
async def test_a_turn_whose_only_message_is_deleted_is_stopped(world, say, bob, others):
    """One that was asked something else besides goes on."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "done"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        first = say(bob.private, "a slow one")
        await door.hear(first)
        await until(lambda: model.prompts)
        for number in range(others):
            await door.hear(say(bob.private, f"and {number}"))
        await deleted(house, door, first)
        gate.set()
        turn = await house.gateway.settled(
            bob.private.thread, f"{bob.private.thread}/{first.external_id}"
        )
        await deleted(house, door, first)

    assert turn.state == (TurnState.COMPLETED if others else TurnState.STOPPED)
    assert turn.id == (await world.ledger.newest(bob.private.thread)).id


async def test_what_a_room_deleted_is_not_overheard(world, say, bob):
    """A turn is told what still stands there."""
    model = ScriptedModel(["ok"])
    async with world.open(model) as gateway:
        house = House(world, gateway)
        await let_in(house, bob)
        door = house.door()
        first, second = (
            replace(say(bob.in_group, text), what=What.CONTEXT)
            for text in ("the first", "the second")
        )
        await door.hear(first)
        await door.hear(second)
        await deleted(house, door, second)
        turn = await asked(house, door, say(bob.in_group, "what was said?"))

    assert [quoted.text for quoted in turn.quoted] == ["the first"]


async def test_a_channel_deletes_nothing_of_another(world):
    """Nobody speaks for another."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        door = House(world, gateway).door()
        with pytest.raises(InputError):
            await door.gone(Thread("terminal", "main"), "1", world.clock())
