"""Whoever leaves a bucket lets in the next."""

import asyncio

from channels.discord.vendor_buckets import Bucket


async def test_a_turn_that_comes_too_late_is_given_on():
    """It came in the very moment in which its owner left."""
    bucket = Bucket(60.0)
    await bucket.acquire()
    first, second = (asyncio.create_task(bucket.acquire()) for _ in range(2))
    await asyncio.sleep(0)
    await bucket.__aexit__(None, None, None)
    first.cancel()

    await asyncio.wait_for(second, 1.0)
