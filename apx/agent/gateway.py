"""The one door through which channels reach the agent; it keeps threads in order."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import structlog

from apx.agent.awaiting import Awaiting
from apx.agent.endings import broken
from apx.agent.run import Run
from apx.domain.errors import InputError
from apx.domain.text import clean
from apx.domain.thread import Thread
from apx.domain.usage import Purpose, spending
from apx.store.gathered import Held

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from apx.agent.commands import Commands
    from apx.agent.delivery import Delivery
    from apx.agent.gathering import Gathering
    from apx.agent.loop import Agent
    from apx.agent.recovery import Recovery
    from apx.agent.shortening import Shortening
    from apx.domain.ending import Ending
    from apx.domain.turn import Inbound, Turn
    from apx.ports import Channel, Clock, LiveReply
    from apx.store.ledger import Ledger

log = structlog.get_logger(__name__)

# How long running turns may take to end when apx is told to.
DRAIN: Final = 10.0
# A thread in which something could not be written goes on after so many seconds.
AGAIN: Final = 5.0


class Gateway:
    """One worker a thread that has something to do; threads run side by side.

    `runs` are the turns that run now, by thread.
    """

    def __init__(  # noqa: PLR0913 -- where the rooms of the agent meet
        self,
        *,
        ledger: Ledger,
        agent: Agent,
        recovery: Recovery,
        delivery: Delivery,
        commands: Commands,
        shortening: Shortening,
        gathering: Gathering,
        channels: Mapping[str, Channel],
        clock: Clock,
        again: float = AGAIN,
    ) -> None:
        self._ledger = ledger
        self._agent = agent
        self._recovery = recovery
        self._delivery = delivery
        self._commands = commands
        self._shortening = shortening
        self._gathering = gathering
        gathering.wake = self.wake
        self._channels = channels
        self._clock = clock
        self._again = again
        self._group = asyncio.TaskGroup()
        self._workers: dict[Thread, asyncio.Task[None]] = {}
        self._wanted: set[Thread] = set()
        self.runs: dict[Thread, Run] = {}
        self._unended: dict[Thread, tuple[Turn, Ending]] = {}
        self._awaiting = Awaiting(ledger)
        self._is_open = False

    @asynccontextmanager
    async def open(
        self, drain: Callable[[], float] = lambda: DRAIN
    ) -> AsyncIterator[None]:
        """Work until the block ends; then running turns have `drain` seconds to end.

        What a dead process left is taken care of first.
        """
        await self._recovery.recover()
        failure: Exception | None = None
        async with self._group:
            self._is_open = True
            for thread in list(self._wanted):
                self.wake(thread)
            try:
                yield
            except Exception as error:  # noqa: BLE001 -- the caller's, bare, not in a group
                failure = error
            finally:
                await self._close(drain())
        if failure is not None:
            raise failure

    async def hear(self, heard: Inbound) -> str | None:
        """Take a message, or answer a chat command at once.

        Once this returns, the message is in the ledger. Raises `InputError` for an
        empty one, and `Conflict` for an external id that meant another text.
        """
        heard = replace(heard, text=clean(heard.text).strip())
        if not heard.text and not heard.quoted and not heard.files:
            raise InputError("the message is empty")
        if heard.thread.channel not in self._channels:
            raise InputError(
                f"{heard.thread}: no channel {heard.thread.channel!r} here"
            )
        if (answer := await self.order(heard)) is not None:
            return answer
        await self._ledger.accept(heard)
        if heard.is_held:
            self._gathering.take(Held.of(heard))
            return None
        await self.join(heard.thread)
        self.wake(heard.thread)
        return None

    async def join(self, thread: Thread) -> None:
        """Have the turn that runs take what waits, oldest first: a paste has an order.

        What was said after a picture that is still to come may be about it, and waits.
        What is repeated is answered alone.
        """
        run = self.runs.get(thread)
        if run is None or not run.is_open or run.turn.retry_of:
            return
        for waiting in await self._ledger.ready(thread):
            if run.join(waiting):
                await self._ledger.join(run.turn, waiting)
        for correction in await self._ledger.corrections(run.turn):
            if run.join(correction):
                await self._ledger.join_correction(run.turn, correction)

    async def order(self, heard: Inbound) -> str | None:
        """Do a chat command and give its answer; nothing for any other text."""
        run = self.runs.get(heard.thread)
        with spending(Purpose.CHAT, heard.person):
            answer = await self._commands.answer(heard, run)
        if answer is not None:
            self.wake(heard.thread)
        return answer

    def wake(self, thread: Thread) -> None:
        """See to what waits in a thread, now or after what runs there."""
        self._wanted.add(thread)
        if self._is_open and thread not in self._workers:
            task = self._group.create_task(self._work(thread), name=str(thread))
            self._workers[thread] = task

    async def resume(self) -> None:
        """Take up what waits in the threads of every channel that is here."""
        for name in await self._ledger.waiting():
            thread = Thread.parse(name)
            if thread.channel in self._channels:
                self.wake(thread)

    async def settled(self, thread: Thread, key: str) -> Turn | None:
        """Wait for the end of a request's turn; none if it never began.

        Raises `ApxError` if nothing goes on in its thread, such as on a full disk.
        """
        return await self._awaiting.settled(thread, key)

    async def stop(self, thread: Thread, key: str) -> None:
        """Stop a request's command or turn, or have it never begin; no other turn."""
        turn, run = await self._ledger.turn_of(key), self.runs.get(thread)
        if turn and run and run.turn.id == turn.id:
            run.stop()
            return
        self._commands.stop(thread)
        if await self._ledger.withdraw(thread, key, self._clock()):
            await self._awaiting.tell(thread)

    async def _work(self, thread: Thread) -> None:
        try:
            while thread in self._wanted and self._is_open:
                self._wanted.discard(thread)
                await self._end_unended(thread)
                await self._delivery.deliver(thread)
                while turn := await self._next(thread):
                    with self._shortening.beside(thread):
                        await self._turn(turn)
        except Exception as error:  # noqa: BLE001 -- one thread's must not end the others
            await self._awaiting.stopped(thread, error)
            asyncio.get_running_loop().call_later(self._again, self.wake, thread)
        finally:
            del self._workers[thread]

    async def _next(self, thread: Thread) -> Turn | None:
        if not self._is_open:
            return None
        return await self._ledger.begin(thread, self._clock())

    async def _turn(self, turn: Turn) -> None:
        run = self.runs[turn.thread] = Run(turn)
        try:
            await self.join(turn.thread)
            ending = await self._answer(run)
            run.end()
        except asyncio.CancelledError:
            await self._recovery.interrupt(turn)
            raise
        finally:
            del self.runs[turn.thread]
        self._unended[turn.thread] = (turn, ending)
        await self._end_unended(turn.thread)
        await self._delivery.deliver(turn.thread)

    async def _answer(self, run: Run) -> Ending:
        live: LiveReply | None = None
        try:
            live = await self._live(run.turn)
            with spending(Purpose.CHAT, run.turn.person):
                return await self._agent.answer(run, live)
        except Exception as error:
            log.exception("turn_failed", turn=run.turn.id)
            return broken(error)
        finally:
            if live is not None:
                live.close()

    async def _live(self, turn: Turn) -> LiveReply:
        channel = self._channels[turn.thread.channel]
        return channel.live(turn.thread, turn.id, await self._ledger.answers(turn))

    async def _end_unended(self, thread: Thread) -> None:
        """Write the ending down; it is kept until that succeeds."""
        if thread in self._unended:
            turn, ending = self._unended[thread]
            await self._ledger.end(turn, ending, self._clock())
            del self._unended[thread]
            await self._awaiting.tell(thread)

    async def _close(self, drain: float) -> None:
        self._is_open = False
        workers = list(self._workers.values())
        if workers:
            await asyncio.wait(workers, timeout=drain)
        for worker in workers:
            worker.cancel()
