"""`python -m tests.servers.discord --port-file F` serves until its stdin closes.

The file gets the ports of Discord and of its control. With `--port` Discord is where
it was before.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from tests.servers.discord.control import Control
from tests.servers.discord.furnished import furnish
from tests.servers.discord.server import DiscordServer


async def _serve(asked: argparse.Namespace) -> None:
    server = DiscordServer()
    server.port = asked.port
    async with server, Control(server) as control:
        if asked.furnished:
            furnish(server)
        origins = [server.origin, control.origin]
        if asked.port_file is not None:
            fresh = asked.port_file.with_suffix(".new")
            fresh.write_text("".join(f"{it.rpartition(':')[2]}\n" for it in origins))
            fresh.rename(asked.port_file)
        print(*origins, flush=True)  # noqa: T201 -- it is how the parent learns
        closed = asyncio.Event()
        # Whoever started us holds the other end: when they die, we end.
        asyncio.get_running_loop().add_reader(sys.stdin, _heard, closed)
        await closed.wait()
        asyncio.get_running_loop().remove_reader(sys.stdin)


def _heard(closed: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        closed.set()


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--port-file", type=Path)
    parser.add_argument("--furnished", action="store_true")
    asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    _main()
