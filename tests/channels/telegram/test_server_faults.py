"""The loopback Telegram: rates, faults, and the wire."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramBadRequest,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)

from tests.channels.telegram.served import bot, buttons, mark, telegram
from tests.servers.telegram import (
    TOKEN,
    Drip,
    Drop,
    Flood,
    HalfClose,
    Hang,
    Refused,
    bad_gateway,
    garbage,
)
from tests.servers.telegram.furnished import (
    ANA,
    BEN,
    ROOM,
    client,
)
from tests.servers.telegram.remote import running

# Fixtures: pytest finds them by their names.
__all__ = ["bot", "telegram"]


# -- rates


async def test_floods_are_refused_until_the_time_is_over(bot, telegram):
    """30 a second, one a second a chat, 20 a minute a group, by a clock of ours."""
    now = [100.0]
    telegram.flood = Flood(burst=3, clock=lambda: now[0])
    for _ in range(3):
        await bot.send_message(ANA, "x")
    with pytest.raises(TelegramRetryAfter) as caught:
        await bot.send_message(ANA, "x")
    assert caught.value.retry_after == 1
    now[0] += 0.5
    with pytest.raises(TelegramRetryAfter):
        await bot.send_message(ANA, "x")
    assert telegram.complaints == ["sent 0.50 s before retry_after had passed"]
    now[0] += 0.6
    await bot.send_message(ANA, "y")
    for _ in range(20):
        now[0] += 1.0
        await bot.send_message(ROOM, "x")
    now[0] += 1.0
    with pytest.raises(TelegramRetryAfter) as caught:
        await bot.send_message(ROOM, "x")
    assert caught.value.retry_after == 40
    for user in range(100, 131):
        telegram.user(user, "U")
    for user in range(100, 130):
        await bot.send_message(user, "x")
    with pytest.raises(TelegramRetryAfter):
        await bot.send_message(130, "x")


# -- what goes wrong


FAULTS = {
    "error": (Refused(400, "Bad Request: no"), TelegramBadRequest),
    "429": (Refused(429, "Too Many: 7", retry_after=7), TelegramRetryAfter),
    "502": (bad_gateway(), ClientDecodeError),
    "500": (Refused(500, "Internal Server Error"), TelegramServerError),
    "garbage": (garbage(), ClientDecodeError),
    "drop": (Drop(), TelegramNetworkError),
    "cut": (Drop(cut=True), TelegramNetworkError),
    "half": (HalfClose(), TelegramNetworkError),
    "hang": (Hang(), TelegramNetworkError),
}


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize(("fault", "error"), FAULTS.values(), ids=FAULTS)
async def test_a_fault_is_seen_by_the_client(telegram, fault, error, done):
    """With `done`, the message is there, and who sent it cannot know."""
    telegram.fail("sendMessage", fault, done=done)
    telegram.fail("sendMessage", bad_gateway(), times=None, chat=BEN)
    # Only where nothing comes at all is there a wait to be cut short.
    silent = isinstance(fault, Hang)
    seconds = 0.5 if silent else 2
    async with client(telegram.origin, seconds=seconds) as bot:
        with pytest.raises(error) as caught:
            await bot.send_message(ANA, "once")
    assert ("Request timeout" in str(caught.value)) == silent
    assert telegram.texts(ANA) == ["once"] * done
    async with client(telegram.origin) as bot:
        await bot.send_message(ANA, "again")
    assert telegram.texts(ANA)[-1] == "again"
    assert [call.method for call in telegram.calls()] == ["sendMessage"] * 2


async def test_what_hangs_is_answered_once_it_is_healed(bot, telegram):
    telegram.fail("*", Hang(), times=None)
    telegram.fail("getMe", Drip(pause=0.001))
    async with asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(bot.send_message(ANA, "x"))
        await telegram.until(lambda: telegram.calls("sendMessage", ANA))
        telegram.heal("*")
        assert (await sending).text == "x"
    assert (await bot.get_me()).id == bot.id


async def test_a_server_that_is_gone_comes_back_on_the_same_port(bot, telegram):
    await bot.get_me()
    await telegram.go_away()
    with pytest.raises(TelegramNetworkError):
        await bot.get_me()
    await telegram.come_back()
    assert (await bot.get_me()).id == bot.id


async def test_what_never_comes_true_says_what_came_last(bot, telegram):
    await bot.get_me()
    with pytest.raises(TimeoutError, match="getMe 200"):
        await telegram.until(lambda: False, 0.01)


# -- the wire


async def test_all_ways_to_pass_parameters_are_the_same(telegram):
    """Query, form and JSON; the names of methods may be of any case."""
    url = f"{telegram.origin}/bot{TOKEN}/sendmessage"
    message: dict[str, Any] = {"chat_id": ANA, "text": "x"}
    entities = mark("bold", 0, 1)[0].model_dump(exclude_none=True)
    async with aiohttp.ClientSession() as http:
        ways = (
            http.post(url, params=message),
            http.post(url, data=message | {"entities": json.dumps([entities])}),
            http.post(url, json=message | {"entities": [entities]}),
        )
        for way in ways:
            async with way as response:
                assert (await response.json())["ok"]
        async with http.post(url, json=["x"]) as response:
            assert response.status == 400
        async with http.get(f"{telegram.origin}/bot{TOKEN}/flyToTheMoon") as response:
            assert (await response.json())["error_code"] == 404
    assert [len(one.entities) for one in telegram.sent(ANA)] == [0, 1, 1]


async def test_a_server_of_its_own_process_is_used_alike(tmp_path):
    """A story that kills apx waits without a loop."""
    with running(tmp_path / "port") as telegram:
        assert (tmp_path / "port").read_text().split()[0] in telegram.origin
        telegram.user(ANA, "Ana")
        telegram.document(b"\x00text", "n.bin")
        async with client(telegram.origin) as bot:
            (update,) = await bot.get_updates()
            await bot.send_message(ANA, "got it", reply_markup=buttons("x"))
            telegram.fail("getMe", Refused(401, "Unauthorized"))
            with pytest.raises(TelegramUnauthorizedError):
                await bot.get_me()
        (seen,) = telegram.until(lambda: telegram.sent(ANA))
        telegram.press(seen, "bx")
        assert telegram.history(ANA)[0].document == b"\x00text"
        assert telegram.calls("getMe")[0].status == 401
        assert [query["data"] for query in telegram.queries()] == ["x"]
        assert telegram.get("complaints") == []
        telegram.go_away()
        telegram.come_back()
        with pytest.raises(LookupError, match="KeyError"):
            telegram.say("x", 12345)
        assert update.message.document.file_name == "n.bin"
