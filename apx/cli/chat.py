"""`apx chat` and `apx exec`: the terminal as a place to talk."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from apx.cli.start import prepared, waited
from apx.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.desk.talk import Talker, Words
    from channels.terminal.lines import Lines

ThreadName = Annotated[
    str, typer.Option("--thread", help="Which conversation; any name begins a new one.")
]

_INTERRUPTED: Final = 130
_MISTAKEN: Final = 2


def chat(thread: ThreadName = "main") -> None:
    """Talk; what is piped in is answered line by line."""
    home, config = prepared()
    from apx.domain.thread import Thread  # noqa: PLC0415 -- `apx --help` needs none of it

    place = Thread.named(thread)
    # A terminal that cannot move its cursor is read and written line by line.
    is_screen = sys.stdin.isatty() and sys.stdout.isatty()
    if is_screen and os.environ.get("TERM", "dumb") != "dumb":
        from apx.cli.conversation import converse  # noqa: PLC0415 -- a pipe needs no screen

        waited(converse(home, config, place))
        return
    from apx.desk.talk import Talker  # noqa: PLC0415 -- for `apx --help`

    _leave(waited(_piped(Talker(home, config, place, "apx chat"))))


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
    talk = Talker(home, config, Thread.named(thread), "apx exec")
    _leave(waited(_asked(talk, Words.new(text, model))))


async def _piped(talk: Talker) -> set[str]:
    """Say line after line; give the states that the turns ended in."""
    from apx.desk.talk import Words  # noqa: PLC0415 -- for `apx --help`
    from channels.terminal.lines import QUIT, Lines, Piped  # noqa: PLC0415 -- the same

    lines, piped = Lines(aside=sys.stdout), Piped()
    states = set()
    async with talk:
        _on_signal(talk.stop, piped.end)
        async for text in piped:
            if text.strip() in QUIT:
                break
            try:
                states.add(await _said(talk, Words.new(text), lines))
            except InputError as error:
                # One slip must not cost the lines after it.
                print(f"apx: {error}", file=sys.stderr)
                states.add("refused")
            if "stopped" in states:
                break
    return states | {"stopped"} if piped.was_left else states


async def _asked(talk: Talker, words: Words) -> set[str]:
    """Say one thing; give the state that its turn ended in."""
    from channels.terminal.lines import Lines  # noqa: PLC0415 -- for `apx --help`

    async with talk:
        _on_signal(talk.stop)
        return {await _said(talk, words, Lines())}


async def _said(talk: Talker, words: Words, lines: Lines) -> str:
    answer = await talk.say(words, lines)
    lines.end(answer.turn, answer.state)
    if answer.turn == 0 and answer.text:
        lines.say(answer.text)
    return answer.state


def _on_signal(*acts: Callable[[], object]) -> None:
    """Act where the person wants an end, by Ctrl-C or by closing the terminal."""

    def end() -> None:
        for act in acts:
            act()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, end)


def _leave(states: set[str]) -> None:
    if "stopped" in states:
        raise typer.Exit(_INTERRUPTED)
    if "refused" in states:
        raise typer.Exit(_MISTAKEN)
    if states - {"completed"}:
        raise typer.Exit(1)
