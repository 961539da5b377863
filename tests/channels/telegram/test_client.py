"""Calls end in our errors, none of which knows the token."""

import asyncio
import logging
import traceback
from contextlib import aclosing, asynccontextmanager

import pytest
from aiogram.methods import GetMe, SendMessage
from aiohttp import web
from structlog.testing import capture_logs

from apx.domain.errors import Undeliverable, Unreachable
from channels.shared.failures import Answered, Flood, Rejected, WrongToken
from channels.telegram.client import Client
from channels.telegram.failures import Conflicted, Migrated, NoMethod, Unread
from channels.telegram.settings import OFFICIAL
from tests.servers.faults import Answer
from tests.servers.telegram import (
    TOKEN,
    Drop,
    HalfClose,
    Hang,
    Refused,
    bad_gateway,
    garbage,
)
from tests.servers.telegram.furnished import ANA, furnished

HELLO = SendMessage(chat_id=ANA, text="hello")
SECRET = "4242001:AAmadeUpMadeUpMadeUpMadeUpMadeUp42"  # noqa: S105 -- of nobody


@pytest.fixture
async def telegram():
    async with furnished() as telegram:
        yield telegram


@asynccontextmanager
async def connected(origin, token=TOKEN):
    client = Client(token, origin)
    try:
        yield client
    finally:
        await client.close()


@pytest.fixture
async def client(telegram):
    async with connected(telegram.origin) as client:
        yield client


def refused(code, text, **more):
    return Refused(code, text, **more)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (refused(400, "Bad Request: chat not found"), Undeliverable),
        (refused(400, "Bad Request: PEER_ID_INVALID"), Undeliverable),
        (refused(400, "Bad Request: TOPIC_CLOSED"), Rejected),
        (refused(400, "Bad Request: message is too long"), Rejected),
        (refused(400, "Bad Request", migrate_to_chat_id=-1005), Migrated),
        (refused(401, "Unauthorized"), WrongToken),
        (refused(403, "Forbidden: bot was blocked by the user"), Undeliverable),
        (refused(404, "Not Found"), WrongToken),
        (refused(404, "Not Found: method not found"), NoMethod),
        (refused(409, "Conflict: terminated by other getUpdates"), Conflicted),
        (refused(413, "Request Entity Too Large"), Rejected),
        (refused(429, "Too Many Requests: retry after 7", retry_after=7), Flood),
        (refused(429, "Too Many Requests"), Flood),
        (refused(500, "Internal Server Error"), Answered),
        (refused(502, "Bad Gateway: restart"), Answered),
        (bad_gateway(), Answered),
        (garbage(), Answered),
        (garbage('{"ok":true,"result":{"message_id":5}}'), Unread),
        (garbage("[]"), Answered),
        (Drop(), Answered),
        (Drop(cut=True), Answered),
    ],
)
async def test_what_goes_wrong_is_told_in_our_words(telegram, client, fault, error):
    """Each kind once, as what somebody does about it differs."""
    telegram.fail("sendMessage", fault)
    with pytest.raises(error) as raised:
        await client.call(HELLO)
    assert type(raised.value) is error


async def test_errors_carry_what_is_needed(telegram, client):
    """How long to wait, where the group is, why it was refused."""
    telegram.fail("sendMessage", refused(429, "x", retry_after=7))
    with pytest.raises(Flood) as flood:
        await client.call(HELLO)
    telegram.fail("sendMessage", refused(400, "x", migrate_to_chat_id=-1005))
    with pytest.raises(Migrated) as migrated:
        await client.call(HELLO)
    telegram.fail("sendMessage", refused(400, "Bad Request: BUTTON_DATA_INVALID"))
    with pytest.raises(Rejected, match="refused it: Bad Request: BUTTON") as rejected:
        await client.call(HELLO)

    assert flood.value.retry_after == 7
    assert migrated.value.to_chat == -1005
    assert rejected.value.says("button_data")


async def test_nobody_listens_is_not_a_doubt(telegram, client):
    """Nothing was sent: it may be sent again without a word."""
    await telegram.go_away()
    with pytest.raises(Unreachable, match="cannot be reached"):
        await client.call(HELLO)


async def test_a_call_ends_at_its_deadline(telegram, client):
    """Telegram may have done it: nobody knows."""
    telegram.fail("sendMessage", Hang())
    with pytest.raises(TimeoutError, match="nobody knows"):
        await client.call(HELLO, 0.05)


