"""A home in front of a loopback platform, its lives one after the other."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from apx.domain.delimiters import Mark
from apx.domain.person import Account
from apx.domain.quoted import Provenance
from apx.store.codes import Codes, Wanted
from apx.store.database import Database
from apx.store.schema import LEDGER
from tests.servers import OpenAIServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from tests.servers.brain import Piece, Request

ROOT: Final = Path(__file__).parents[2]
REPEAT: Final = "(may be a repeat)"
WORD: Final = re.compile(r"zq\d+x")
# What a correction repeats of what was answered already.
_BEFORE: Final = re.compile(r'\(I changed what I wrote before, ".*?", to:')
# A reply of three messages: each of its lines is somewhere, once.
LINES: Final = 180


class Lives:
    """Makes processes of the house, one at a time; none of them outlives it."""

    def __init__(self, module: str) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = 0

    async def begin(self, **told: Any) -> None:
        """Have somebody born."""
        assert not self.pid, "one life at a time"
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(told, default=str) + "\n")
        self._server.stdin.flush()
        self.pid = int(await self._line())

    async def ended(self) -> int:
        """Wait for the end of a life; gives its exit code, or the signal below zero."""
        code = int(await self._line())
        self.pid = 0
        return code

    async def kill(self) -> None:
        """End a life as a power cut does."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        code = await self.ended()
        assert code == -signal.SIGKILL, f"it had ended by itself: {code}"

    async def leave(self) -> None:
        """End a life in peace."""
        os.kill(self.pid, signal.SIGTERM)
        assert await self.ended() == 0

    def close(self) -> None:
        """Make no more of them; what lives dies."""
        for end in (self._server.stdin, self._server.stdout):
            assert end is not None
            end.close()
        self._server.wait(30)

    async def _line(self) -> str:
        assert self._server.stdout is not None
        async with asyncio.timeout(45):
            return await asyncio.to_thread(self._server.stdout.readline)


class Mind:
    """Answers with the words that it was told; each of `holds` is waited at once.

    Of a held word it says the beginning and then nothing, until whoever asked is gone
    or it is freed; asked again, it answers. It is in `holds` until it was asked:
    who frees it before that has freed nothing. Of other people's words it answers those
    that were forwarded, not what is overheard or quoted.
    """

    def __init__(self) -> None:
        self.holds: set[str] = set()
        self.is_long = False
        self.code = ""
        self._go_on = asyncio.Event()

    def free(self) -> None:
        """Go on with all that is held now."""
        self._go_on.set()
        self._go_on = asyncio.Event()

    async def __call__(self, request: Request) -> AsyncIterator[Piece]:
        own, *blocks = _BEFORE.sub("", request.last.text).split(Mark.DATA.opening)
        sent_on = [one for one in blocks if one.startswith(f" {Provenance.FORWARDED}")]
        words = WORD.findall("\n".join([own, *sent_on]))
        yield "Half of "
        if self.holds.intersection(words):
            self.holds.difference_update(words)
            await self._go_on.wait()
        yield f"the answer to {' and '.join(words) or 'nothing'}.\n"
        if self.is_long:
            for number in range(LINES):
                yield f"\nline {number:03} of the answer is one of some length, too.\n"
        if self.code:
            yield f"\n```python\n{self.code}\n```\n"


