"""Every socket of apx, on one page: implement one of these to extend it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from apx.domain.attachment import Attachment
    from apx.domain.heard import Button, Caller, Heard, Notice, Press
    from apx.domain.message import Delta, Message, Options
    from apx.domain.person import Account
    from apx.domain.recall import Findings, Query
    from apx.domain.thread import Thread
    from apx.domain.tool import Scene, ToolOutcome, ToolSpec
    from apx.domain.turn import Part

    Vectors = NDArray[np.float32]

Clock = Callable[[], datetime]
# Takes the ids of the messages of a part that are with its person by now.
Sent = Callable[[str], Awaitable[None]]


class ChatModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """`provider:model`, as config.json writes it."""
        ...

    @property
    def window(self) -> int:
        """How many tokens prompt and reply may have together."""
        ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> AsyncGenerator[Delta, None]:
        """Answer a prompt piece by piece, or raise a `ProviderError`.

        A whole answer ends with a `Finish`; a stream that ends without one raises.
        """
        ...


class Embedder(Protocol):
    """Something that turns text into vectors, so that like texts lie close.

    Every vector has length 1. Vectors of two identities are never compared.
    """

    @property
    def identity(self) -> str:
        """`provider:model@dims`, and `+preparation` where texts are prepared."""
        ...

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        ...

    async def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be found, one row each, or raise a `ProviderError`.

        `TextsRefused` says that fewer of them may do; all vectors or none are given.
        """
        ...

    async def query(self, text: str) -> Vectors:
        """Embed a text to find others with; may be cancelled at a deadline."""
        ...


class Source(Protocol):
    """Something that the broker may ask for memories."""

    @property
    def name(self) -> str:
        """How logs and `apx memory why` call it."""
        ...

    async def fetch(self, query: Query) -> Findings:
        """Find memories for a query; may be cancelled at the deadline."""
        ...


class Transcriber(Protocol):
    """Something that writes down what is said in a recording."""

    @property
    def name(self) -> str:
        """`provider:model`, for people."""
        ...

    async def transcribe(
        self, path: Path, name: str, media_type: str, language: str
    ) -> str:
        """Write down what is said, or raise a `ProviderError`."""
        ...


class Tool(Protocol):
    """Something that a model may do."""

    @property
    def spec(self) -> ToolSpec:
        """What the model is told of it."""
        ...

    async def run(self, arguments: str, scene: Scene) -> ToolOutcome:
        """Do it; `arguments` is the model's JSON, wrong ones are an outcome too."""
        ...


class LiveReply(Protocol):
    """A reply that a person watches while it grows."""

    def show(self, text: str) -> None:
        """Append text to what is shown."""
        ...

    def work(self, tools: Sequence[str]) -> None:
        """Say which tools are at work, by name."""
        ...

    def notice(self, text: str) -> None:
        """Say what a person who waits should know."""
        ...

    def ask(self, question: str, number: str) -> None:
        """Ask the turn's person yes or no; the answer comes through the door."""
        ...

    def close(self, *, is_stopped: bool = False) -> None:
        """Say no more that it is at work; of what `is_stopped` no part comes."""
        ...


class Door(Protocol):
    """All that a channel may ask; it says only what the platform told it.

    The door finds out who that is. Whoever is not let in is not heard.
    """

    async def hear(self, heard: Heard) -> str | None:
        """Take a message; once this returns, it is never lost.

        Gives what is to be answered at once; all else comes through `deliver`.
        """
        ...

    async def press(self, press: Press) -> str | None:
        """Take a button, or raise `InputError`: it stays for who may press it."""
        ...

    async def buttons(self, heard: Heard) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a chat command."""
        ...

    async def admits(self, caller: Caller) -> bool:
        """Whether somebody may, for whatever else a platform brings."""
        ...

    async def gone(self, thread: Thread, external_id: str, at: datetime) -> None:
        """Take note that a message was deleted: its turn ends or never begins."""
        ...


class Drawer(Protocol):
    """Values of a channel's own that outlive the process; nothing people said."""

    async def get(self, key: str) -> str:
        """Read a value; empty if there is none."""
        ...

    async def find(self, prefix: str) -> dict[str, str]:
        """Read all values whose key begins so."""
        ...

    async def put(self, key: str, value: str) -> None:
        """Write a value down; once this returns it is on the disk."""
        ...

    def put_soon(self, key: str, value: str) -> None:
        """Have a value written without waiting; a crash may lose it."""
        ...

    async def drop(self, key: str) -> None:
        """Forget a value."""
        ...


class Channel(Protocol):
    """A chat platform."""

    @property
    def name(self) -> str:
        """The first half of each of its threads, such as `telegram`."""
        ...

    @property
    def lifetime(self) -> float | None:
        """After how many seconds an undelivered part is given up; none for never."""
        ...

    @property
    def problems(self) -> Mapping[str, str]:
        """What people should know is wrong, by the bot or part that has it."""
        ...

    async def run(self, door: Door) -> None:
        """Hear messages until cancelled; owns the connection."""
        ...

    def reaches(self, thread: Thread) -> bool:
        """Whether a part could be sent to this thread now."""
        ...

    async def deliver(self, part: Part, note: Sent) -> str:
        """Send a part and give the platform's id of it, or raise `ChannelError`.

        One that takes several messages is taken up again where `part.message_id`
        ends: `note` is awaited with all ids so far after each but the last.
        `Undeliverable` says that it is in vain, `TimeoutError` that nobody knows.
        """
        ...

    def fetch(self, thread: Thread, file: Attachment) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment, or raise `ChannelError` with words."""
        ...

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked, or raise `ChannelError`; it may be lost."""
        ...

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as the platform says now."""
        ...

    def live(self, thread: Thread, turn: int, answers: str) -> LiveReply:
        """Open what the person watches while a turn runs; `answers` as in `Part`."""
        ...
