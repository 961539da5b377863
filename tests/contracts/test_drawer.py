"""What every drawer does, ours and the double."""

from __future__ import annotations

import pytest

from apx.store.drawers import ChannelDrawer
from apx.testing import MemoryDrawer


@pytest.fixture(params=["ledger", "memory"])
def drawer(request, database):
    if request.param == "ledger":
        return ChannelDrawer(database, "telegram")
    return MemoryDrawer()


async def test_prefixes_find_and_what_is_dropped_is_gone(drawer):
    """A number that begins like another one is another one."""
    for key in ("seen/7/1", "seen/7/2", "seen/77/1", "seen/8"):
        await drawer.put(key, f"is {key}")
    await drawer.put("seen/7/2", "new")
    await drawer.drop("seen/7/1")
    drawer.put_soon("soon", "x")

    assert await drawer.find("seen/7/") == {"seen/7/2": "new"}
    assert await drawer.get("seen/77/1") == "is seen/77/1"
    assert await drawer.get("never") == ""


async def test_a_drawer_is_a_channels_own(database):
    """Nobody else sees what is in it."""
    await ChannelDrawer(database, "telegram").put("a", "x")

    assert await ChannelDrawer(database, "discord").find("") == {}
