"""The life of an SDK's client."""

from __future__ import annotations

import asyncio

from apx.providers.client import LazyClient


def lazy() -> tuple[LazyClient[object], list[object]]:
    closed: list[object] = []

    async def close(client: object) -> None:
        closed.append(client)

    return LazyClient("json", object, close), closed


async def test_one_client_serves_a_loop_until_it_is_closed():
    """Its connections are reused; after the end there may be a new beginning."""
    client, closed = lazy()
    await client.load()
    first = client.get()

    assert client.get() is first
    await client.aclose()
    await client.aclose()
    assert closed == [first]
    assert client.get() is not first


def test_each_loop_has_its_own_client():
    """Sockets belong to their loop; a command may run one loop after another."""
    client, closed = lazy()

    async def get() -> object:
        return client.get()

    first, second = asyncio.run(get()), asyncio.run(get())

    assert first is not second
    asyncio.run(client.aclose())
    assert closed == []
