"""What is left when accounts are linked, parted and removed, and what strangers may."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from apx.domain.access import Access, Rules
from apx.domain.errors import InputError
from apx.domain.heard import Caller, Heard, What
from apx.domain.person import OWNER, Account, Audience, Role
from apx.domain.recall import Findings
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, PartState, TurnState
from apx.store.codes import Redeemed, Wanted, shown
from apx.store.strangers import Strangers
from apx.store.verify import verify
from apx.testing import ScriptedModel, until
from tests.agent.test_door import BOT, House, Visitor

OPEN_BOT = "8"


@pytest.fixture
def say(clock):
    count = iter(range(1, 1_000_000))

    def heard(caller, text, what=What.MESSAGE):
        return Heard(caller, text, clock(), f"x{next(count)}", what)

    return heard


@pytest.fixture
async def house(world):
    async with world.open(ScriptedModel(["ok"])) as gateway:
        yield House(world, gateway)


async def member(house, visitor, name="", role=Role.MEMBER):
    at = house.world.clock()
    return await house.who.people.add(visitor.account, role, name, at, paired=True)


async def joined(house, person, account):
    """Have an account enter a code of a person."""
    code = await house.who.codes.issue(house.world.clock(), Wanted(person.key))
    return await house.who.newcomers.enter(account, code, "")


async def test_who_was_talked_into_a_code_is_free_again_as_a_whole(house, say):
    """One `/unlink` parts all accounts that came along, and shuts what they said."""
    anna, desk, bob = Visitor("2"), Account("discord", "9", "20"), Visitor("3")
    her = await member(house, anna)
    await joined(house, her, desk)
    him = await member(house, bob)
    await joined(house, him, anna.account)

    await house.door().hear(say(anna.private, "/unlink"))

    for account in (anna.account, desk):
        known = await house.who.people.known(account)
        assert known.person.key == her.key
    assert await house.who.people.homes(him.key) == []
    assert await verify(house.world.database.path) == []


async def test_a_code_ends_with_its_account(house):
    """Whoever stole a telephone has no key to come back with."""
    thief = Visitor("1")
    await house.who.newcomers.enter(
        thief.account, await house.who.codes.issue(house.world.clock(), Wanted()), ""
    )
    made = await house.who.codes.issue(house.world.clock(), Wanted(OWNER))

    at = house.world.clock()
    await house.who.parting.remove(thief.account, at, "r")
    done = await house.who.newcomers.enter(Visitor("9").account, made, "")

    assert done.what is Redeemed.WRONG


async def test_what_waits_is_not_for_who_has_the_chat_by_now(house, world):
    """Neither a request nor a reply that was not delivered yet."""
    anna = Visitor("2")
    her = await member(house, anna)
    world.channel.is_there = False
    key = await asked(house, anna, her, "my plans?", "x1")
    await house.gateway.settled(anna.private.thread, key)
    await world.ledger.accept(heard(house, anna, her, "and now?", "x2"))

    await house.who.parting.remove(anna.account, world.clock(), "r")
    world.channel.is_there = True
    house.gateway.wake(anna.private.thread)

    turn = await world.ledger.turn_of(key)
    [part] = await world.outbox.parts_of(turn.id)
    assert part.state is PartState.EXPIRED
    assert await world.ledger.waiting() == []
    assert world.channel.sent == []
    assert await verify(world.database.path) == []


def heard(house, visitor, person, text, name):
    return Inbound(
        visitor.private.thread,
        text,
        house.world.clock(),
        name,
        person=person.key,
        audience=Audience.private(person.key),
        account=visitor.account,
    )


async def asked(house, visitor, person, text, name):
    message = heard(house, visitor, person, text, name)
    await house.gateway.hear(message)
    return message.key


async def test_an_answer_that_is_being_written_ends_with_the_account(world, say):
    """What it still has to say is nobody's to hear."""
    never = asyncio.Event()
    async with world.open(ScriptedModel(["one", never])) as gateway:
        house, anna = House(world, gateway), Visitor("2")
        await member(house, anna)
        await house.door().hear(say(anna.private, "tell me my secrets"))
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)

        house.who.parting.runs = gateway.runs
        await house.who.parting.part(anna.account, world.clock(), "u")
        thread = anna.private.thread
        turn = await gateway.settled(thread, f"{thread}/x1")

    assert turn.state is TurnState.STOPPED


