"""Slash commands: acknowledged first, done once, answered where they may be read."""

from datetime import UTC, datetime
from typing import Any

import pytest

from apx.domain.errors import InputError, StoreError
from apx.domain.heard import Button, What
from apx.testing import until
from channels.discord.interactions_commands import FAILED, NOT_HERE
from channels.discord.settings import Command, GuildMode
from channels.shared.journal import Journal
from tests.channels.discord.controls import controls, done, stopped_clock
from tests.channels.telegram.hearers import RecordingDoor
from tests.servers.discord import BOT
from tests.servers.discord.faults import Drop, broken, refusal
from tests.servers.discord.furnished import ANA, BEN, GENERAL, OFFICE

EPHEMERAL = 1 << 6


def answering(**answers):
    door = RecordingDoor()
    door.answers = {f"/{name}": said for name, said in answers.items()}
    return door


async def test_a_command_is_heard_as_if_it_had_been_typed(discord):
    """The core knows one kind of command."""
    door = answering(status="All is well.")
    dm = discord.dm(ANA)

    async with controls(discord, door) as desk:
        number = discord.slash("status", user=ANA, channel=dm)
        shown = await done(discord, number)
        await until(lambda: shown.texts == ["All is well."])
        second = discord.slash("remember", "buy milk", user=BEN, channel=GENERAL)
        await done(discord, second)

    private, public = door.heard
    assert (private.text, public.text) == ("/status", "/remember buy milk")
    assert private.what is What.MESSAGE
    assert private.external_id == f"{BOT}.{dm}.{number}"
    assert abs(private.at.timestamp() - discord.now()) < 5
    assert private.caller.thread == desk.places.thread(dm)
    assert str(private.caller.account) == f"discord:main:{ANA}"
    assert (private.caller.group, private.caller.name) == ("", "Ana")
    assert public.caller.group == str(discord.channels[GENERAL].guild.id)
    assert desk.places.dms == {dm: ANA}


@pytest.mark.parametrize(
    ("name", "is_private"),
    [("status", True), ("memory", True), ("new", False), ("compact", False)],
)
async def test_what_is_one_persons_is_shown_to_them_alone(discord, name, is_private):
    """In a room others would read what the assistant remembers."""
    door = answering(**{name: "so"})

    async with controls(discord, door):
        number = discord.slash(name, user=ANA, channel=GENERAL)
        shown = await done(discord, number)
        in_private = discord.slash(name, user=ANA, channel=discord.dm(ANA))
        alone = await done(discord, in_private)

    assert (shown.texts, shown.ephemeral) == (["so"], is_private)
    assert (alone.texts, alone.ephemeral) == (["so"], False)
    assert discord.texts(GENERAL) == ([] if is_private else ["so"])


OWN = ["mem", "memory", "remember", "forget", "share", "link", "unlink"]
OWN += ["usage", "threads"]
ALL_OF_US = ("new", "stop", "retry", "compact", "status", "model")


@pytest.mark.parametrize("name", [*OWN, *ALL_OF_US])
async def test_what_is_the_persons_is_theirs_in_a_room_too(discord, name):
    """What is saved or shown there is not the room's: the room does not see it."""
    door = answering(**{name: "so"})

    async with controls(discord, door, commands=(Command(name, "what it does"),)):
        for channel in (GENERAL, discord.dm(ANA)):
            await done(discord, discord.slash(name, user=ANA, channel=channel))

    in_room, in_private = door.heard
    assert in_room.is_aside == (name in OWN)
    assert not in_private.is_aside


async def test_a_command_that_is_none_any_more_is_no_question(discord):
    """A client may still offer it: its words would be said to all."""
    door = RecordingDoor()
    seen: list[dict[str, Any]] = []

    async with controls(discord, door) as desk:
        [ear] = discord.bot().sessions
        ear.take = seen.append
        number = discord.slash("remember", "I am ill", user=ANA, channel=GENERAL)
        data = seen[0]["data"] | {"name": "note"}
        desk.interactions.take(seen[0] | {"data": data})
        shown = await done(discord, number)

    assert (shown.texts, shown.ephemeral) == (["I do not know this command."], True)
    assert door.heard == []
    assert discord.texts(GENERAL) == []


async def test_a_long_answer_is_several_messages(discord):
    """All of them are as private as the first; the buttons are under the last."""
    door = answering(memory="\n".join(f"note {n}: {'x' * 50}" for n in range(90)))
    door.under = (Button("Keep 1", "accept:1"), Button("Drop 1", "reject:1"))

    async with controls(discord, door):
        number = discord.slash("memory", user=ANA, channel=GENERAL)
        await discord.until(lambda: len(discord.answer(number).messages) == 3)

    shown = discord.answer(number).messages
    assert all(one.flags & EPHEMERAL for one in shown)
    assert [one.buttons for one in shown] == [(), (), ("Keep 1", "Drop 1")]
    said = "\n".join(one.text for one in shown)
    assert said.replace("\\", "") == door.answers["/memory"]
    assert discord.texts(GENERAL) == []


