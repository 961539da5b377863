"""`apx chat` with a person in front of it."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from prompt_toolkit.patch_stdout import patch_stdout

from apx.desk.talk import Talker, Words
from apx.domain.errors import ApxError
from channels.terminal.screen import Screen, session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from prompt_toolkit import PromptSession

    from apx.config import Config
    from apx.domain.thread import Thread

_HINT: Final = (
    "Enter sends, Alt-Enter begins a line, Ctrl-C stops, Ctrl-D leaves, /help"
)


async def converse(home: Path, config: Config, thread: Thread) -> None:
    """Prompt, answer, prompt, until Ctrl-D."""
    screen = Screen()
    prompt = session(home / "history")
    async with Talker(home, config, thread, "apx chat") as talk:
        screen.say(f"{thread} · {await talk.model()} · {_HINT}")
        while (text := await _prompted(prompt, talk, screen)) is not None:
            if text.strip():
                await _answered(talk, text, screen)


async def _prompted(
    prompt: PromptSession[str], talk: Talker, screen: Screen
) -> str | None:
    """Read a message; what arrives meanwhile is shown above the prompt."""
    async with _aside(talk, screen):
        while True:
            try:
                with patch_stdout(raw=True):
                    return await prompt.prompt_async("> ")
            except KeyboardInterrupt:
                continue
            except EOFError:
                return None


@asynccontextmanager
async def _aside(talk: Talker, screen: Screen) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        listening = group.create_task(talk.overhear(screen))
        yield
        listening.cancel()


async def _answered(talk: Talker, text: str, screen: Screen) -> None:
    """Show the answer; Ctrl-C stops it."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, talk.stop)
    try:
        answer = await talk.say(Words.new(text), screen)
        if answer.turn == 0 or answer.state == "stopped":
            screen.say(answer.text or "Stopped.")
    except ApxError as error:
        screen.say(f"⚠ {error}")
    finally:
        screen.settle()
        loop.remove_signal_handler(signal.SIGINT)
