"""The command `apx mem`: from its words to its answer, in a blink."""

from __future__ import annotations

import os
import sys

from apx.cli.mem import shown
from apx.cli.mem.table import COMMANDS, HOME
from apx.cli.mem.words import END, parsed
from apx.domain.errors import ApxError
from apx.mem.faults import MemFault, wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.cli.mem.shown import Told

# Those that an agent may call by itself.
_HOOKED: Final = ("list", "search", "sync")


def main(argv: Sequence[str]) -> int:
    """Run what was typed behind `apx mem`; 0 is well, 1 is a failure, 2 a mistake.

    All of the answer is on stdout, also what went wrong.
    """
    # Whatever the person's umask is: what they remember is nobody else's business.
    os.umask(0o077)
    try:
        told = _told(argv)
    except KeyboardInterrupt:
        return 130
    if sys.stdout.encoding.lower() != "utf-8" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(shown.text(told, _form(argv)))
    return told.code


def _told(argv: Sequence[str]) -> Told:
    try:
        return _run(argv)
    except MemFault as fault:
        told = shown.failure(fault)
    except ApxError as error:
        told = shown.failure(MemFault(type(error).__name__.lower(), str(error)))
    except Exception as error:  # noqa: BLE001 -- stdout is for answers; this is one
        told = shown.failure(_internal(error))
    if _is_hook(argv):
        # An agent takes a failed hook for a reason to stop its person.
        return shown.Told({}, is_quiet=True)
    return told


def _run(argv: Sequence[str]) -> Told:
    front, words = _front(list(argv))
    command = HOME
    if words and words[0] != END:
        name = words.pop(0)
        if name not in COMMANDS:
            raise _unknown(name)
        command = COMMANDS[name]
    given = parsed(command, [*front, *words])
    if given.has("--help"):
        from apx.cli.mem.guide import explained  # noqa: PLC0415 -- few ask

        return explained(command)
    room, _, name = command.room.partition(":")
    module = __import__(f"apx.cli.mem.{room}", fromlist=(name,))
    told: Told = getattr(module, name)(given)
    return told


def _front(words: list[str]) -> tuple[list[str], list[str]]:
    """Part the flags that stand before the command."""
    front: list[str] = []
    while words and words[0].startswith("-") and words[0] != END:
        word = words.pop(0)
        front.append(word)
        if word == "--format" and words:
            front.append(words.pop(0))
    return front, words


def _form(argv: Sequence[str]) -> str:
    """Say how the answer is to be written, also that the words are wrong."""
    form, before = "toon", ""
    for word in _flags(argv):
        name, _, value = word.partition("=")
        given = word if before == "--format" else value if name == "--format" else ""
        form = "json" if word == "--json" else given if given in shown.FORMATS else form
        before = word
    return form


def _is_hook(argv: Sequence[str]) -> bool:
    return argv[0] in _HOOKED and "--hook" in _flags(argv) if argv else False


def _flags(argv: Sequence[str]) -> list[str]:
    words = list(argv)
    return words[: words.index(END)] if END in words else words


def _unknown(name: str) -> MemFault:
    from apx.cli.mem.words import nearest  # noqa: PLC0415 -- only a mistake needs it

    meant = nearest(name, list(COMMANDS))
    hints = [f"apx mem {meant}"] if meant else []
    return wrong(f"no command is called {name!r}", *hints, "apx mem help")


def _internal(error: Exception) -> MemFault:
    """Say where it broke, and nothing of what a person wrote."""
    ours, place, trace = f"{os.sep}apx{os.sep}", "", error.__traceback__
    while trace is not None:
        _, found, file = trace.tb_frame.f_code.co_filename.rpartition(ours)
        place = f" at {file}:{trace.tb_lineno}" if found else place
        trace = trace.tb_next
    said = f"a fault in apx: {type(error).__name__}{place}"
    return MemFault("internal", said, "apx mem doctor", "report the line above")
