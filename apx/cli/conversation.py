"""`apx chat` with a person in front of it."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from apx.desk.open import open_desk
from apx.desk.talk import Talker, Words
from apx.domain.errors import ApxError
from channels.terminal.lines import QUIT
from channels.terminal.prompt import Prompt
from channels.terminal.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from apx.config import Config
    from apx.domain.thread import Thread

_KEYS: Final = (
    "Enter sends, Alt-Enter begins a line, Ctrl-C stops, Ctrl-D leaves, /help"
)
_HINT: Final = "Ctrl-D or /quit leaves, /help lists the commands"
_LATER: Final = "What is not answered yet is answered for your next `apx chat` here."


async def converse(home: Path, config: Config, thread: Thread) -> None:
    """Take what is typed and show what is answered, until Ctrl-D."""
    async with Talker(home, config, thread, "apx chat") as talk:
        prompt = Prompt(home / "history")
        chat = _Chat(talk, prompt)
        greeting = f"{thread} · {await talk.model()} · {_KEYS}"
        if unanswered := await chat.run(greeting):
            await _offer(home, config, thread, unanswered)
            with suppress(OSError):  # the terminal may be closed
                chat.screen.settle()
                chat.screen.say(_LATER)


async def _offer(
    home: Path, config: Config, thread: Thread, words: list[Words]
) -> None:
    """Hand in what nobody waits for; what was taken before stays as it is."""
    async with open_desk(home, config, "apx chat") as desk:
        for said in words:
            if _takes_long(said.text):
                continue  # whoever leaves does not wait for that
            await desk.call("hear", thread=str(thread), text=said.text, id=said.id)


def _takes_long(text: str) -> bool:
    """Whether a text is a command that asks a model."""
    command, _, rest = text.lower().partition(" ")
    return command == "/compact" and rest.strip() != "undo"


def _leave_when_told(leave: Callable[[], None]) -> None:
    """Leave in good order too when the terminal is closed.

    For the rest of the process: the kernel and the shell both say so, and the second
    time what was typed may still have to be handed in.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, leave)


class _Chat:
    """One message is answered after the other; commands need not wait."""

    def __init__(self, talk: Talker, prompt: Prompt) -> None:
        self.screen = Screen(prompt=prompt)
        self._talk = talk
        self._prompt = prompt
        self._typed: asyncio.Queue[Words] = asyncio.Queue()
        self._waiting: deque[Words] = deque()
        self._come = asyncio.Event()
        self._said: Words | None = None
        self._answered = 0

    async def run(self, greeting: str) -> list[Words]:
        """Talk until the person leaves; give what has no answer yet."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._listen(greeting)),
                group.create_task(self._answer()),
            ]
            _leave_when_told(self._prompt.leave)
            await self._prompt.run(self)
            for task in tasks:
                task.cancel()
        unanswered = [self._said] if self._said else []
        unanswered += self._waiting
        while not self._typed.empty():
            unanswered.append(self._typed.get_nowait())
        return unanswered

    def live(self, width: int, height: int) -> list[str]:
        """Give what stands above the prompt."""
        return self.screen.live(width, height)

    def take(self, text: str) -> None:
        """Take what was typed: a message, a command, or the wish to leave."""
        words = Words.new(text.strip())
        if words.text in QUIT:
            self._prompt.leave()
        elif words.text == "/stop" and self._said is not None:
            self.screen.echo(words.text)
            self._talk.stop()
        else:
            self._typed.put_nowait(words)

    def interrupt(self) -> None:
        """Stop the answer that is being written."""
        if self._said is None:
            self.screen.hint(_HINT)
        else:
            self.screen.hint("stopping …")
            self._talk.stop()

    async def _listen(self, greeting: str) -> None:
        # Above the prompt: before that is there, the terminal echoes what is typed.
        self.screen.say(greeting)
        while True:
            words = await self._typed.get()
            is_busy = self._said is not None or bool(self._waiting)
            if is_busy and await self._is_ordered(words):
                continue
            self._waiting.append(words)
            self._show_waiting()
            self._come.set()
            if is_busy:
                await self._hand_in(words)

    async def _hand_in(self, words: Words) -> None:
        """Have a message kept, and join what is being answered if it still can."""
        with suppress(ApxError):  # it is said again when its turn has come
            await self._talk.offer(words)

    async def _is_ordered(self, words: Words) -> bool:
        """Answer a command although something else is being answered."""
        try:
            answer = await self._talk.order(words)
        except ApxError as error:
            answer = f"⚠ {error}"
        if answer is None:
            return False
        self.screen.echo(words.text)
        self.screen.say(answer)
        return True

    async def _answer(self) -> None:
        while True:
            if not self._waiting:
                await self._overheard()
            self._said = words = self._waiting.popleft()
            self._show_waiting()
            self.screen.echo(words.text)
            await self._say(words)
            self.screen.settle()
            self._said = None

    async def _overheard(self) -> None:
        """Show what arrives until there is something to say."""
        self._come.clear()
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self._talk.overhear(self.screen))
            await self._come.wait()
            listening.cancel()

    async def _say(self, words: Words) -> None:
        if _takes_long(words.text):
            self.screen.hint("condensing; Ctrl-C stops it …")
        try:
            answer = await self._talk.say(words, self.screen)
        except ApxError as error:
            self.screen.settle()
            self.screen.say(f"⚠ {error}")
            return
        if answer.turn == 0 or answer.state == "stopped":
            self.screen.settle()
            unasked = "Stopped before it was asked: say it again if you want it."
            self.screen.say(answer.text or ("Stopped." if answer.turn else unasked))
        elif answer.turn == self._answered:
            self.screen.say("(answered above)")
        self._answered = answer.turn

    def _show_waiting(self) -> None:
        self.screen.waits([words.text for words in self._waiting])
