"""Every socket of apx, on one page: implement one of these to extend it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apx.domain.heard import Caller, Heard, Notice, Press
    from apx.domain.message import Delta, Message, Options
    from apx.domain.person import Account
    from apx.domain.recall import Findings, Query
    from apx.domain.thread import Thread
    from apx.domain.tool import Scene, ToolOutcome, ToolSpec
    from apx.domain.turn import Part

    Vectors = NDArray[np.float32]

Clock = Callable[[], datetime]


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


class Door(Protocol):
    """All that a channel may ask of the assistant.

    It finds out who somebody is, whether they may, and what they may see; a channel
    says only what the platform told it. Whoever is not let in is not heard.
    """

    async def hear(self, heard: Heard) -> str | None:
        """Take a message; once this returns, it is never lost.

        Gives what is to be answered at once: the answer of a chat command, a line to
        a stranger. The reply to anything else comes through the channel's `deliver`.
        """
        ...

    async def press(self, press: Press) -> str | None:
        """Take a button; gives what is to be answered at once."""
        ...

    async def admits(self, caller: Caller) -> bool:
        """Whether somebody may, for whatever else a platform brings."""
        ...


class Channel(Protocol):
    """A chat platform."""

    @property
    def name(self) -> str:
        """The first half of each of its threads, such as `telegram`."""
        ...

    async def run(self, door: Door) -> None:
        """Hear messages until cancelled; owns the connection."""
        ...

    def reaches(self, thread: Thread) -> bool:
        """Whether a part could be sent to this thread now."""
        ...

    async def deliver(self, part: Part) -> str:
        """Send a part and give the platform's id of it, or raise `ChannelError`."""
        ...

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked, or raise `ChannelError`; it may be lost."""
        ...

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as the platform says now."""
        ...

    def live(self, thread: Thread, turn: int) -> LiveReply:
        """Open what the person watches while a turn runs."""
        ...