@pytest.mark.parametrize(
    "fault",
    [
        *(refused(code, "no") for code in (400, 401, 403, 404, 409, 413, 429, 500)),
        bad_gateway(),
        garbage(),
        Drop(),
        Drop(cut=True),
        Hang(),
        None,
    ],
)
async def test_the_token_is_in_no_error_and_no_log(caplog, fault):
    """It is in every address; tracebacks and logs are given away."""
    caplog.set_level(logging.DEBUG)
    async with furnished() as telegram:
        telegram.new_bot(SECRET)
        telegram.document(b"abc")
        file = telegram.files.keep(b"abc", "a.txt", "documents")
        async with connected(telegram.origin, SECRET) as client:
            if fault is None:
                await telegram.go_away()
            else:
                telegram.fail("*", fault, times=None)
            with capture_logs() as logs:
                errors = [
                    await failure(client.call(HELLO, 0.05)),
                    await failure(client.updates(0, 0, [])),
                    await failure(all_of(client.download(file.file_id, 99))),
                ]
            telegram.heal()

    told = "".join("".join(traceback.format_exception(error)) for error in errors)
    for secret in (SECRET, SECRET.partition(":")[2]):
        assert secret not in told + repr(errors) + repr(logs) + caplog.text


async def failure(work):
    try:
        async with asyncio.timeout(0.3):
            await work
    except Exception as error:  # noqa: BLE001 -- whichever it is
        return error
    raise AssertionError("it worked")


async def test_a_broken_file_address_does_not_give_the_token_away(telegram, client):
    """aiohttp's own error has it: what is not there, and what the server fails at."""
    file = telegram.files.keep(b"abc", "a.txt", "documents")
    for fault in (refused(404, "Not Found"), refused(500, "no")):
        telegram.fail("file", fault, times=3)
        error = await failure(all_of(client.download(file.file_id, 99)))
        told = "".join(traceback.format_exception(error))
        assert TOKEN.partition(":")[2] not in told
        assert "http" not in str(error)


async def test_an_address_that_is_none_does_not_give_the_token_away():
    """aiohttp's own error names all of it."""
    async with connected("http://127.0.0.1:99999") as client:
        error = await failure(client.call(HELLO))
    assert isinstance(error, Unreachable)
    assert TOKEN.partition(":")[2] not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("token", ["", "abc", "12:", "x:AAA", "12 3:AAA"])
def test_a_token_that_is_none_is_said_to_be(token):
    """It is not repeated: it may be somebody's password."""
    with pytest.raises(WrongToken, match="no token of a bot") as raised:
        Client(token)
    told = "".join(traceback.format_exception(raised.value))
    assert len(token) < 2 or token not in told


async def test_updates_come_as_they_are(telegram, client):
    """One that nobody could read is among them, and spoils none."""
    telegram.say("one")
    telegram.raw({"message": {"text": 5, "chat": "?"}})
    telegram.raw({"unheard_of": [1]})
    telegram.say("two")

    found = await client.updates(0, 0, [])

    assert [sorted(set(one) - {"update_id"}) for one in found] == [
        ["message"],
        ["message"],
        ["unheard_of"],
        ["message"],
    ]
    assert found[1]["message"] == {"text": 5, "chat": "?"}
    assert await client.updates(found[-1]["update_id"] + 1, 0, []) == []


# -- files


async def all_of(stream):
    async with aclosing(stream):
        return b"".join([chunk async for chunk in stream])


async def test_a_file_comes_in_chunks(telegram, client):
    content = bytes(range(256)) * 1_000
    file = telegram.files.keep(content, "a.bin", "documents")

    async with aclosing(client.download(file.file_id, 300_000)) as stream:
        chunks = [chunk async for chunk in stream]

    assert b"".join(chunks) == content
    assert len(chunks) > 1


async def test_a_file_that_breaks_off_is_fetched_again(telegram, client):
    file = telegram.files.keep(b"abc", "a.bin", "documents")
    telegram.fail("file", Drop(), times=2)

    assert await all_of(client.download(file.file_id, 99)) == b"abc"


async def test_a_file_is_not_fetched_for_ever(telegram, client):
    file = telegram.files.keep(b"abc", "a.bin", "documents")
    telegram.fail("file", Drop(), times=None)

    with pytest.raises(Unreachable, match="the file could not be fetched"):
        await all_of(client.download(file.file_id, 99))
    assert len(telegram.calls("getFile")) == 3