async def test_a_second_delivery_of_unlink_parts_no_further(house, say):
    """A platform may bring it twice; it is the same message."""
    anna, bob = Visitor("2"), Visitor("3")
    her, him = await member(house, anna), await member(house, bob)
    await joined(house, him, anna.account)
    once = say(anna.private, "/unlink")

    await house.door().hear(once)
    await house.door().hear(once)

    known = await house.who.people.known(anna.account)
    assert known.person.key == her.key


async def test_a_guest_of_an_open_bot_opens_no_other(house):
    """Their code joins accounts, but lets nobody in where people were let in."""
    guest = Account("telegram", OPEN_BOT, "66")
    at = house.world.clock()
    person = await house.who.people.add(guest, Role.GUEST, "", at, paired=False)
    wish = Wanted(person.key, vouched=False)
    code = await house.who.codes.issue(at, wish)
    friend = Account("telegram", BOT, "67")

    await house.who.newcomers.enter(friend, code, "")

    known = await house.who.people.known(friend)
    assert known.person.key == person.key
    assert not known.paired


async def test_a_code_that_a_known_account_sends_is_no_message(house, say, world):
    """`apx people pair` says to send it; a model must not read it."""
    bob = Visitor("5")
    await member(house, bob)
    code = await house.who.codes.issue(world.clock(), Wanted())

    answer = await house.door().hear(say(bob.private, shown(code)))

    known = await house.who.people.known(bob.account)
    assert "Linked" in answer
    assert known.person.key == OWNER
    assert await world.ledger.newest(bob.private.thread) is None


class Withheld:
    """A source that knows one thing which it must not say here."""

    name = "recall"

    async def fetch(self, _):
        return Findings(withheld=1)


async def test_that_somebody_has_secrets_is_theirs_to_know(world, house, say):
    """`/why` of another's question in a room does not count what was withheld."""
    me, bob = Visitor("1"), Visitor("5")
    await joined(house, await house.who.people.person(OWNER), me.account)
    await member(house, bob)
    door = house.door()
    world.sources.append(Withheld())
    await door.hear(say(me.in_group, "what about the test?"))
    thread = me.in_group.thread
    await house.gateway.settled(thread, f"{thread}/x1")
    theirs = await door.hear(say(bob.in_group, "/why"))
    mine = await door.hear(say(me.in_group, "/why"))
    usage = await door.hear(say(me.in_group, "/usage"))

    assert "not used here" not in theirs
    assert "1 private memory not used here" in mine
    assert "private chat" in usage


async def test_who_dropped_in_can_be_let_in_for_good(house, say):
    """A bot that was open is not any more: a yes counts for who is known already."""
    eve = Visitor("66", "Eve")
    door = house.door(Access.OPEN)
    await door.hear(say(eve.private, "hi"))
    paired = house.door()
    await paired.hear(say(eve.private, "hi again"))
    [waits] = await house.who.newcomers.waiting()
    owner = await house.who.people.person(OWNER)

    told = await house.who.newcomers.settle(owner, str(waits.number), "approve")

    known = await house.who.people.known(eve.account)
    assert "as member" in told
    assert (known.paired, known.person.role) == (True, Role.MEMBER)
    assert await paired.hear(say(eve.private, "hello")) is None


async def test_an_unpaired_guest_has_nothing_to_part(house, say):
    """Else `/unlink` would be a new person, with a new day's budget, each time."""
    eve = Visitor("66")
    door = house.door(Access.OPEN)
    await door.hear(say(eve.private, "hi"))
    before = await house.who.people.known(eve.account)

    assert "nothing to part" in await door.hear(say(eve.private, "/unlink"))
    assert await house.who.people.known(eve.account) == before


