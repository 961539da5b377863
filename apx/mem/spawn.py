"""A program run to its end, within a deadline; the module of that name costs more."""

from __future__ import annotations

import os
import select
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_PIECE: Final = 1 << 16
# How often it is looked whether the program ended although its outputs are still open:
# what it left running in the background may hold them.
_LOOK: Final = 0.1
# How long a program may take to clean up when it is told to end.
_GRACE: Final = 2.0


class Late(Exception):
    """The program was ended because its time was over."""


class Call:
    """What to run: its words, its environment, what it reads, how long it may take.

    `holds` is a descriptor that it inherits, such as that of a lock; -1 is none.
    """

    __slots__ = ("environ", "given", "holds", "seconds", "words")

    def __init__(
        self,
        words: tuple[str, ...],
        environ: dict[str, str],
        given: bytes = b"",
        seconds: float = 60,
        holds: int = -1,
    ) -> None:
        self.words = words
        self.environ = environ
        self.given = given
        self.seconds = seconds
        self.holds = holds


def run(call: Call) -> tuple[int, bytes, bytes]:
    """Give a program's exit code (negative: the signal), and its two outputs."""
    deadline = time.monotonic() + call.seconds
    child, (feed, out, err) = _started(call)
    pump = _Pump(child, (feed, out, err), call.given)
    try:
        pump.until(deadline)
        child.wait(deadline)
        return child.code(), pump.said(out), pump.said(err)
    except BaseException:
        # Not left behind: neither at the deadline, nor when a person pressed Ctrl-C.
        child.end()
        raise
    finally:
        pump.close()


class _Child:
    """A program that was started, the leader of a group of its own."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._status = -1

    def is_over(self) -> bool:
        if self._status < 0:
            ended, status = os.waitpid(self._number, os.WNOHANG)
            self._status = status if ended else -1
        return self._status >= 0

    def wait(self, deadline: float) -> None:
        """Wait for one whose outputs are closed, which is over as a rule."""
        pause = 0.0002
        while not self.is_over():
            if time.monotonic() > deadline:
                raise Late
            time.sleep(pause)
            pause = min(pause * 2, 0.02)

    def code(self) -> int:
        return os.waitstatus_to_exitcode(self._status)

    def end(self) -> None:
        """End it with all that it started; what it locked, it may still unlock."""
        if self._status >= 0:
            return
        try:
            os.killpg(self._number, signal.SIGTERM)
            self.wait(time.monotonic() + _GRACE)
        except (Late, OSError):
            pass
        try:  # noqa: SIM105 -- contextlib takes too long to load
            os.killpg(self._number, signal.SIGKILL)
        except OSError:
            # Nothing of it is there any more, which is what was wanted.
            pass
        if self._status < 0:
            os.waitpid(self._number, 0)


def _started(call: Call) -> tuple[_Child, tuple[int, int, int]]:
    """Start it in a group of its own, so that nothing of it is left at the end."""
    inner, feed = os.pipe()
    out, told = os.pipe()
    err, complained = os.pipe()
    # Descriptors of ours are not inherited, but for these copies. A pipe may have the
    # number of a standard one that somebody closed: then it is the first.
    actions = [
        (os.POSIX_SPAWN_DUP2, inner, 0),
        (os.POSIX_SPAWN_DUP2, told, 1),
        (os.POSIX_SPAWN_DUP2, complained, 2),
    ]
    if call.holds >= 0:
        free = max(complained, call.holds) + 1
        actions.insert(0, (os.POSIX_SPAWN_DUP2, call.holds, free))
    try:
        number = os.posix_spawn(
            call.words[0],
            call.words,
            call.environ,
            file_actions=actions,
            setpgroup=0,
            # Python ignores it; a program is to end when nobody reads it any more.
            setsigdef=(signal.SIGPIPE,),
        )
    except BaseException:
        for handle in (feed, out, err):
            os.close(handle)
        raise
    finally:
        for handle in (inner, told, complained):
            os.close(handle)
    return _Child(number), (feed, out, err)


class _Pump:
    """Brings a program what it reads, takes what it says."""

    def __init__(self, child: _Child, ends: tuple[int, int, int], given: bytes) -> None:
        feed, out, err = ends
        self._child = child
        self._feed = feed
        self._given = memoryview(given)
        self._said: dict[int, list[bytes]] = {out: [], err: []}
        self._open = set(ends)
        self._poll = select.poll()
        for handle in self._open:
            os.set_blocking(handle, False)
            wanted = select.POLLOUT if handle == feed else select.POLLIN
            self._poll.register(handle, wanted)
        if not given:
            self._drop(feed)

    def until(self, deadline: float) -> None:
        """Go on until both outputs are closed, or the program is no more."""
        while self._open - {self._feed}:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late
            ready = self._poll.poll(min(left, _LOOK) * 1000)
            for handle, _ in ready:
                self._moved(handle)
            if not ready and self._child.is_over():
                return

    def said(self, handle: int) -> bytes:
        return b"".join(self._said[handle])

    def close(self) -> None:
        for handle in list(self._open):
            self._drop(handle)

    def _moved(self, handle: int) -> None:
        try:
            if handle == self._feed:
                self._given = self._given[os.write(handle, self._given[:_PIECE]) :]
                is_done = not self._given
            else:
                piece = os.read(handle, _PIECE)
                self._said[handle].append(piece)
                is_done = not piece
        except BlockingIOError:
            return
        except BrokenPipeError:
            is_done = True
        if is_done:
            self._drop(handle)

    def _drop(self, handle: int) -> None:
        self._poll.unregister(handle)
        self._open.discard(handle)
        os.close(handle)