async def test_what_quotes_people_pings_nobody(discord):
    """An answer may hold whatever somebody once wrote."""
    door = answering(new=f"you said <@{BEN}> @everyone https://evil.example/x")

    async with controls(discord, door):
        await done(discord, discord.slash("new", user=ANA, channel=GENERAL))

    assert discord.pings == []
    [edit] = discord.calls("PATCH", "/webhooks/**")
    assert edit.body["allowed_mentions"]["parse"] == []
    assert edit.body["flags"] == 1 << 2


async def test_where_the_reply_comes_by_itself_nothing_thinks(discord):
    """What is no command after all begins a turn."""
    door = RecordingDoor()

    async with controls(discord, door):
        number = discord.slash("status", user=ANA, channel=GENERAL)
        shown = await done(discord, number)

    assert (shown.texts, shown.failed) == ([], False)
    assert door.texts == ["/status"]


@pytest.mark.parametrize("name", ["new", "status"])
async def test_a_stranger_is_told_so_alone(discord, name):
    """In a room nobody is lectured where others read it."""
    door = RecordingDoor()
    door.admitted = False

    async with controls(discord, door):
        number = discord.slash(name, user=BEN, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).texts == [NOT_HERE])

    assert all(one.flags & EPHEMERAL for one in discord.answer(number).messages)
    assert discord.texts(GENERAL) == []


@pytest.mark.parametrize("settings", [{}, {"guild_mode": GuildMode.OFF}])
async def test_where_the_bot_does_not_listen_nothing_is_heard(discord, settings):
    """A guild that config.json does not name, or all of them."""
    door = answering(new="so")
    channel = GENERAL if settings else OFFICE

    async with controls(discord, door, **settings):
        number = discord.slash("new", user=ANA, channel=channel)
        await discord.until(lambda: discord.answer(number).texts == [NOT_HERE])

    assert door.heard == []
    assert discord.texts(channel) == []


async def test_an_interaction_that_comes_twice_is_done_once(discord):
    """A session that is resumed brings again what came just before it broke."""
    door = answering(new="so")
    seen: list[dict[str, object]] = []

    async with controls(discord, door) as desk:
        [ear] = discord.bot().sessions
        ear.take = seen.append
        number = discord.slash("new", user=ANA, channel=GENERAL)
        desk.interactions.take(seen[0])
        desk.interactions.take(seen[0])
        await done(discord, number)
        desk.interactions.take(seen[0])
        other = discord.slash("new", user=ANA, channel=GENERAL)
        desk.interactions.take(seen[1])
        await done(discord, other)

    assert len(door.heard) == 2
    assert len(discord.calls("POST", "/interactions/**")) == 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InputError("That cannot be."), "That cannot be."),
        (StoreError("ledger.db: locked"), FAILED),
        (RecursionError(), FAILED),
    ],
)
@pytest.mark.parametrize("name", ["new", "memory"])
async def test_an_error_is_a_sentence_and_thinking_ends(discord, error, told, name):
    """Silence would leave somebody looking at it for a quarter of an hour."""
    door = RecordingDoor()
    door.failures = [error]

    async with controls(discord, door):
        number = discord.slash(name, user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).texts == [told])

    assert not discord.answer(number).thinking


async def test_a_command_that_takes_long_holds_up_nothing(discord):
    """And a crash while it runs is told of afterwards."""
    door = answering(status="All is well.")
    door.answers["/compact slow"] = "Condensed."

    async with controls(discord, door) as desk:
        slow = discord.slash("compact", "slow", user=ANA, channel=GENERAL)
        quick = discord.slash("status", user=ANA, channel=GENERAL)
        assert (await done(discord, quick)).texts == ["All is well."]
        assert discord.answer(slow).thinking
        thread = desk.places.thread(GENERAL)
        await until(lambda: desk.drawer.values)
        assert await lost(desk) == [thread]
        door.gate.set()
        assert (await done(discord, slow)).texts == ["Condensed."]
        await until(lambda: all("done" in v for v in desk.drawer.values.values()))
        assert await lost(desk) == []


async def test_nobody_is_told_of_a_strangers_command_after_a_crash(discord):
    """It would be told where others read it."""
    door = RecordingDoor()
    door.admitted = False

    async with controls(discord, door) as desk:
        number = discord.slash("memory", "slow", user=BEN, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).thinking)
        await done(discord, discord.slash("new", user=BEN, channel=GENERAL))
        assert await lost(desk) == []
        door.gate.set()
        await done(discord, number)


async def lost(desk):
    """Give what a next process would say may have been lost."""
    next_one = Journal(BOT, type(desk.drawer)(), lambda: datetime.now(UTC))
    next_one._drawer.values.update(desk.drawer.values)  # type: ignore[attr-defined]
    await next_one.load()
    return list(await next_one.lost())


# -- a way back that is over


