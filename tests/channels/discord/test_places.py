"""Which threads of its own a bot knows: the newest, however many there were."""

import pytest

from apx.testing import MemoryDrawer
from channels.discord.places import Own, Places, State


def kept(drawer):
    return sorted(int(key.removeprefix("own/main/")) for key in drawer.values)


async def test_the_newest_threads_of_our_own_are_known(monkeypatch):
    """Numbers of another length are older or newer, too; the rest goes by and by."""
    monkeypatch.setattr("channels.discord.places._OWNS", 10)
    drawer = MemoryDrawer()
    drawer.values = {f"own/main/{n}": f"5 7 {State.MADE}" for n in range(104, 89, -1)}
    places = Places("main", drawer)
    await places.load()

    assert list(places.owns) == list(range(95, 105))
    assert places.owns[104] == Own(5, 7, State.MADE)
    assert kept(drawer) == list(range(90, 105))
    await places.tidy()
    assert kept(drawer) == list(range(95, 105))

    await places.keep_own(105, Own(5, 7))
    assert places.own(95) is None
    assert kept(drawer) == list(places.owns) == list(range(96, 106))
    await places.became(95, State.FLAT)
    assert kept(drawer) == list(places.owns)


async def test_what_cannot_be_dropped_is_dropped_the_next_time(monkeypatch):
    """The disk may fail in the middle of it."""
    monkeypatch.setattr("channels.discord.places._OWNS", 2)
    drawer = MemoryDrawer()
    drawer.values = {f"own/main/{n}": "5 7 made" for n in range(1, 6)}
    places = Places("main", drawer)
    await places.load()

    async def spoilt(key):
        raise OSError(key)

    with monkeypatch.context() as now:
        now.setattr(drawer, "drop", spoilt)
        with pytest.raises(OSError, match="own/main/3"):
            await places.tidy()
    await places.tidy()
    assert kept(drawer) == [4, 5]