async def test_a_code_does_not_open_what_listens_to_others(house, say):
    """Linked, but this bot is for its owner: that is said."""
    bob = Visitor("5")
    code = await house.who.codes.issue(
        house.world.clock(), Wanted("", Role.MEMBER, "Bob")
    )

    told = await house.door(Access.OWNER).hear(say(bob.private, f"/link {code}"))

    assert "Linked" in told
    assert "listens to others" in told


async def test_a_platforms_clock_is_not_believed(house, say):
    """Whatever zone and hour it says; without a zone it is refused."""
    me = Visitor("1")
    code = await house.who.codes.issue(house.world.clock(), Wanted())
    late = say(me.private, shown(code))
    far = timezone(timedelta(hours=-5))
    told = replace(late, at=(late.at + timedelta(hours=3)).astimezone(far))

    assert "Linked" in await house.door().hear(told)
    naive = replace(late, at=late.at.replace(tzinfo=None))
    with pytest.raises(InputError, match="zone"):
        await house.door().hear(naive)


@pytest.mark.parametrize(
    ("name", "text"),
    [("\ud800x", "hi"), ("x" * 100_000, "/link \ud800"), ("\u202e", "")],
)
async def test_no_stranger_makes_the_door_raise(house, say, name, text):
    """Nor fills a table with their name."""
    eve = Visitor("66", name)
    await house.door().hear(say(eve.private, text))

    for one in await house.who.newcomers.waiting():
        assert len(one.name) <= 40
        assert one.name.isprintable()


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-1", "1.5", "٣"])
async def test_no_number_makes_a_command_raise(house, number):
    """A button may bring anything."""
    owner = await house.who.people.person(OWNER)

    told = await house.who.newcomers.settle(owner, number, "approve")

    assert "Nobody waits" in told


async def test_a_word_of_eight_letters_is_no_reason_to_answer(house, say):
    """A stranger gets one line a day, whatever they write."""
    eve = Visitor("66")
    door = house.door()

    told = [await door.hear(say(eve.private, "whatever")) for _ in range(8)]

    assert sum(one is not None for one in told) == 1
    assert len(await house.who.newcomers.waiting()) == 1


@pytest.mark.parametrize("what", [What.EDIT, What.REACTION, What.BUTTON])
async def test_a_code_is_entered_by_a_message_only(house, say, what):
    """Not by an edit of one."""
    me = Visitor("1")
    code = await house.who.codes.issue(house.world.clock(), Wanted())

    assert await house.door().hear(say(me.private, shown(code), what)) is None
    assert await house.who.people.known(me.account) is None


async def test_a_thousand_strangers_hide_nobody(world, clock):
    """The oldest that nobody waits for makes room."""
    strangers = Strangers(world.database)
    at = clock()

    async def meet(number, *, may_ask):
        account = Account("telegram", "7", str(number))
        caller = Caller(account, Thread("telegram", f"7:{number}"), "x")
        return await strangers.meet(caller, at, may_ask=may_ask)

    for number in range(1, 1002):
        await meet(number, may_ask=False)
    met = await meet(1002, may_ask=True)

    assert met.tells
    assert met.asks is not None


async def test_a_room_is_not_a_private_chat(house, say):
    """A channel that forgets to say so is refused: others would read the reply."""
    me = Visitor("1")
    await joined(house, await house.who.people.person(OWNER), me.account)
    door = house.door()
    await door.hear(say(me.in_group, "hi"))
    thread = me.in_group.thread
    await house.gateway.settled(thread, f"{thread}/x1")
    forgot = replace(me.in_group, group="")

    with pytest.raises(InputError, match="at once"):
        await door.hear(say(forgot, "what is my secret?"))


async def test_a_guest_does_not_end_a_rooms_conversation(house, say):
    """`/new` is for who belongs there."""
    eve = Visitor("66")
    rules = Rules(Access.OPEN, groups=frozenset({"-100"}))
    door = house.doors.of("telegram", {BOT: rules})

    assert "Guests" in await door.hear(say(eve.in_group, "/new"))
    assert "fresh start" in await door.hear(say(eve.private, "/new"))