@asynccontextmanager
async def half_files(content):
    """A server that breaks off in the middle of a file, twice, then gives it."""
    tries = []

    async def asked(_):
        size, path = len(content), "documents/a.bin"
        told = {"file_id": "F", "file_unique_id": "U", "file_size": size}
        return web.json_response({"ok": True, "result": told | {"file_path": path}})

    async def given(http):
        tries.append(http)
        if len(tries) == 3:
            return web.Response(body=content)
        response = web.StreamResponse()
        response.content_length = len(content)
        await response.prepare(http)
        await response.write(content[: len(tries) * len(content) // 3])
        http.transport.close()
        return response

    app = web.Application()
    app.router.add_route("*", "/bot{token}/getFile", asked)
    app.router.add_get("/file/bot{token}/{path:.+}", given)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_what_was_given_before_a_break_is_not_given_twice():
    """It is fetched from the beginning, and goes on where its reader is."""
    content = bytes(range(251)) * 4_000
    async with half_files(content) as origin, connected(origin) as client:
        assert await all_of(client.download("F", 2_000_000)) == content


async def test_a_large_file_is_refused_in_words(telegram, client):
    """Telegram's limit, and ours."""
    huge = telegram.files.keep(b"x", "a.bin", "documents", 21 << 20)
    with pytest.raises(Undeliverable, match="files of at most 20 MB"):
        await all_of(client.download(huge.file_id, 99 << 20))

    file = telegram.files.keep(b"x" * 2_000_001, "a.bin", "documents")
    with pytest.raises(Undeliverable, match="larger than 2 MB"):
        await all_of(client.download(file.file_id, 2_000_000))


async def test_a_file_larger_than_it_says_is_cut_short(telegram, client):
    lying = telegram.files.keep(b"x" * 100, "a.bin", "documents", 10)
    with pytest.raises(Undeliverable, match="larger than"):
        await all_of(client.download(lying.file_id, 50))


async def test_a_file_that_is_not_known_is_refused(client):
    with pytest.raises(Rejected, match="wrong file_id"):
        await all_of(client.download("nonsense", 99))


def located(path):
    told = f'{{"file_id":"F","file_unique_id":"U","file_path":"{path}"}}'
    return Answer(200, f'{{"ok":true,"result":{told}}}')


async def test_a_server_at_home_may_keep_files_here(telegram, client, tmp_path):
    """It names them in full, and has no address for them."""
    path = tmp_path / "a.bin"
    path.write_bytes(b"abc" * 40_000)
    telegram.fail("getFile", located(path))
    assert await all_of(client.download("F", 200_000)) == b"abc" * 40_000

    telegram.fail("getFile", located(tmp_path / "gone"))
    with pytest.raises(Undeliverable, match="cannot be read here: No such file"):
        await all_of(client.download("F", 200_000))


async def test_nobody_names_files_of_ours_for_the_official_server(telegram, tmp_path):
    """Only a server of one's own may."""
    path = tmp_path / "a.bin"
    path.write_bytes(b"mine")
    async with connected(telegram.origin) as client:
        client._is_official = True
        telegram.fail("getFile", located(path), times=None)
        with pytest.raises(Rejected, match="not there"):
            await all_of(client.download("F", 99))
    official = Client(TOKEN, f"{OFFICIAL}/")
    assert official._is_official
    await official.close()


# -- connections


async def test_new_connections_leave_what_is_under_way(telegram, client):
    """A message that is being sent is not put in doubt because polling went deaf."""
    telegram.fail("sendMessage", Hang())
    sending = asyncio.ensure_future(client.call(HELLO))
    await telegram.until(lambda: telegram.calls("sendMessage"))

    await client.rebuild()
    assert (await client.call(GetMe())).id == client.bot_id
    telegram.heal()

    assert (await sending).text == "hello"


async def test_a_deaf_connection_is_left_for_a_new_one(telegram, client):
    telegram.fail("getUpdates", HalfClose())
    deaf = asyncio.ensure_future(client.updates(0, 30, []))
    await telegram.until(lambda: telegram.polls)
    deaf.cancel()
    await client.rebuild()
    telegram.say("hello")

    assert len(await client.updates(0, 5, [])) == 1
    telegram.heal()
