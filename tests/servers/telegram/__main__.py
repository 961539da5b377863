"""`python -m tests.servers.telegram --port-file F` serves until its stdin closes."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from tests.servers.telegram.control import ControlledServer


async def _serve(port_file: Path | None) -> None:
    async with ControlledServer() as server:
        if port_file is not None:
            fresh = port_file.with_suffix(".new")
            ports = [it.rpartition(":")[2] for it in (server.origin, server.control)]
            fresh.write_text("\n".join(ports) + "\n")
            fresh.rename(port_file)
        print(server.origin, server.control, flush=True)  # noqa: T201 -- it is how the parent learns
        closed = asyncio.Event()
        loop = asyncio.get_running_loop()
        # Whoever started us holds the other end: when they die, we end.
        loop.add_reader(sys.stdin, _heard, closed)
        await closed.wait()
        loop.remove_reader(sys.stdin)


def _heard(closed: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        closed.set()


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port-file", type=Path)
    asyncio.run(_serve(parser.parse_args().port_file))


if __name__ == "__main__":
    _main()
