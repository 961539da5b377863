"""In a channel one thing is done after the other; channels wait for nobody."""

import asyncio

from channels.discord.lanes import Lanes


async def test_each_channel_keeps_its_order_and_waits_for_no_other():
    """What is slow in one holds up that one alone."""
    done, gate = [], asyncio.Event()

    def job(name, *, slow=False):
        async def work():
            if slow:
                await gate.wait()
            done.append(name)

        return work

    async with asyncio.TaskGroup() as group:
        lanes = Lanes(group)
        lanes.put(1, job("a", slow=True))
        lanes.put(1, job("b"))
        lanes.put(2, job("c"))
        await asyncio.sleep(0)
        lanes.ahead(1, job("first of what waits"))
        await asyncio.sleep(0)
        assert done == ["c"]
        gate.set()
        await lanes.done()

    assert done == ["c", "a", "first of what waits", "b"]
    assert lanes._waiting == {}


async def test_a_channel_has_room_for_so_much_alone():
    """What is to be done before or after all the rest always has some."""
    done = []

    async def work():
        done.append(1)

    async with asyncio.TaskGroup() as group:
        lanes = Lanes(group, 2)
        assert [lanes.put(1, work) for _ in range(3)] == [True, True, False]
        lanes.ahead(1, work)
        lanes.after(1, work)
        assert lanes.put(2, work)
        await lanes.done()

    assert len(done) == 5


async def test_a_channel_goes_on_with_what_its_own_work_brings():
    """Also at the very end of what there was to do."""
    done = []

    async with asyncio.TaskGroup() as group:
        lanes = Lanes(group)

        async def more():
            done.append("more")

        async def work():
            done.append("work")
            lanes.put(1, more)

        lanes.put(1, work)
        await lanes.done()

    assert done == ["work", "more"]
