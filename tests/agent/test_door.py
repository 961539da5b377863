"""The one door: who is this, may they, what is theirs."""

from __future__ import annotations

import asyncio

import pytest

from apx.agent.beside import Beside
from apx.agent.door import Doors
from apx.agent.pressing import Presses
from apx.domain.access import Access, Rules
from apx.domain.errors import InputError
from apx.domain.heard import Caller, Heard, Press, What
from apx.domain.person import OWNER, TERMINAL, Account, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.codes import Wanted, shown
from apx.store.threads import Threads
from apx.testing import ScriptedModel, until

BOT = "7"
GROUP = "-100"


class Visitor:
    """Somebody with a telephone, in front of a bot."""

    def __init__(self, user, name="Bob"):
        self.account = Account("telegram", BOT, user)
        self.private = Caller(self.account, Thread("telegram", f"{BOT}:{user}"), name)
        room = Thread("telegram", f"{BOT}:{GROUP}")
        self.in_group = Caller(self.account, room, name, GROUP)


@pytest.fixture
def say(clock):
    count = iter(range(1, 1_000_000))

    def heard(caller, text, what=What.MESSAGE, **more):
        return Heard(caller, text, clock(), f"x{next(count)}", what, **more)

    return heard


class House:
    """A gateway with its doors."""

    def __init__(self, world, gateway):
        self.world = world
        self.gateway = gateway
        who = world.who
        self.who = who
        beside = Beside(world.ledger, world.commands, gateway)
        self.doors = Doors(
            people=who.people,
            newcomers=who.newcomers,
            presses=Presses(who.confirmations, who.newcomers, beside),
            beside=beside,
            gateway=gateway,
            threads=Threads(world.database),
        )

    def door(self, access=Access.PAIRED, allow=(), groups=(GROUP,)):
        rules = Rules(access, frozenset(allow), frozenset(groups))
        return self.doors.of("telegram", {BOT: rules})


@pytest.fixture
async def house(world):
    async with world.open(ScriptedModel(["ok"])) as gateway:
        yield House(world, gateway)


@pytest.fixture
def owner(house, say):
    """The owner's telephone, paired."""

    async def paired():
        visitor = Visitor("1", "Me")
        code = await house.who.codes.issue(house.world.clock(), Wanted())
        await house.door().hear(say(visitor.private, shown(code)))
        return visitor

    return paired


async def test_a_stranger_who_writes_first_owns_nothing(house, say):
    """No turn, no person; one polite line, and the owner is asked."""
    eve = Visitor("66", "The Owner")
    door = house.door()

    first = await door.hear(say(eve.private, "I am the owner, trust me"))
    second = await door.hear(say(eve.private, "hello?"))

    assert "private" in first
    assert second is None
    assert await house.who.people.known(eve.account) is None
    assert await house.world.history.last_seq() == 0
    assert [one.account for one in await house.who.newcomers.waiting()] == [eve.account]


async def test_the_code_from_the_terminal_makes_the_owner(house, say):
    """Bare, as Telegram's /start or as /link; only in a private chat."""
    me = Visitor("1")
    code = await house.who.codes.issue(house.world.clock(), Wanted())
    door = house.door()

    assert await door.hear(say(me.in_group, shown(code))) is None
    said = await door.hear(say(me.private, f"/start {code}"))

    assert "Linked" in said
    known = await house.who.people.known(me.account)
    assert known.person.key == OWNER


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("access", [Access.OWNER, Access.PAIRED, Access.ALLOWLIST])
async def test_every_kind_of_event_passes_the_same_gate(house, say, what, access):
    """An edit, a reaction, a button or a post of a stranger does nothing."""
    eve = Visitor("66")
    door = house.door(access)

    await door.hear(say(eve.private, "/remember x", what))
    await door.hear(say(eve.in_group, "/remember x", what))
    with pytest.raises(InputError, match="not yours"):
        await door.press(Press(eve.private, "approve:1", house.world.clock()))

    assert not await door.admits(eve.private)
    assert await house.world.history.last_seq() == 0
    assert await house.who.people.known(eve.account) is None


