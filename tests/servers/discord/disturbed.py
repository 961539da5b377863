"""What may go wrong at the gateway, as tests want it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.servers.discord.world import World

if TYPE_CHECKING:
    from tests.servers.discord.line import Line
    from tests.servers.discord.sessions import Session

RECONNECT, INVALID = 7, 9


@dataclass(repr=False, eq=False)
class Disturbed(World):
    """Open sockets; `interval` is how often a bot has to say that it lives.

    `slack` is what a busy machine may be late. `space` is how many seconds have to lie
    between two fresh sessions of a bot.
    """

    interval: float = 41.25
    space: float = 0.0
    slack: float = 1.0
    lines: list[Line] = field(default_factory=list)
    resumes: int = 0
    heartbeats: int = 0
    _refusals: list[int] = field(default_factory=list)
    _greetings: list[str] = field(default_factory=list)
    _acks: bool = True

    async def drop(self, code: int = 1001) -> None:
        """Close all sockets with a code; 0 cuts them off without one."""
        for line in list(self.lines):
            if code:
                await line.hang_up(code)
            else:
                line.cut()

    async def reconnect(self) -> None:
        """Ask all bots to come anew."""
        for line in self.lines:
            await line.send(RECONNECT)

    async def invalidate(self, *, resumable: bool = False) -> None:
        """End all sessions, or say that they may be taken up once more."""
        for line in list(self.lines):
            if line.session is not None and not resumable:
                self.forget(line.session)
            await line.send(INVALID, resumable)

    def refuse_resumes(self, times: int, code: int = 0) -> None:
        """Let sessions not be taken up again; with a code the socket is closed."""
        self._refusals += [code] * times

    def forget_sessions(self) -> None:
        """Let all sessions be lost, as when the gateway was started anew."""
        for bot in self.bots.values():
            bot.sessions.clear()

    def greet(self, how: str, times: int = 1) -> None:
        """Meet the next sockets with `nothing`, `silence` after HELLO, or `502`."""
        if how not in {"nothing", "silence", "502"}:
            raise ValueError(how)
        self._greetings += [how] * times

    def deafen(self, *, deaf: bool = True) -> None:
        """Let open sockets say nothing any more, as behind a cut cable."""
        for line in self.lines:
            line.deaf = deaf

    def acknowledge(self, *, acks: bool) -> None:
        """Answer heartbeats or do not."""
        self._acks = acks
        for line in self.lines:
            line.acks = acks

    def raw(self, kind: str, data: Any, bot: int = 0) -> None:
        """Send an event of any form, also one that no real gateway sends."""
        for session in self.bot(bot).sessions:
            session.push(kind, data)
        self.bump()

    async def raw_text(self, text: str) -> None:
        """Send any text to all sockets."""
        for line in self.lines:
            await line.say(text)

    def leave_starts(self, starts: int, bot: int = 0) -> None:
        """Say how many fresh sessions a bot may still have today."""
        self.bot(bot).starts = starts

    def forget(self, session: Session) -> None:
        """Let one session be lost."""
        if session in session.bot.sessions:
            session.bot.sessions.remove(session)
