"""Doubles of what talks to people: a channel, and a reply that somebody watches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.domain.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from apx.domain.attachment import Attachment
    from apx.domain.heard import Notice
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Door, Sent


@dataclass
class RecordingLive:
    """A live reply that keeps what it was told."""

    shown: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    worked: list[str] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    is_closed: bool = False
    is_stopped: bool = False

    def show(self, text: str) -> None:
        """Keep text."""
        self.shown.append(text)
        self.began.set()

    def work(self, tools: Sequence[str]) -> None:
        """Keep the names of tools."""
        self.worked.extend(tools)

    def notice(self, text: str) -> None:
        """Keep a notice."""
        self.notices.append(text)

    def ask(self, question: str, number: str) -> None:
        """Keep a question with its number."""
        self.asked.append((question, number))

    def close(self, *, is_stopped: bool = False) -> None:
        """Keep that it was closed, and how."""
        self.is_closed = True
        self.is_stopped = self.is_stopped or is_stopped


class MemoryChannel:
    """A channel whose other side is a list; it can be out of reach."""

    def __init__(self, name: str = "terminal") -> None:
        self.name = name
        self.sent: list[Part] = []
        self.lives: list[RecordingLive] = []
        self.told: list[tuple[Thread, Notice]] = []
        self.members: dict[Thread, set[Account]] = {}
        self.is_there = True
        self.failures: list[Exception] = []
        self.files: dict[str, bytes | Exception] = {}
        self.lifetime: float | None = None
        self.problems: dict[str, str] = {}

    async def run(self, door: Door) -> None:
        """Hear nothing by itself."""
        del door
        await asyncio.Event().wait()

    def reaches(self, thread: Thread) -> bool:
        """Whether it is there."""
        del thread
        return self.is_there

    async def fetch(
        self, thread: Thread, file: Attachment
    ) -> AsyncGenerator[bytes, None]:
        """Give what `files` has for its `ref`, or raise that."""
        del thread
        found = self.files[file.ref]
        if isinstance(found, Exception):
            raise found
        yield found

    async def deliver(self, part: Part, note: Sent) -> str:
        """Keep a part, or fail as told."""
        del note
        if self.failures:
            raise self.failures.pop(0)
        if not self.is_there:
            raise Unreachable("out of reach")
        self.sent.append(part)
        return f"m{len(self.sent)}"

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Keep a notice."""
        self.told.append((thread, notice))

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether `members` has an account, or fail as told."""
        if self.failures:
            raise self.failures.pop(0)
        return account in self.members.get(thread, ())

    def live(self, thread: Thread, turn: int, answers: str) -> RecordingLive:
        """Open a live reply."""
        del thread, turn, answers
        self.lives.append(RecordingLive())
        return self.lives[-1]


class MemoryDrawer:
    """A drawer that lives as long as the test; each of `failures` spoils one `put`."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.failures: list[Exception] = []

    async def get(self, key: str) -> str:
        """Read a value; empty if there is none."""
        return self.values.get(key, "")

    async def find(self, prefix: str) -> dict[str, str]:
        """Read all values whose key begins so."""
        return {key: one for key, one in self.values.items() if key.startswith(prefix)}

    async def put(self, key: str, value: str) -> None:
        """Keep a value, or fail as told."""
        if self.failures:
            raise self.failures.pop(0)
        self.values[key] = value

    def put_soon(self, key: str, value: str) -> None:
        """Keep a value."""
        self.values[key] = value

    async def drop(self, key: str) -> None:
        """Forget a value."""
        self.values.pop(key, None)
