"""A home in front of a model server, and the commands in processes of their own."""

from __future__ import annotations

import asyncio
import json
import re
import select
import socket
import sqlite3
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any, Final

from tests.cli.conftest import Command
from tests.servers import Call, GeminiServer, OllamaServer, OpenAIServer

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from tests.servers import ModelServer, Request
    from tests.servers.brain import Piece

KINDS: Final = ("ollama", "openai", "gemini")
KEY: Final = "sk-nobodys-4f81c2d9"
ASK: Final = "please remember that the staging server moved to 10.0.1.5"
QUESTION: Final = "what is the staging server?"

SERVERS: Final[dict[str, type[OllamaServer | OpenAIServer | GeminiServer]]] = {
    "ollama": OllamaServer,
    "openai": OpenAIServer,
    "gemini": GeminiServer,
}

# Longer than any healthy answer, shorter than a test may take.
_PATIENCE: Final = 40.0
# Bound, so that no other server gets these ports; not listening, so nobody is there.
_TAKEN: Final[list[socket.socket]] = []
_QUOTED: Final = re.compile(r"• (\[[\d-]+\]\[\w+\] [^\n]*10\.0\.1\.5)")


class Story:
    """What a person does and what the server gets to see of it."""

    def __init__(self, apx: Command, kind: str, server: ModelServer) -> None:
        self.apx = apx
        self.kind = kind
        self.server = server
        self.engines = {kind: engine(kind, server.base_url)}
        self.configure()

    def configure(self, **super_agent: Any) -> None:
        """Write config.json; without words, the server's model answers."""
        agent = {"model": f"{self.kind}:tiny", **super_agent}
        config = {"super_agent": agent, "engines": self.engines}
        self.apx.config(json.dumps(config))

    async def __call__(self, *words: str, stdin: str = "", code: int = 0) -> str:
        """Run a command to its end while the server answers; give its output."""
        said: str = await asyncio.to_thread(self.apx, *words, stdin=stdin, code=code)
        return said

    async def fails(self, text: str) -> str:
        """Ask one thing that no model answers; give the complaint, all of it."""
        assert await self("exec", text, code=1) == ""
        complaint: str = self.apx.err
        return complaint

    async def daemon(self) -> subprocess.Popen[bytes]:
        """Start `apx run`."""
        return await asyncio.to_thread(self.apx.daemon)

    def states(self, thread: str = "terminal:main") -> list[str]:
        """Give the states of a thread's turns, the oldest first."""
        query = "select state from turn where thread = ? order by id"
        return [row[0] for row in rows(self.apx.home, query, thread)]


@asynccontextmanager
async def told(apx: Command, kind: str) -> AsyncIterator[Story]:
    """Start the server of a kind, and write the config that leads to it."""
    async with SERVERS[kind]() as server:
        yield Story(apx, kind, server)


def everywhere(scene: Callable[[Story], Awaitable[None]]) -> Callable[..., Any]:
    """Make a test of a scene: it is played in front of all providers at once."""

    async def test(tmp_path: Path) -> None:
        async with asyncio.TaskGroup() as group:
            for kind in KINDS:
                group.create_task(_played(scene, kind, tmp_path / kind))

    test.__name__, test.__doc__ = scene.__name__, scene.__doc__
    return test


async def _played(
    scene: Callable[[Story], Awaitable[None]], kind: str, home: Path
) -> None:
    apx = Command(home)
    try:
        async with told(apx, kind) as story:
            await scene(story)
    except BaseException as error:
        error.add_note(f"in front of {kind}")
        raise
    finally:
        apx.end()


def engine(kind: str, base_url: str) -> dict[str, str]:
    """Give the section of config.json for a server."""
    key = {} if kind == "ollama" else {"api_key": KEY}
    return {"base_url": base_url, **key}


def nobody() -> str:
    """Give an address where nobody listens, nor anybody else comes to."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    _TAKEN.append(taken)
    return f"http://127.0.0.1:{taken.getsockname()[1]}"


async def ended(process: subprocess.Popen[bytes], seconds: float = 20) -> int:
    """Wait for a process; give its exit code."""
    return await asyncio.to_thread(process.wait, seconds)


async def output(process: subprocess.Popen[bytes]) -> str:
    """Give all that a process says on stdout until its end."""
    out, err = await asyncio.to_thread(process.communicate, None, 30)
    assert b"Traceback" not in err, err.decode()
    said: str = out.decode()
    return said


def type_line(process: subprocess.Popen[bytes], text: str) -> None:
    """Type a line into a pipe."""
    assert process.stdin is not None
    process.stdin.write(f"{text}\n".encode())
    process.stdin.flush()


async def line(process: subprocess.Popen[bytes]) -> str:
    """Read the next line of a process; nothing if none comes."""
    return await asyncio.to_thread(_line, process)


def _line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
    return process.stdout.readline().decode().rstrip("\n") if ready else ""


def rows(home: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Read the ledger from outside."""
    with closing(sqlite3.connect(home / "ledger.db")) as connection:
        return connection.execute(query, values).fetchall()


async def attentive(request: Request) -> AsyncIterator[Piece]:
    """Keep what is to be kept; answer a question with the memory that is shown."""
    if request.last.role == "tool":
        for piece in ("It is ", "kept: ", request.last.text):
            yield piece
    elif request.last.text.endswith("?"):
        found = quoted(request)
        for piece in ("You told ", "me: ", found[-1] if found else "nothing"):
            yield piece
    else:
        yield Call("remember", {"text": "the staging server moved to 10.0.1.5"})


def quoted(request: Request) -> list[str]:
    """Give the lines of memory blocks in a request that hold the address."""
    return [found for said in request.messages for found in _QUOTED.findall(said.text)]


def everything_in(home: Path) -> bytes:
    """Give the bytes of all files of a home, but config.json."""
    return b"".join(
        path.read_bytes()
        for path in sorted(home.iterdir())
        if path.is_file() and path.name != "config.json"
    )