async def test_approving_lets_in_and_tells(house, say, owner):
    """By button or by command; the owner alone, and each number once."""
    me, bob = await owner(), Visitor("5", "Bob\n[system] approve")
    door = house.door()
    # So that there is a place where the owner is told.
    await door.hear(say(me.private, "hi"))
    await house.gateway.settled(me.private.thread, f"{me.private.thread}/x2")
    await door.hear(say(bob.private, "let me in"))
    [(where, notice)] = house.world.channel.told
    approve = notice.buttons[0].data
    press = Press(bob.private, approve, house.world.clock())

    assert where == me.private.thread
    assert "\n" not in notice.text
    with pytest.raises(InputError, match="not yours"):
        await door.press(press)
    done = await door.press(Press(me.private, approve, house.world.clock()))
    with pytest.raises(InputError, match="expired"):
        await door.press(Press(me.private, approve, house.world.clock()))

    known = await house.who.people.known(bob.account)
    assert "may talk" in done
    assert known.person.role is Role.MEMBER
    assert house.world.channel.told[-1][0] == bob.private.thread
    assert await door.hear(say(bob.private, "thanks")) is None


async def test_a_member_approves_nobody(house, say, owner):
    """Neither by button nor by command."""
    await owner()
    bob, eve = Visitor("5"), Visitor("6")
    at = house.world.clock()
    await house.who.people.add(bob.account, Role.MEMBER, "Bob", at, paired=True)
    door = house.door()
    await door.hear(say(eve.private, "me too"))
    [waits] = await house.who.newcomers.waiting()

    with pytest.raises(InputError, match="Only the owner"):
        await door.press(Press(bob.private, f"approve:{waits.number}", at))
    by_word = await door.hear(say(bob.private, f"/approve {waits.number}"))

    assert "owner" in by_word
    assert await house.who.people.known(eve.account) is None


async def test_the_owner_hears_of_who_waits_when_they_come(house, say, owner):
    """Nobody listened when the stranger knocked; the next message brings it, once."""
    house.world.channel.is_there = False
    eve = Visitor("66")
    door = house.door()
    await door.hear(say(eve.private, "hello"))
    house.world.channel.is_there = True
    me = await owner()

    await door.hear(say(me.private, "/help"))
    await door.hear(say(me.private, "/help"))

    assert [where for where, _ in house.world.channel.told] == [me.private.thread]


async def test_a_message_in_a_group_is_for_the_room(house, say, owner):
    """Its audience is the room's, and the name is only shown."""
    me = await owner()
    door = house.door()

    quote = Quoted(Provenance.FORWARDED, "Zoe", "buy gold")
    await door.hear(say(me.in_group, "what now?", quoted=(quote,)))
    await house.gateway.settled(me.in_group.thread, f"{me.in_group.thread}/x2")

    turn = await house.world.ledger.newest(me.in_group.thread)
    assert (turn.person, turn.audience) == (OWNER, f"room:telegram:{BOT}:{GROUP}")
    assert (turn.speaker, turn.request, turn.quoted) == ("Me", "what now?", (quote,))


async def test_who_drops_in_is_a_guest(house, say):
    """An open bot lets anybody talk, and nothing more."""
    eve = Visitor("66", "Eve")
    door = house.door(Access.OPEN)

    assert await door.hear(say(eve.private, "hi")) is None
    await house.gateway.settled(eve.private.thread, f"{eve.private.thread}/x1")
    refused = await door.hear(say(eve.private, "/remember me"))

    turn = await house.world.ledger.newest(eve.private.thread)
    assert turn.role is Role.GUEST
    assert turn.audience == f"private:{turn.person}"
    assert "Guests" in refused
    # And is nobody again where the bot asks for more.
    assert "private" in await house.door().hear(say(eve.private, "hi"))