async def late(discord, door, name, **more):
    """Have a command answered when its token is over."""
    door.answers[f"/{name} slow"] = "At last."
    async with controls(discord, door, **more) as desk:
        number = discord.slash(name, "slow", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).thinking)
        discord.advance(901)
        door.gate.set()
        await discord.until(lambda: said(discord, GENERAL, discord.dm(ANA)))
        return desk


def said(discord, *channels):
    """Give what was said; who is only shown that the bot thinks sees no words."""
    return [text for one in channels for text in discord.texts(one) if text]


@pytest.mark.parametrize("clock", [None, stopped_clock])
async def test_after_a_quarter_of_an_hour_it_is_a_message(discord, clock):
    """By our clock, or because Discord says so."""
    await late(discord, RecordingDoor(), "compact", clock=clock)

    assert said(discord, GENERAL) == ["At last."]
    assert bool(discord.calls("PATCH", "/webhooks/**")) == (clock is not None)


async def test_what_is_private_then_goes_to_a_private_chat(discord):
    """Never to where others read it."""
    desk = await late(discord, RecordingDoor(), "memory")

    assert discord.texts(discord.dm(ANA)) == ["At last."]
    assert discord.texts(GENERAL) == []
    assert desk.places.dms == {discord.dm(ANA): ANA}


async def test_who_takes_no_private_messages_has_to_ask_again(discord):
    """The channel is told of the command, not of its answer."""
    discord.shut_dms(ANA)

    await late(discord, RecordingDoor(), "memory")

    told = "Your answer to /memory came too late; please ask again."
    assert discord.texts(GENERAL) == [told]


@pytest.mark.parametrize("failure", [StoreError("locked"), InputError("No.")])
async def test_a_refusal_that_comes_too_late_is_not_for_the_room(discord, failure):
    """Who asked would have been told alone; nobody else asked for it."""
    door = RecordingDoor()
    door.failures = [failure]

    async with controls(discord, door):
        number = discord.slash("compact", "slow", user=BEN, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).thinking)
        discord.advance(901)
        door.gate.set()
        await until(lambda: not door.failures)
        # Whatever would follow has happened by the end of two commands.
        for _ in range(2):
            await done(discord, discord.slash("status", user=ANA, channel=GENERAL))

    assert said(discord, GENERAL, discord.dm(BEN)) == []


async def test_what_somebody_else_acknowledged_is_not_answered_there(discord):
    """Another process with this token may have done it for all to read."""
    taken = refusal(400, 40060, "Interaction has already been acknowledged.")
    discord.fail("POST", "/interactions/**", taken, done=True)

    async with controls(discord, answering(memory="so")):
        discord.slash("memory", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.texts(discord.dm(ANA)) == ["so"])

    assert said(discord, GENERAL) == []
    assert discord.calls("PATCH", "/webhooks/**") == []


async def test_one_that_could_not_be_acknowledged_is_done_all_the_same(discord):
    """Its person asked for it, whatever Discord shows them."""
    gone = refusal(404, 10062, "Unknown interaction")
    discord.fail("POST", "/interactions/**", gone)

    async with controls(discord, answering(new="so")):
        discord.slash("new", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.texts(GENERAL) == ["so"])

    assert discord.calls("PATCH", "/webhooks/**") == []


# -- a network that fails


@pytest.mark.parametrize("is_done", [False, True])
async def test_a_lost_acknowledgement_is_sent_again(discord, is_done):
    """There are three seconds for it; having it already is no trouble."""
    discord.fail("POST", "/interactions/**", Drop(), done=is_done)

    async with controls(discord, answering(new="so")):
        number = discord.slash("new", user=ANA, channel=GENERAL)
        shown = await done(discord, number)

    assert shown.texts == ["so"]
    assert discord.complaints == (["an interaction was taken twice"] if is_done else [])
    discord.complaints.clear()


async def test_an_answer_is_shown_however_often_that_fails(discord):
    """Somebody looks at "thinking"."""
    discord.fail("PATCH", "/webhooks/**", broken(), times=3)

    async with controls(discord, answering(new="so")):
        number = discord.slash("new", user=ANA, channel=GENERAL)
        assert (await done(discord, number)).texts == ["so"]


async def test_an_answer_that_is_refused_is_said_as_a_message(discord):
    """Whatever Discord has against it here, it may take it there."""
    discord.fail("PATCH", "/webhooks/**", refusal(400, 50035, "Invalid Form Body"))

    async with controls(discord, answering(new="so")):
        number = discord.slash("new", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.texts(GENERAL) == ["so"])
        assert not discord.answer(number).thinking


async def test_who_dismissed_thinking_is_answered_below(discord):
    """A private "thinking" can be sent away by its person."""
    door = RecordingDoor()
    door.answers["/memory slow"] = "so"

    async with controls(discord, door):
        number = discord.slash("memory", "slow", user=ANA, channel=GENERAL)
        await discord.until(lambda: discord.answer(number).thinking)
        [one] = discord.interactions.values()
        one.said.clear()
        one.original = None
        door.gate.set()
        await discord.until(lambda: discord.answer(number).texts == ["so"])

    assert discord.texts(GENERAL) == []
