"""What stays of a reply that no part takes the place of, also after a crash."""

from apx.testing import MemoryDrawer
from tests.channels.discord.growing import EDITS, outfit, placed, shown
from tests.servers.discord.faults import Drop
from tests.servers.discord.furnished import GENERAL


async def test_a_turn_without_a_reply_says_that_it_was_stopped(discord):
    """Its button is gone; what was read by then stays, and a late part comes there."""
    async with outfit() as bot:
        live = await placed(bot, discord)
        live.close()
        await bot.time.move(15)
        seen = await shown(discord, GENERAL, "Well\n\n(stopped)")
        assert seen.buttons == ()
        await bot.deliver("The reply", GENERAL)

    assert discord.texts(GENERAL) == ["The reply"]


async def test_a_reply_that_was_stopped_says_so_at_once(discord):
    """No part comes of it: a button that does nothing is not left for a moment."""
    async with outfit() as bot:
        live = await placed(bot, discord)
        live.close(is_stopped=True)
        seen = await shown(discord, GENERAL, "Well\n\n(stopped)")
        assert seen.buttons == ()


async def test_the_last_word_is_said_until_it_is_taken(discord):
    """One broken connection, and the button would stay for ever."""
    async with outfit() as bot:
        live = await placed(bot, discord)
        live.close()
        discord.fail("PATCH", EDITS, Drop(), times=3)
        bot.time.flows = True
        await bot.time.move(15)
        seen = await shown(discord, GENERAL, "Well\n\n(stopped)")

    assert seen.buttons == ()
    assert len(discord.calls("PATCH", EDITS)) == 4


async def test_the_next_turn_takes_over_what_a_dead_process_left(discord):
    """The request is run again, as another turn."""
    drawer = MemoryDrawer()
    async with outfit(drawer) as bot:
        await placed(bot, discord)
    async with outfit(drawer) as bot:
        live = bot.open(GENERAL, 6)
        live.show("Again")
        await shown(discord, GENERAL, "Again")
        live.close()
        await bot.deliver("The reply", GENERAL, 6)

    assert discord.texts(GENERAL) == ["The reply"]


async def test_what_was_left_and_taken_away_is_shown_anew(discord):
    """Whoever deleted it did not mean this turn."""
    drawer = MemoryDrawer()
    async with outfit(drawer) as bot:
        await placed(bot, discord)
    discord.delete(GENERAL, discord.sent(GENERAL)[0].id)
    async with outfit(drawer) as bot:
        bot.open(GENERAL, 6).show("Again")
        await shown(discord, GENERAL, "Again")


async def test_what_was_left_is_closed_by_what_comes_below(discord):
    """Its button is gone, and no later process puts an answer there."""
    drawer = MemoryDrawer()
    async with outfit(drawer) as bot:
        await placed(bot, discord)
    async with outfit(drawer) as bot:
        bot.time.now += 3_600
        await bot.deliver("The reply", GENERAL, 6)
        await discord.until(lambda: not discord.sent(GENERAL)[0].buttons)
    async with outfit(drawer) as bot:
        await bot.deliver("The next", GENERAL, 7, 70)

    assert discord.texts(GENERAL) == ["Well", "The reply", "The next"]


async def test_a_home_that_begins_anew_edits_nothing_of_the_last(discord):
    """Its first turns have the same numbers, and Discord still knows their nonces."""
    async with outfit() as bot:
        await placed(bot, discord)
    async with outfit() as bot:
        await placed(bot, discord)

    assert discord.texts(GENERAL) == ["Well", "Well"]