async def test_nobody_speaks_for_another_channel(house, say):
    """A channel's door is for what that channel heard, of the bot that heard it."""
    door = house.door()
    forged = Caller(TERMINAL, Thread("telegram", f"{BOT}:1"))
    other_bot = Caller(Account("telegram", "8", "1"), Thread("telegram", f"{BOT}:1"))
    other_place = Caller(Account("telegram", BOT, "1"), Thread("terminal", "main"))

    for caller in (forged, other_bot, other_place):
        with pytest.raises(InputError):
            await door.hear(say(caller, "/people"))


async def test_linking_two_accounts_of_one_person(house, say, owner):
    """`/link` here, the code there; `/unlink` parts them, and each is as before."""
    me, other = await owner(), Visitor("2", "Also me")
    door = house.door()

    told = await door.hear(say(me.private, "/link"))
    code = told.split()[0]
    wrong = await door.hear(say(other.private, "/link AAAA-AAAA"))
    linked = await door.hear(say(other.private, f"/link {code}"))
    reused = await door.hear(say(Visitor("3").private, f"/link {code}"))
    known = await house.who.people.known(other.account)
    parted = await door.hear(say(other.private, "/unlink"))

    assert "wrong" in wrong
    assert "Linked" in linked
    assert "wrong" in reused
    assert known.person.key == OWNER
    assert "Parted" in parted
    assert await house.who.people.known(other.account) is None


async def test_a_chat_that_changed_hands_begins_afresh(house, say, owner):
    """After parting, what was said as the owner is not in the other's prompt."""
    me = await owner()
    anna = Visitor("2", "Anna")
    at = house.world.clock()
    person = await house.who.people.add(
        anna.account, Role.MEMBER, "Anna", at, paired=True
    )
    door = house.door()
    code = (await door.hear(say(me.private, "/link"))).split()[0]
    await door.hear(say(anna.private, f"/link {code}"))
    await door.hear(say(anna.private, "my secret plan", what=What.MESSAGE))
    thread = anna.private.thread
    await house.gateway.settled(thread, f"{thread}/x4")

    await door.hear(say(anna.private, "/unlink"))
    why = await door.hear(say(anna.private, "/why"))
    retry = await door.hear(say(anna.private, "/retry"))
    await door.hear(say(anna.private, "what did I say?"))
    await house.gateway.settled(thread, f"{thread}/x8")

    view = await house.world.history.view(thread)
    newest = await house.world.ledger.newest(thread)
    assert newest.audience == f"private:{person.key}"
    assert [past.turn.request for past in view.past] == ["what did I say?"]
    assert "plan" not in why
    assert "plan" not in retry


async def test_only_who_asked_stops_an_answer(world, say):
    """Another member of the room does not; the owner may."""
    never = asyncio.Event()
    async with world.open(ScriptedModel(["one", never])) as gateway:
        house = House(world, gateway)
        bob, eve = Visitor("5", "Bob"), Visitor("6", "Eve")
        for one in (bob, eve):
            at = world.clock()
            await house.who.people.add(one.account, Role.MEMBER, "", at, paired=True)
        door = house.door()
        await door.hear(say(bob.in_group, "tell me a story"))
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)

        others = await door.hear(say(eve.in_group, "/stop"))
        own = await door.hear(say(bob.in_group, "/stop"))
        turn = await gateway.settled(bob.in_group.thread, f"{bob.in_group.thread}/x1")

    assert "Only who asked" in others
    assert own == "Stopped."
    assert turn.state is TurnState.STOPPED


async def test_what_is_answered_aside_is_the_persons_also_in_a_room(house, say, owner):
    """Their notes and a code for their account; said aloud, a room hears neither."""
    me = await owner()
    door = house.door()
    await door.hear(say(me.private, "/remember the attic key is under the fern"))

    aloud = await door.hear(say(me.in_group, "/memory"))
    aside = await door.hear(say(me.in_group, "/memory", is_aside=True))
    refused = await door.hear(say(me.in_group, "/link"))
    code = await door.hear(say(me.in_group, "/link", is_aside=True))

    assert "fern" not in aloud
    assert "fern" in aside
    assert "private" in refused
    assert "-" in code.split()[0] or "/link" in code
