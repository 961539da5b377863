"""A home with one bot, at a loopback server with people in it."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.thread import Thread
from scripts.benchmarks import channel_processes as processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.benchmarks.channel_processes import Platform
    from tests.servers.telegram.remote import Remote

_FIRST: Final = 1_001


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    people: int
    each: int
    alone: int
    idle: float
    turns: int
    embeddings: str
    after: float = 4.0

    @property
    def numbers(self) -> range:
        """Who they are."""
        return range(_FIRST, _FIRST + self.people)


@dataclass(frozen=True, slots=True)
class Place:
    """A server, its people's private chats, and a home whose bot they may talk to."""

    platform: Platform
    remote: Remote
    home: Path
    chats: Sequence[int]

    @contextmanager
    def daemon(self, *options: str) -> Iterator[int]:
        """Run the house until the end of the block, from when it hears; its process."""
        began = time.monotonic()
        with self.platform.daemon(self.home, *options) as pid:
            processes.hearing(self.remote, began)
            yield pid

    def thread(self, chat: int) -> Thread:
        """Give how the house calls a chat."""
        return Thread(self.platform.name, f"main:{chat}")


@contextmanager
def place(platform: Platform, scale: Scale, model: str = "") -> Iterator[Place]:
    """Open a server and a home; `model` is the address of one that speaks slowly."""
    with tempfile.TemporaryDirectory() as directory, platform.world() as remote:
        home = Path(directory) / "apx"
        chats = remote.invite(list(scale.numbers))
        chosen = ("openai:tiny" if model else "offline", scale.embeddings)
        told = platform.settings(remote.origin, scale.numbers, chosen)
        if model:
            told["engines"] = {"openai": {"api_key": "x", "base_url": model}}
        processes.settle(home, told)
        yield Place(platform, remote, home, chats)
