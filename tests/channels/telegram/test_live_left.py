"""What stays of a reply that no part takes the place of, also after a crash."""

import asyncio

from apx.testing import MemoryDrawer
from tests.channels.telegram.parts import opened, outfit, placed, shown
from tests.servers.telegram import Hang, Refused
from tests.servers.telegram.furnished import ROOM


def edits(telegram):
    return telegram.calls("editMessageText", ROOM)


# -- silence


async def test_a_turn_without_a_reply_says_that_it_was_stopped(telegram, bot):
    """Its button is gone; what was read by then stays."""
    live = await placed(bot, telegram)
    live.close()
    await bot.time.move(15)
    seen = await shown(telegram, ROOM, "Well\n\n(stopped)")
    assert seen.buttons == ()


async def test_a_turn_that_said_nothing_was_just_stopped(telegram, bot):
    live = opened(bot, ROOM)
    await bot.time.move(2)
    await shown(telegram, ROOM, "…")
    live.close()
    await bot.time.move(15)
    await shown(telegram, ROOM, "(stopped)")


async def test_a_reply_that_comes_late_takes_its_place_after_all(telegram, bot):
    live = await placed(bot, telegram)
    live.close()
    await bot.time.move(15)
    await shown(telegram, ROOM, "Well\n\n(stopped)")
    await bot.deliver(bot.part("The reply", ROOM))
    await bot.time.move(10)
    await placed(bot, telegram, turn=6)

    assert telegram.texts(ROOM) == ["The reply", "Well"]


async def test_a_reply_that_waits_for_its_turn_was_not_stopped(telegram, bot):
    """Another part of its chat is sent before it."""
    live = await placed(bot, telegram)
    live.close()
    await bot.time.move(14)
    await bot.client.updates(0, 0, [])
    assert telegram.texts(ROOM) == ["Well"]

    telegram.fail("editMessageText", Hang())
    sending = asyncio.ensure_future(bot.deliver(bot.part("The reply", ROOM)))
    await telegram.until(lambda: edits(telegram))
    await bot.time.move(60)
    telegram.heal()
    await sending
    assert len(edits(telegram)) == 1


async def test_the_last_word_is_said_until_it_is_taken(telegram, bot):
    """One bad answer, and the button would stay for ever."""
    live = await placed(bot, telegram)
    live.close()
    telegram.fail("editMessageText", Refused(502, "Bad Gateway"), times=3)
    bot.time.flows = True
    await bot.time.move(15)
    seen = await shown(telegram, ROOM, "Well\n\n(stopped)")
    assert seen.buttons == ()
    assert len(edits(telegram)) == 4


async def test_the_last_word_waits_for_a_flood_to_pass(telegram, bot):
    """And what a later process says does not take its place."""
    live = await placed(bot, telegram)
    bot.pace.flood(120, ROOM)
    live.close()
    await bot.time.move(15)
    await bot.time.until_nap(105)
    async with outfit(telegram.origin, bot.drawer) as later:
        await later.deliver(later.part("The next", ROOM, turn=6))
    assert telegram.texts(ROOM) == ["Well", "The next"]
    await bot.time.move(120)
    await telegram.until(lambda: telegram.texts(ROOM)[0] == "Well\n\n(stopped)")


# -- a process that died


async def test_the_reply_takes_the_place_of_what_a_dead_process_left(telegram):
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        await bot.deliver(bot.part("The reply", ROOM, is_repeat=True))

    assert telegram.texts(ROOM) == ["The reply"]


async def test_the_next_turn_takes_over_what_a_dead_process_left(telegram):
    """The request is run again, as another turn."""
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        live = opened(bot, ROOM, 6)
        live.show("Again")
        await shown(telegram, ROOM, "Again")
        live.close()
        await bot.deliver(bot.part("The reply", ROOM, turn=6))

    assert telegram.texts(ROOM) == ["The reply"]
    assert len(telegram.calls("sendMessage")) == 1


async def test_what_was_left_long_ago_stays_where_it_is(telegram):
    """Nobody would see an answer so far up."""
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        bot.time.now += 3_600
        await bot.deliver(bot.part("The reply", ROOM, turn=6))

    assert telegram.texts(ROOM) == ["Well", "The reply"]


async def test_what_was_left_is_closed_by_what_comes_below(telegram):
    """Its button is gone, and no later process puts an answer there."""
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        bot.time.now += 3_600
        await bot.deliver(bot.part("The reply", ROOM, turn=6))
        await telegram.until(lambda: not telegram.sent(ROOM)[0].buttons)
    async with outfit(telegram.origin, drawer) as bot:
        await bot.deliver(bot.part("The next", ROOM, id=70, turn=7))

    assert telegram.texts(ROOM) == ["Well", "The reply", "The next"]


async def test_a_growing_reply_closes_what_was_left_above(telegram):
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        bot.time.now += 3_600
        await placed(bot, telegram, turn=6)

    assert [one.buttons for one in telegram.sent(ROOM)] == [(), ("Stop",)]


async def test_a_start_without_a_network_is_no_time(telegram):
    """Minutes count from when Telegram answers."""
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer) as bot:
        bot.time.now += 360
        bot.sender.connected()
        bot.time.now += 200
        bot.sender.connected()
        await bot.deliver(bot.part("The reply", ROOM, turn=6))

    assert telegram.texts(ROOM) == ["The reply"]


async def test_another_bot_does_not_edit_what_the_last_one_left(telegram):
    """The token was changed: its numbers mean other messages."""
    other = "77:AAanotherAnotherAnotherAnotherAnother"
    telegram.new_bot(other)
    telegram.add_bot(ROOM, to=other)
    drawer = MemoryDrawer()
    async with outfit(telegram.origin, drawer) as bot:
        await placed(bot, telegram)
    async with outfit(telegram.origin, drawer, other) as bot:
        await bot.deliver(bot.part("The reply", ROOM))

    assert telegram.texts(ROOM) == ["Well", "The reply"]
    assert telegram.calls("editMessageText") == []
