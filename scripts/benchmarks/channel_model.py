"""A model behind HTTP that costs nothing: `WORDS PAUSE` says how long it speaks."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from tests.servers.openai import OpenAIServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.brain import Request


async def main(words: int, pause: float) -> None:
    """Serve until killed."""

    async def brain(_request: Request) -> AsyncIterator[str]:
        for number in range(words):
            await asyncio.sleep(pause)
            yield f"word{number} "

    async with OpenAIServer(brain) as server:
        print(server.base_url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
