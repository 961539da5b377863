"""What all weeks have: what was asked and what is to become of it, day after day."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from tests.stories.scene import rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Command
    from tests.crash.staging import Scene
    from tests.servers.brain import Request
    from tests.servers.happening import Happening

# A network that is gone is looked for often here, so that an hour takes a second.
HASTY: Final = {"first": 0.01, "longest": 0.05}


@dataclass(frozen=True)
class Asked:
    """A message and where it was said; `fate` is what is to become of it."""

    word: str
    chat: int
    topic: int | None
    fate: str = "once"


class Week(ABC):
    """The home, its processes, and all that was asked so far; `chat` is usual."""

    def __init__(self, apx: Command, scene: Scene, server: Happening) -> None:
        self.apx = apx
        self.mind = scene.mind
        self.asked: list[Asked] = []
        self._scene = scene
        self._server = server
        self._words = count(1)
        self._process: Any = None

    @property
    @abstractmethod
    def chat(self) -> int:
        """The chat in which most is said."""

    @abstractmethod
    def seen(self, one: Asked) -> tuple[int, int]:
        """Count the answers to a message: without a mark, and with."""

    def word(self, chat: int = 0, topic: int | None = None, fate: str = "once") -> str:
        """Make a word that nothing else has, for a message that is to be answered."""
        word = f"zq{next(self._words)}x"
        self.asked.append(Asked(word, chat or self.chat, topic, fate))
        return word

    async def begin(self) -> None:
        """Start `apx run`."""
        self._process = await asyncio.to_thread(self.apx.daemon)

    async def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        await asyncio.to_thread(self._process.communicate)

    async def end(self) -> None:
        """End it as a service manager does."""
        self._process.terminate()
        _, said = await asyncio.to_thread(self._process.communicate)
        assert self._process.returncode == 0, said.decode()
        assert b"Traceback" not in said, said.decode()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something that people see."""
        await self._server.until(holds, 60)

    async def answered(self) -> None:
        """Wait until all is answered that is to be."""
        open_ = [one for one in self.asked if one.fate == "once"]
        try:
            await self.until(lambda: all(any(self.seen(one)) for one in open_))
        except TimeoutError as error:
            waits = [one for one in open_ if not any(self.seen(one))]
            error.add_note(f"without an answer: {waits}; {self._scene.left}")
            raise

    def requests(self, word: str) -> list[Request]:
        """Give what the model was asked with a word in it."""
        return [one for one in self._scene.model.requests if word in one.last.text]

    async def written(self, state: str, many: int = 1) -> None:
        """Wait until so many replies are in a state, as the ledger says."""
        sql = "select id from outbox where state = ?"
        try:
            # A slow machine may have used up the minute of a group.
            async with asyncio.timeout(90):
                while len(rows(self.apx.home, sql, state)) < many:  # noqa: ASYNC110 -- another process writes there
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            error.add_note(f"not {many} are {state}: {self._scene.left}")
            raise

    def counts(self) -> Counter[str]:
        """Count what became of all messages."""
        return Counter(self.became(one) for one in self.asked)

    def became(self, one: Asked) -> str:
        """Say what became of a message, in a word."""
        once, repeats = self.seen(one)
        if once + repeats == 0:
            return "lost" if one.fate == "once" else one.fate
        if one.fate != "once":
            return "answered against all wishes"
        return "doubled" if once > 1 else "once and repeated" if repeats else "once"


def moved(clock: Path, hours: float) -> None:
    """Have the time be so much later for whoever looks at this clock."""
    fresh = clock.with_suffix(".new")
    fresh.write_text(str(hours))
    fresh.rename(clock)