class Scene:
    """A home, its model, and what its ledger says of how a play went."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.mind = Mind()
        self.model = OpenAIServer(self.mind)

    def write(self, channels: dict[str, Any], **memory: Any) -> None:
        """Write config.json; nobody waits for the minute that ours have."""
        engine = {"base_url": self.model.base_url, "api_key": "sk-nobodys"}
        config = {
            "super_agent": {"model": "openai:tiny"},
            "engines": {"openai": {**engine, "num_ctx": 64_000}},
            "memory": {
                "enabled": False,
                "index_interval_s": 1,
                "embeddings": {"provider": "tf"},
                **memory,
            },
            "channels": channels,
        }
        (self.home / "config.json").write_text(json.dumps(config))

    @property
    def left(self) -> list[str]:
        """Say what in the ledger still waits for something."""
        asked = {
            "requests": "select key from request where turn is null and unwanted = 0",
            "turns": "select id from turn where state = 'running'",
            "asides": "select key, value from drawer where key like 'aside/%'",
            "parts": "select id from outbox where state not in ('sent', 'expired')",
        }
        with closing(sqlite3.connect(self.home / "ledger.db")) as ledger:
            found = {
                name: ledger.execute(sql).fetchall() for name, sql in asked.items()
            }
        return [f"{name}: {rows}" for name, rows in found.items() if rows]

    def traces(self, word: str) -> list[tuple[object, ...]]:
        """Say what the ledger has of a message, for whoever looks for it."""
        asked = (
            "select key, turn, held, unwanted from request where text like ?1",
            "select id, state, retry_of, partial from turn where request like ?1",
            "select o.id, o.state, o.error from outbox o join turn t on t.id = o.turn"
            " where t.request like ?1",
        )
        with closing(sqlite3.connect(self.home / "ledger.db")) as ledger:
            return [row for sql in asked for row in ledger.execute(sql, (f"%{word}%",))]

    def is_told(self, word: str) -> bool:
        """Whether a message was interrupted twice, and its person knows."""
        twice = (
            "select 1 from turn t join outbox o on o.turn = t.id where t.request like ?"
            " and t.state = 'interrupted' and t.retry_of is not null"
            " and o.state = 'sent'"
        )
        with closing(sqlite3.connect(self.home / "ledger.db")) as ledger:
            return bool(ledger.execute(twice, (f"%{word}%",)).fetchall())

    async def idle(self) -> None:
        """Wait until nothing is left to do, as far as the ledger says."""
        async with asyncio.timeout(45):
            while self.left:  # noqa: ASYNC110 -- another process writes there
                await asyncio.sleep(0.02)

    async def accepted(self, text: str) -> None:
        """Wait until a message is in the ledger."""
        async with asyncio.timeout(45):
            while not self.traces(text):  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.02)

    async def withdrawn(self, text: str) -> None:
        """Wait until nothing is to come of a message."""
        async with asyncio.timeout(45):
            while not any(row[3:] == (1,) for row in self.traces(text)):  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.02)

    def said(self, words: str) -> int:
        """Count how often lives said something of themselves."""
        found = self.home / "stderr"
        return found.read_text().count(words) if found.exists() else 0

    async def says(self, words: str, more_than: int = 0, seconds: float = 45) -> None:
        """Wait until a life said something of itself."""
        async with asyncio.timeout(seconds):
            while self.said(words) <= more_than:  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.02)


def counted(word: str, texts: Iterable[str]) -> tuple[int, int]:
    """Count the messages that hold a word: without a mark, and with."""
    found = [text for text in texts if word in text]
    marked = sum(REPEAT in text for text in found)
    return len(found) - marked, marked


def became(once: int, repeats: int, *, is_told: bool) -> str:
    """Say how a message ended that was answered so often."""
    if once > 1:
        return "doubled"
    if once:
        return "once and repeats" if repeats else "once"
    if repeats:
        return "a repeat" if repeats == 1 else "repeats"
    return "told" if is_told else "lost"


def numbers(texts: Iterable[str]) -> list[int]:
    """Give the numbers of the lines of a long answer, as they are seen."""
    return [int(number) for number in re.findall(r"line (\d{3})", "\n".join(texts))]


def unexplained(texts: Iterable[str]) -> list[str]:
    """Give what the bot said that answers nothing and explains nothing."""
    return [
        text
        for text in texts
        if not (WORD.search(text) or "/retry" in text or "ask again" in text)
    ]


async def paired(home: Path, channel: str, *accounts: int) -> None:
    """Have accounts be the owner's, as codes do."""
    at = datetime.now(UTC)
    async with Database.open(home / "ledger.db", LEDGER) as database:
        codes = Codes(database)
        for account in accounts:
            code = await codes.issue(at, Wanted())
            await codes.redeem(Account(channel, "main", str(account)), code, "", at)
