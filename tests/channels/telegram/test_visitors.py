"""Whoever connects to a webhook and says nothing keeps nobody out."""

import asyncio
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

from channels.telegram.visitors import Visitors

LONG = 3600.0


@asynccontextmanager
async def open_to_all(most, patience):
    """Serve; whoever sends a request is known."""

    async def answer(request):
        visitors.known(request.protocol)
        return web.Response(text=str(request.transport.get_extra_info("peername")))

    visitors = Visitors(answer, most, patience)
    runner = web.ServerRunner(visitors, shutdown_timeout=0.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield runner.addresses[0]
    finally:
        await runner.cleanup()


async def _begun(address):
    """Connect, and begin a request that never ends."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(b"POST /x HTTP/1.1\r\nHost: a\r\n")
    await writer.drain()
    return reader, writer


async def _is_over(reader):
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


async def test_of_too_many_strangers_the_first_is_hung_up_on():
    """There is always room for one who has something to say."""
    async with open_to_all(3, LONG) as address:
        opened = [await _begun(address) for _ in range(12)]
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{address[1]}/x"
            async with session.post(url) as answer:
                assert "127.0.0.1" in await answer.text()
        over = [await _is_over(reader) for reader, _ in opened[:10]]
        assert over == [True] * 10
        assert not any(reader.at_eof() for reader, _ in opened[10:])
        for _, writer in opened:
            writer.close()


async def test_whoever_says_nothing_is_hung_up_on():
    """Whoever is known may be silent for as long as they like."""
    async with open_to_all(3, 0.1) as address:
        url = f"http://127.0.0.1:{address[1]}/x"
        one = aiohttp.TCPConnector(limit=1)
        async with aiohttp.ClientSession(connector=one) as session:
            async with session.post(url) as answer:
                here = await answer.text()
            reader, writer = await _begun(address)
            assert await _is_over(reader)
            writer.close()
            async with session.post(url) as answer:
                assert await answer.text() == here
