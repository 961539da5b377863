"""Owns the process around a command: its streams, and Ctrl-C while it cannot act."""

from __future__ import annotations

import io
import os
import signal
import sys

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO


def main() -> int:
    """Run the command, without a word from Python itself before or after it."""
    handler = signal.getsignal(signal.SIGINT)
    _end_at_once()
    _mend_streams()
    # What other agents read has nothing to say beside its answer.
    is_quiet = sys.argv[1:2] == ["mem"]
    run = _mem() if is_quiet else _apx()
    signal.signal(signal.SIGINT, handler)
    out, failed = sys.stdout, None
    try:
        code = run()
    except OSError as error:
        code, failed = 1, error
    if (lost := _lost(out)) is not None:
        if not (is_quiet or isinstance(lost, BrokenPipeError)):
            said = f"apx: the output could not be written: {lost.strerror}\n"
            sys.stderr.write(said)
        code = code or 1
    elif failed is not None and not (is_quiet or isinstance(failed, BrokenPipeError)):
        raise failed
    _end_at_once()
    if is_quiet:
        # All is written; taking the interpreter apart would cost a tenth of a list.
        os._exit(code)
    return code


def _mem() -> Callable[[], int]:
    """Give the curated memories' command, which does without all of the others."""
    from apx.cli.mem import main as mem  # noqa: PLC0415 -- only one of the two is run

    return lambda: mem(sys.argv[2:])


def _apx() -> Callable[[], int]:
    # Recall multiplies small matrices; more threads only wait for each other. This is
    # read when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from apx.cli.app import main as run  # noqa: PLC0415 -- this is what takes the time

    return run


def _end_at_once() -> None:
    """Let Ctrl-C end the process; Python's way is an exception, wherever it stands."""
    # Behind `nohup` or `&` it may be ignored, and stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _mend_streams() -> None:
    """Open what was closed, and let print whatever the terminal cannot show."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _opened(number))
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout.buffer, io.RawIOBase):
        # Without a buffer, nobody could tell at the end that something was lost.
        sys.stdout = os.fdopen(
            1, "w", 1, sys.stdout.encoding, "backslashreplace", closefd=False
        )


def _opened(number: int) -> io.TextIOWrapper:
    """Put something at the number, or the next file that is opened would be there.

    The input is empty. Output fails, as it does for a shell's own commands; what is
    said on stderr goes nowhere.
    """
    handle = os.open(os.devnull, os.O_WRONLY if number > 1 else os.O_RDONLY)
    if handle != number:
        os.dup2(handle, number)
        os.close(handle)
    return os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)


def _lost(out: TextIO) -> OSError | None:
    """Write what waits; say why it cannot be written."""
    try:
        out.flush()
    except OSError as error:
        # Else Python would try again at its end, and complain for itself.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        return error
    return None
