"""What Telegram refuses, is silent about, or will not take now."""

import asyncio
from dataclasses import replace

import pytest

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from channels.shared.failures import Rejected
from channels.telegram.rendered import Rendered
from channels.telegram.sending_pieces import Message, mended
from tests.channels.telegram.parts import outfit
from tests.servers.telegram import Drop, Hang, Refused
from tests.servers.telegram.furnished import ANA, ROOM

LONG = "\n\n".join(f"Paragraph {number} " + "words " * 60 for number in range(30))
BAD_ENTITIES = Refused(400, "Bad Request: can't parse entities: byte offset 3")


@pytest.fixture
async def bot(telegram):
    async with outfit(telegram.origin) as bot:
        bot.time.flows = True
        yield bot


def bad(text):
    return Refused(400, f"Bad Request: {text}")


# -- refusals


async def test_looks_that_are_refused_are_left_out_once(telegram, bot):
    """The words come, readable, and the address that lay under them."""
    telegram.fail("sendMessage", BAD_ENTITIES)
    await bot.deliver(bot.part("**see** [this](https://a.example/x) `a_b*c[`", ANA))

    (seen,) = telegram.sent(ANA)
    assert seen.text == "see this (https://a.example/x) a_b*c["
    assert "entities" not in telegram.calls("sendMessage")[1].params


async def test_looks_are_left_out_no_more_than_once(telegram, bot):
    telegram.fail("sendMessage", BAD_ENTITIES, times=None)
    with pytest.raises(Rejected):
        await bot.deliver(bot.part("**see**", ANA))
    assert len(telegram.calls("sendMessage")) == 2


async def test_only_the_refused_piece_loses_its_looks(telegram, bot):
    text = "\n\n".join(f"**Bold {n}** " + "words " * 90 for n in range(20))
    telegram.fail("sendMessage", BAD_ENTITIES)
    await bot.deliver(bot.part(text, ANA))

    assert [bool(one.entities) for one in telegram.sent(ANA)] == [False, True, True]


async def test_what_is_too_long_after_all_is_split(telegram, bot):
    """In the order of the text; for the ledger it stays one piece."""
    telegram.fail("sendMessage", bad("message is too long"))
    given = await bot.deliver(bot.part("one " * 500 + "two " * 500, ANA))

    seen = telegram.sent(ANA)
    assert "".join(one.text for one in seen).replace(" ", "") == "one" * 500 + (
        "two" * 500
    )
    assert given == ",".join(str(one.id) for one in seen)


async def test_what_is_too_long_for_ever_is_given_up(telegram, bot):
    telegram.fail("sendMessage", bad("message is too long"), times=None)
    with pytest.raises(Rejected):
        await bot.deliver(bot.part("one two three", ANA))


async def test_buttons_that_are_refused_are_left_out(telegram, bot):
    telegram.fail("sendMessage", bad("BUTTON_DATA_INVALID"))
    await bot.deliver(bot.part("it failed", ANA, is_failure=True))

    assert telegram.sent(ANA)[0].buttons == ()


async def test_what_nobody_has_seen_yet_goes_plainly(telegram, bot):
    """Once; a reason may have any words."""
    telegram.fail("sendMessage", bad("WHATEVER_INVALID"))
    asked = telegram.say("well?", ROOM)
    answers = f"{bot.client.bot_id}.{ROOM}.{asked['message_id']}"
    part = bot.part("it **failed**", ROOM, is_failure=True, answers=answers)
    await bot.deliver(part)

    (seen,) = telegram.sent(ROOM)
    assert (seen.text, seen.entities, seen.buttons) == ("it failed", (), ())
    telegram.fail("sendMessage", bad("WHATEVER_INVALID"), times=None)
    with pytest.raises(Rejected):
        await bot.deliver(bot.part("**no**", ROOM))
    assert len(telegram.calls("sendMessage")) == 4


def test_a_topic_that_is_closed_leaves_the_chat():
    message = Message(Rendered("hello"))
    mend = mended(message, Rejected("Bad Request: TOPIC_CLOSED"))
    assert mend == replace(message, has_topic=False)


async def test_a_place_of_no_return_is_told(telegram, bot):
    telegram.block(ANA)
    with pytest.raises(Undeliverable, match="blocked"):
        await bot.deliver(bot.part("hello", ANA))


# -- the way


async def test_a_flood_is_waited_out(telegram, bot):
    """For as long as told, then twice as long; each piece arrives once."""
    bot.time.flows = False
    telegram.fail("sendMessage", Refused(429, "x", retry_after=7), times=2)
    sending = asyncio.ensure_future(bot.deliver(bot.part(LONG, ANA)))
    for seconds in (7, 14):
        await bot.time.until_nap(seconds)
        await bot.time.move(seconds)
    await sending

    assert len(telegram.sent(ANA)) == 3
    assert len(telegram.calls("sendMessage")) == 5


async def test_what_is_sent_keeps_to_the_numbers(telegram, bot):
    """As the server counts them: not one refusal in thirty messages."""
    telegram.limit(clock=bot.time)
    for _ in range(10):
        await bot.deliver(bot.part(LONG, ROOM))
        await bot.deliver(bot.part("hello", ANA))

    assert telegram.flood.refusals == 0
    assert len(telegram.sent(ROOM)) == 30


async def test_a_long_flood_is_for_another_time(telegram, bot):
    """Nobody waits with it; what was sent is noted."""
    await bot.deliver(bot.part("hello", ANA))
    telegram.fail("sendMessage", Refused(429, "x", retry_after=61), times=None)
    with pytest.raises(Unreachable, match="61 seconds"):
        await bot.deliver(bot.part(LONG, ANA))


async def test_a_part_is_not_tried_for_ever(telegram, bot):
    """Five floods in a row; nothing is in doubt then."""
    telegram.fail("sendMessage", Refused(429, "Too Many Requests"), times=None)
    begun = bot.time.now
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello", ANA))
    assert telegram.texts(ANA) == []
    assert len(telegram.calls("sendMessage")) == 5
    assert bot.time.now - begun == 1 + 2 + 4 + 8


@pytest.mark.parametrize("fault", [Drop(), Refused(500, "Internal Server Error")])
async def test_what_may_have_arrived_is_in_doubt(telegram, bot, fault):
    """It is not sent again here: the ledger decides, and marks it."""
    telegram.fail("sendMessage", fault, done=True)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("hello", ANA))
    assert telegram.texts(ANA) in ([], ["hello"])
    assert len(telegram.calls("sendMessage")) == 1


async def test_what_was_never_sent_is_not_in_doubt(telegram, bot):
    await telegram.go_away()
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello", ANA))


async def test_what_arrived_by_then_is_noted_when_the_line_breaks(telegram, bot):
    """The next try goes on from there."""
    part = bot.part(LONG, ANA)

    async def note(ids):
        bot.noted.append(ids)
        await telegram.go_away()

    with pytest.raises((ChannelError, TimeoutError)):
        await bot.sender.deliver(part, note)
    assert bot.noted == ["1"]


async def test_chats_do_not_wait_for_each_other(telegram, bot):
    """One that Telegram is silent about holds up no other."""
    telegram.fail("sendMessage", Hang(), chat=ANA)
    stuck = asyncio.ensure_future(bot.deliver(bot.part("hello", ANA)))
    await telegram.until(lambda: telegram.calls("sendMessage", ANA))
    await bot.deliver(bot.part("hello", ROOM))
    telegram.heal()
    await stuck
