"""`apx chat` and `apx exec`: the terminal as a place to talk."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from apx.cli.start import prepared, waited

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apx.desk.talk import Talker, Words

ThreadName = Annotated[
    str, typer.Option("--thread", help="Which conversation; any name begins a new one.")
]

_INTERRUPTED: Final = 130


def chat(thread: ThreadName = "main") -> None:
    """Talk; what is piped in is answered line by line."""
    home, config = prepared()
    from apx.domain.thread import Thread  # noqa: PLC0415 -- `apx --help` needs none of it

    place = Thread.parse(thread)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from apx.cli.conversation import converse  # noqa: PLC0415 -- a pipe needs no screen

        waited(converse(home, config, place))
        return
    from apx.desk.talk import Talker, Words  # noqa: PLC0415 -- for `apx --help`
    from channels.terminal.lines import messages  # noqa: PLC0415 -- the same

    talk = Talker(home, config, place, "apx chat")
    _leave(waited(_said(talk, map(Words.new, messages(sys.stdin)))))


def execute(
    text: str,
    thread: ThreadName = "main",
    model: Annotated[
        str, typer.Option("--model", help="provider:model for this turn only.")
    ] = "",
) -> None:
    """Ask one thing; the answer is on stdout, the exit code tells how it went."""
    from apx.desk.talk import Talker, Words  # noqa: PLC0415 -- for `apx --help`
    from apx.domain.thread import Thread  # noqa: PLC0415 -- the same

    home, config = prepared()
    talk = Talker(home, config, Thread.parse(thread), "apx exec")
    states = waited(_said(talk, [Words.new(text, model)]))
    _leave(states)


async def _said(talk: Talker, every: Iterable[Words]) -> set[str]:
    """Say one thing after the other; give the states that the turns ended in."""
    from channels.terminal.lines import Lines  # noqa: PLC0415 -- for `apx --help`

    lines = Lines()
    states = set()
    async with talk:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, talk.stop)
        for words in every:
            answer = await talk.say(words, lines)
            if answer.turn == 0:
                lines.say(answer.text)
            states.add(answer.state)
            if answer.state == "stopped":
                break
    return states


def _leave(states: set[str]) -> None:
    if "stopped" in states:
        raise typer.Exit(_INTERRUPTED)
    if states - {"completed"}:
        raise typer.Exit(1)
